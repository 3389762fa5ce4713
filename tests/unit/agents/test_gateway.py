"""The gateway: four protocols metered, budgets that end a run, keys that stay outside."""

import json
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from typing import Any

import pytest
import requests

from testevo.agents.gateway import forwarder
from testevo.agents.gateway.gateway import Gateway
from testevo.agents.gateway.ledger import Ledger, in_flight
from testevo.agents.gateway.prices import price_table
from testevo.agents.gateway.rate import RateLimit
from testevo.agents.gateway.waits import Waits, asked_wait
from testevo.records.agents.usage import Budget, ModelCall, Tokens
from testevo.records.base import read_records
from tests.model_server.script import Fault, Say, Script
from tests.model_server.server import KEY, ModelServer, serving

DAY = date(2026, 12, 1)
TASK = "the-task"
CALLS = {
    "anthropic": ("/v1/messages?beta=true", {"model": "claude-haiku-4-5-20251001", "max_tokens": 9}),
    "openai_chat": ("/v1/chat/completions", {"model": "gpt-5-mini"}),
    "openai_responses": ("/v1/responses", {"model": "gpt-5-mini"}),
    "gemini": ("/v1beta/models/gemini-2.5-flash:generateContent", {}),
}
MODELS = ("claude-haiku-4-5", "gpt-5-mini", "gemini-2.5-flash", "home-made", "m")
COSTS = {
    "anthropic": (800 * 1 + 200 * 0.1 + 50 * 5) / 1e6,
    "openai_chat": (800 * 0.25 + 200 * 0.025 + 50 * 2) / 1e6,
    "openai_responses": (800 * 0.25 + 200 * 0.025 + 50 * 2) / 1e6,
    "gemini": (800 * 0.3 + 200 * 0.03 + 50 * 2.5) / 1e6,
}


@contextmanager
def gateway(folder: Path, script: Script, budget: Budget | None = None, **options: Any) -> Iterator[Gateway]:
    with serving(ModelServer({TASK: script})) as model, gateway_to(model, folder, budget, **options) as open_gateway:
        open_gateway.model = model  # type: ignore[attr-defined]
        yield open_gateway


def gateway_to(model: ModelServer, folder: Path, budget: Budget | None = None, **options: Any) -> Gateway:
    return Gateway(
        upstream=model.address,
        models=MODELS,
        key=KEY,
        budget=budget or Budget(),
        prices=price_table(DAY),
        log=folder / "calls.jsonl",
        **options,
    )


def ask(to: Gateway, protocol: str, *, streamed: bool = False, **fields: Any) -> requests.Response:
    path, content = CALLS[protocol]
    field = {"openai_responses": "input", "gemini": "contents"}.get(protocol, "messages")
    said = {"parts": [{"text": TASK}]} if protocol == "gemini" else {"content": TASK}
    content = content | {field: [{"role": "user", **said}]} | fields
    if streamed and protocol == "gemini":
        path = path.replace(":generate", ":streamGenerate") + "?alt=sse"
    elif streamed:
        content["stream"] = True
    return requests.post(to.address + path, json=content, headers={"authorization": f"Bearer {to.token}"}, timeout=20)


def calls(folder: Path) -> list[ModelCall]:
    return read_records(folder / "calls.jsonl", ModelCall)


@pytest.mark.parametrize("streamed", [False, True])
@pytest.mark.parametrize("protocol", CALLS)
def test_usage_and_cost_of_an_answer(tmp_path: Path, protocol: str, streamed: bool) -> None:
    with gateway(tmp_path, Script((Say("hello"),))) as to:
        answer = ask(to, protocol, streamed=streamed)
        assert answer.status_code == 200
        assert "hello" in answer.text
    usage = to.usage()
    assert (usage.calls, usage.input_tokens, usage.cached_input_tokens, usage.output_tokens) == (1, 1000, 200, 50)
    assert usage.cost_usd == pytest.approx(COSTS[protocol])
    (call,) = calls(tmp_path)
    assert (call.protocol, call.streamed, call.failure, call.estimated) == (protocol, streamed, None, False)


@pytest.mark.parametrize("protocol", CALLS)
def test_the_key_is_known_to_the_upstream_only(tmp_path: Path, protocol: str) -> None:
    with gateway(tmp_path, Script((Say("hello"),), always=Fault.INTERNAL)) as to:
        answer = ask(to, protocol)
        assert answer.status_code == 500
        assert KEY not in answer.text
        assert KEY not in str(answer.headers)
        assert to.token not in str(to.model.served)
    assert KEY not in (tmp_path / "calls.jsonl").read_text()
    assert calls(tmp_path)[0].failure == "status 500"
    assert to.usage().failed_calls == 1
    assert to.usage().cost_usd == 0


def test_only_the_agent_of_the_run_is_answered(tmp_path: Path) -> None:
    with gateway(tmp_path, Script((Say("hello"),))) as to:
        path, content = CALLS["anthropic"]
        answer = requests.post(to.address + path, json=content, headers={"x-api-key": "another"}, timeout=20)
        assert answer.status_code == 401
        assert to.model.served == []


@pytest.mark.parametrize("protocol", CALLS)
@pytest.mark.parametrize(
    ("budget", "limit", "forwarded"),
    [
        (Budget(tokens=2000), "tokens", 2),
        (Budget(cost_usd=0.0003), "cost", 1),
        (Budget(calls=3), "calls", 3),
        (Budget(calls=0), "calls", 0),
    ],
)
def test_a_used_up_budget_refuses_every_further_call(
    tmp_path: Path, protocol: str, budget: Budget, limit: str, forwarded: int
) -> None:
    with gateway(tmp_path, Script((Say("once more"),)), budget) as to:
        answers = [ask(to, protocol) for _ in range(6)]
    if limit == "cost":
        forwarded = next(n for n in range(1, 7) if n * COSTS[protocol] >= 0.0003)
    assert [answer.status_code for answer in answers] == [200] * forwarded + [400] * (6 - forwarded)
    assert limit in answers[-1].json()["error"]["message"]
    usage = to.usage()
    assert (usage.calls, usage.refused_calls, usage.ended_by) == (forwarded, 6 - forwarded, limit)
    assert len(calls(tmp_path)) == 6


def test_a_run_ends_by_wall_time(tmp_path: Path) -> None:
    now = [100.0]
    with gateway(tmp_path, Script((Say("once more"),)), Budget(seconds=60), clock=lambda: now[0]) as to:
        assert ask(to, "anthropic").status_code == 200
        now[0] += 60
        assert ask(to, "anthropic").status_code == 400
    assert to.usage().ended_by == "seconds"


def test_calls_at_the_same_time_exceed_a_budget_by_one(tmp_path: Path) -> None:
    with gateway(tmp_path, Script((Say("once more"),)), Budget(tokens=1051)) as to, ThreadPoolExecutor(8) as pool:
        statuses = list(pool.map(lambda _: ask(to, "openai_chat", streamed=True).status_code, range(8)))
    assert sorted(statuses) == [200, 200, *[400] * 6]


def test_a_model_without_price_is_refused_where_cost_is_limited(tmp_path: Path) -> None:
    with gateway(tmp_path, Script((Say("hello"),)), Budget(cost_usd=1)) as to:
        answer = ask(to, "openai_chat", model="home-made")
        assert "has no price" in answer.json()["error"]["message"]
    with gateway(tmp_path, Script((Say("hello"),))) as to:
        assert ask(to, "openai_chat", model="home-made").status_code == 200
    assert to.usage().cost_usd is None


@pytest.mark.parametrize("protocol", CALLS)
@pytest.mark.parametrize("fault", [Fault.CUT, Fault.GARBAGE, Fault.NO_USAGE])
def test_answers_without_usage_are_estimated(tmp_path: Path, protocol: str, fault: Fault) -> None:
    with gateway(tmp_path, Script((Say("hello"),), always=fault)) as to:
        try:
            ask(to, protocol, streamed=True)
        except requests.RequestException:
            assert fault is Fault.CUT
    (call,) = calls(tmp_path)
    assert call.estimated
    assert call.tokens.input > 0
    assert (call.failure is None) == (fault is Fault.NO_USAGE)
    assert to.usage().estimated_calls == 1


def test_a_cut_document_is_told_to_the_agent_as_it_came(tmp_path: Path) -> None:
    with gateway(tmp_path, Script((Say("hello"),), always=Fault.CUT)) as to:
        ask(to, "openai_chat")
    assert calls(tmp_path)[0].failure == "the answer of the model's address was cut (ChunkedEncodingError)"


def test_a_call_that_the_end_of_the_run_cuts_off_is_counted(tmp_path: Path) -> None:
    with serving(ModelServer({TASK: Script((Say("hello"),), always=Fault.SILENT)})) as model:
        options: dict[str, Any] = {"budget": Budget(), "prices": price_table(DAY), "log": tmp_path / "calls.jsonl"}
        with Gateway(upstream=model.address, models=MODELS, key=KEY, **options) as to:
            threading.Thread(target=ask, args=(to, "anthropic"), daemon=True).start()
            while not model.served:
                time.sleep(0.01)
    assert (to.usage().calls, to.usage().estimated_calls, to.usage().failed_calls) == (1, 1, 1)
    [call] = calls(tmp_path)
    assert call.failure == "the run ended before the answer"
    assert (call.tokens.output, to.usage().output_tokens) == (9, 9), "it may have taken all that it asked for"
    assert not in_flight(tmp_path / "calls.jsonl").exists()


def test_a_provider_that_wants_to_be_asked_later_is_and_the_wait_is_no_time_of_the_run(tmp_path: Path) -> None:
    """The program sees one slow answer; the budget of seconds is as it was."""
    faults = ((0, Fault.TOO_MANY), (1, Fault.TOO_MANY))
    with gateway(tmp_path, Script((Say("hello"),), faults=faults), Budget(seconds=1e6), wait_seconds=600) as to:
        assert ask(to, "anthropic").status_code == 200
        assert len(to.model.served) == 3
        assert to.waited() >= 2
    [call] = calls(tmp_path)
    assert (call.failure, to.usage().calls, to.usage().failed_calls) == (None, 1, 0)
    assert call.waited >= 2 and to.usage().waited_s == call.waited


def test_waits_end_at_their_limit_and_the_program_sees_the_answer(tmp_path: Path) -> None:
    with gateway(tmp_path, Script((Say("hello"),), always=Fault.TOO_MANY), wait_seconds=1.5) as to:
        assert ask(to, "openai_chat").status_code == 429
        assert len(to.model.served) == 2, "one wait of a second, and no second one"
    assert calls(tmp_path)[0].failure == "status 429"


def test_a_run_that_ends_in_a_wait_asks_no_more(tmp_path: Path) -> None:
    """A second call would be paid and counted by nobody."""
    server = ModelServer({TASK: Script((Say("hello"),), always=Fault.TOO_MANY)})
    pending = in_flight(tmp_path / "calls.jsonl")
    with serving(server) as model, ThreadPoolExecutor() as agent:
        with gateway_to(model, tmp_path, wait_seconds=600) as to:
            answer = agent.submit(ask, to, "openai_chat")
            while not model.served or pending.exists():
                time.sleep(0.01)
        assert answer.result().status_code == 502
        assert len(model.served) == 1
    assert not pending.exists()


def test_no_call_begins_when_the_run_has_ended(tmp_path: Path) -> None:
    ledger = Ledger(Budget(), tmp_path / "calls.jsonl", time.monotonic)
    call = ModelCall(number=1, protocol="anthropic", path="/v1/messages", model="m")
    assert ledger.begin(call)
    ledger.withdraw(call)
    ledger.close()
    assert not ledger.begin(call)
    assert not in_flight(tmp_path / "calls.jsonl").exists() and ledger.usage().calls == 0


def test_a_rate_without_room_in_time_is_a_failure_of_no_system(tmp_path: Path) -> None:
    rate = RateLimit(tmp_path / "rate", 1)
    with gateway(tmp_path, Script((Say("hello"),)), rate=rate, wait_seconds=5) as to:
        assert [ask(to, "gemini").status_code for _ in range(2)] == [200, 429]
        assert len(to.model.served) == 1
    assert "solving.wait_seconds" in str(calls(tmp_path)[1].failure)


def test_waits_count_apart_and_are_bounded() -> None:
    now = [0.0]

    def sleep(seconds: float) -> None:
        now[0] += seconds / 2
        inside.append(waits.waited())
        now[0] += seconds / 2

    inside: list[float] = []
    waits = Waits(100, clock=lambda: now[0], sleep=sleep)
    assert waits.wait(60) and inside == [30] and waits.waited() == 60
    assert not waits.wait(41) and waits.allows(40)
    waits.end()
    assert not waits.allows(1)


@pytest.mark.parametrize(
    ("status", "headers", "times", "seconds"),
    [
        (429, {"retry-after": "7"}, 0, 7),
        (429, {"retry-after-ms": "2500"}, 0, 2.5),
        (429, {"retry-after": "0"}, 0, 1),
        (429, {"retry-after": "Wed, 21 Oct 2026 07:28:00 GMT"}, 2, 4),
        (429, {"retry-after": "inf"}, 9, 60),
        (529, {"retry-after": "3"}, 0, 3),
        (503, {}, 0, None),
        (500, {"retry-after": "3"}, 0, None),
        (200, {"retry-after": "3"}, 0, None),
    ],
)
def test_what_a_provider_says_of_waiting(
    status: int, headers: dict[str, str], times: int, seconds: float | None
) -> None:
    assert asked_wait(status, headers, times) == seconds


def test_the_time_of_waits_is_none_of_the_budget(tmp_path: Path) -> None:
    now, waited = [0.0], [0.0]
    ledger = Ledger(Budget(seconds=10), tmp_path / "calls.jsonl", lambda: now[0], lambda: waited[0])
    now[0], waited[0] = 19.0, 9.5
    assert ledger.used_up() is None
    now[0] = 19.5
    assert ledger.used_up() == "seconds"


def test_an_address_without_a_server_is_a_failed_call(tmp_path: Path) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        nowhere = f"http://127.0.0.1:{free.getsockname()[1]}"
        options: dict[str, Any] = {"budget": Budget(), "prices": price_table(DAY), "log": tmp_path / "calls.jsonl"}
        with Gateway(upstream=nowhere, models=MODELS, key=KEY, **options) as to:
            assert ask(to, "gemini").status_code == 502
    assert to.usage().failed_calls == 1


def test_what_is_not_allowed_is_refused_recorded_and_not_forwarded(tmp_path: Path) -> None:
    """What is allowed says test_allowed_requests.py."""
    searching = {"tools": [{"name": "Bash"}, {"type": "web_search_20250305", "name": "web_search"}]}
    with gateway(tmp_path, Script((Say("hello"),))) as to:
        for fields, named in (
            (searching, "the tool web_search_20250305"),
            ({"model": "gpt-5"}, "the model gpt-5 is none"),
        ):
            answer = ask(to, "anthropic", **fields)
            assert answer.status_code == 400
            assert named in answer.json()["error"]["message"]
        assert to.model.served == []
    assert ["web_search" in str(calls(tmp_path)[0].refused), to.usage().refused_calls] == [True, 2]


def test_a_provider_is_asked_to_keep_nothing_and_sees_no_other_headers(tmp_path: Path) -> None:
    with gateway(tmp_path, Script((Say("hello"),))) as to:
        headers = {"authorization": f"Bearer {to.token}", "openai-organization": "mine", "x-app": "cli"}
        content = {"model": "gpt-5-mini", "input": [{"role": "user", "content": TASK}]}
        assert requests.post(f"{to.address}/v1/responses", json=content, headers=headers, timeout=20).status_code == 200
        [(_, seen, body)] = to.model.served
    assert body["store"] is False
    assert "openai-organization" not in seen and seen["x-app"] == "cli"


def test_other_requests_are_not_forwarded(tmp_path: Path) -> None:
    with gateway(tmp_path, Script((Say("hello"),))) as to:
        headers = {"x-api-key": to.token}
        assert requests.get(f"{to.address}/v1/files", headers=headers, timeout=20).status_code == 404
        assert requests.post(f"{to.address}/v1/files", json={}, headers=headers, timeout=20).status_code == 400
        assert requests.post(f"{to.address}/v1/messages", data=b"[", headers=headers, timeout=20).status_code == 400
        assert to.model.served == []
    assert to.usage().refused_calls == 2


def test_a_command_reaches_the_gateway_by_the_forwarder(tmp_path: Path) -> None:
    with socket.socket() as kept, gateway(tmp_path, Script((Say("hello"),))) as to:
        kept.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # for the forwarder; the kernel gives it to no other
        kept.bind(("127.0.0.1", 0))
        port = kept.getsockname()[1]
        content = CALLS["anthropic"][1] | {"messages": []}
        program = (
            "import json, sys, urllib.request as u\n"
            f"headers = {{'x-api-key': {to.token!r}, 'content-type': 'application/json'}}\n"
            f"body = json.dumps({content!r}).encode()\n"
            f"asked = u.Request('http://127.0.0.1:{port}/v1/messages', body, headers)\n"
            "print(u.urlopen(asked).read().decode())\n"
            "sys.exit(7)\n"
        )
        command = [sys.executable, str(forwarder.__file__), str(to.socket), str(port), sys.executable, "-c", program]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 7, done.stderr
    assert json.loads(done.stdout)["type"] == "message"
    assert to.usage().calls == 1


def test_a_rate_is_kept_by_all_who_name_its_file(tmp_path: Path) -> None:
    now, slept = [1000.0], []

    def sleep(seconds: float) -> bool:
        slept.append(seconds)
        now[0] += seconds
        return len(slept) < 3

    limits = [RateLimit(tmp_path / "rate", 2, clock=lambda: now[0]) for _ in range(2)]
    for _ in range(3):
        for limit in limits:
            assert limit.wait(sleep)
    assert slept == [60.0, 60.0]
    assert not limits[0].wait(sleep), "a sleep that ends the waiting"


def test_a_run_before_the_first_price_is_refused_with_both_days(tmp_path: Path) -> None:
    """A row without `since` is known to hold from the day it was read; no earlier day is made up."""
    (tmp_path / "prices.yaml").write_text("- {model: m, input: 1, output: 2, source: a page, read: 2026-03-01}\n")
    before, on = (price_table(date(2026, month, 1), tmp_path / "prices.yaml") for month in (2, 3))
    assert before.cost("m", Tokens(input=1)) is None and on.cost("m", Tokens(input=1)) == pytest.approx(1e-6)
    assert before.lack("m") == "the price of the model m is known from 2026-03-01 on, and this run is of 2026-02-01"
    assert on.lack("m") is None and on.lack("n") == "the model n has no price"
    with serving(ModelServer({TASK: Script((Say("hello"),))})) as model:
        options: dict[str, Any] = {"budget": Budget(cost_usd=1), "prices": before, "log": tmp_path / "calls.jsonl"}
        with Gateway(upstream=model.address, models=MODELS, key=KEY, **options) as to:
            answer = ask(to, "openai_chat", model="m")
        assert answer.status_code == 400 and "known from 2026-03-01 on" in answer.json()["error"]["message"]
        assert not model.served


def test_a_price_holds_from_its_day_and_by_size(tmp_path: Path) -> None:
    common = "source: a page, read: 2026-01-01"
    (tmp_path / "prices.yaml").write_text(
        f"- {{model: m, since: 2026-01-01, input: 1, output: 2, {common}}}\n"
        f"- {{model: m, since: 2026-02-01, input: 3, output: 4, {common}}}\n"
        f"- {{model: m, since: 2026-02-01, above: 100, input: 5, cache_write: 7, output: 6, {common}}}\n"
    )
    small, large = Tokens(input=100, output=10), Tokens(input=200, cache_write=100, output=10)
    costs = [
        price_table(day, tmp_path / "prices.yaml").cost("some/m-20260101", tokens)
        for day in (date(2025, 12, 31), date(2026, 1, 31), date(2026, 2, 1))
        for tokens in (small, large)
    ]
    assert costs == [None, None, 120e-6, 220e-6, 340e-6, (500 + 700 + 60) / 1e6]
