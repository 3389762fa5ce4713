"""What tries took that ended without a result is kept until the run has one."""

from pathlib import Path

from testevo.agents.gateway.ledger import in_flight
from testevo.agents.solving.spoiled import CALLS, note_begin, note_end, spent_before
from testevo.records.agents.usage import ModelCall, ModelUsage, Spent, Tokens

CALL = ModelCall(number=1, protocol="openai_chat", path="/", model="m", tokens=Tokens(input=7, output=2), cost_usd=0.5)
FIRST = Spent(tries=1, usage=ModelUsage(calls=3, cost_usd=1.0), wall_s=9.0, cpu_s=1.0)


def test_a_killed_try_counts_by_its_calls(tmp_path: Path) -> None:
    """The line that the kill cut is of a call that had not ended."""
    note_begin(tmp_path, "k", FIRST)
    (tmp_path / CALLS).write_text(f"{CALL.line()}\n{CALL.line()}\n{CALL.line()[:40]}")
    found = spent_before(tmp_path, "k")
    assert (found.tries, found.usage.calls, found.usage.input_tokens, found.usage.cost_usd) == (2, 5, 14, 2.0)
    assert (found.wall_s, found.cpu_s) == (9.0, 1.0)


def test_a_call_under_way_at_a_kill_counts_at_its_most_and_once(tmp_path: Path) -> None:
    note_begin(tmp_path, "k", Spent())
    (tmp_path / CALLS).write_text(f"{CALL.line()}\n")
    under_way = CALL.model_copy(update={"number": 2, "tokens": Tokens(input=5, output=100)})
    in_flight(tmp_path / CALLS).write_text(f"{CALL.line()}\n{under_way.line()}\n")
    found = spent_before(tmp_path, "k").usage
    assert (found.calls, found.input_tokens, found.output_tokens) == (2, 12, 102)


def test_a_try_killed_before_its_first_call_is_a_try(tmp_path: Path) -> None:
    note_begin(tmp_path, "k", Spent())
    assert spent_before(tmp_path, "k") == Spent(tries=1)


def test_a_spoiled_run_is_remembered_and_a_settled_one_is_not(tmp_path: Path) -> None:
    note_begin(tmp_path, "k", Spent())
    (tmp_path / CALLS).write_text(f"{CALL.line()}\n")
    note_end(tmp_path, "k", FIRST, settled=False)
    assert spent_before(tmp_path, "k") == FIRST
    assert spent_before(tmp_path, "another") == Spent()
    note_end(tmp_path, "k", FIRST, settled=True)
    assert spent_before(tmp_path, "k") == Spent()


def test_a_sum_without_a_price_has_none_and_names_the_last_limit() -> None:
    known, unknown = ModelUsage(cost_usd=1.0, ended_by="cost"), ModelUsage(cost_usd=None, calls=2)
    assert (known + known).cost_usd == 2.0
    assert ((known + unknown).cost_usd, (unknown + known).cost_usd) == (None, None)
    assert ((known + unknown).ended_by, (unknown + known).ended_by) == (None, "cost")
