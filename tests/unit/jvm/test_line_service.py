"""A helper program that hangs, dies or talks nonsense costs one request, never the run (TEB-X10: hanging detectors)."""

import sys

import pytest

from testevo.builds.maven.line_service import LineService, RequestRefusedError, ServiceDiedError, ServiceTimeoutError

ANSWERING = """
import json, os, sys, time
count = 0
for line in sys.stdin:
    request = json.loads(line)
    count += 1
    what = request["command"]
    if what == "hang": time.sleep(600)
    if what == "die": print("out of luck", file=sys.stderr); os._exit(3)
    if what == "chatter": print("x" * 300000, file=sys.stderr)
    if what == "mumble": print("a warning of the virtual machine")
    answer = {"id": request["id"] + (what == "wrong id"), "ok": what != "refuse", "count": count}
    if what == "refuse": answer["error"] = "no such thing"
    if what == "echo": answer["text"] = request["text"]
    print(json.dumps(answer), flush=True)
"""


@pytest.fixture
def service() -> LineService:
    return LineService([sys.executable, "-c", ANSWERING], name="echo service", seconds=30)


def test_one_program_answers_many_requests(service: LineService) -> None:
    counts = [service.ask({"command": "count"})["count"] for _ in range(3)]
    service.close()
    assert counts == [1, 2, 3]


def test_texts_of_a_megabyte_and_any_character_come_back_whole(service: LineService) -> None:
    text = "täst\n\u2028\U0001f600\t\"'" * 100_000
    assert service.ask({"command": "echo", "text": text})["text"] == text
    service.close()


def test_a_program_that_writes_much_to_standard_error_does_not_block(service: LineService) -> None:
    assert service.ask({"command": "chatter"})["count"] == 1
    service.close()


def test_lines_that_are_no_answer_are_passed_over(service: LineService) -> None:
    assert [service.ask({"command": "mumble"})["count"] for _ in range(2)] == [1, 2]
    service.close()


def test_a_hanging_request_is_killed_and_the_next_one_meets_a_new_program(service: LineService) -> None:
    assert service.ask({"command": "count"})["count"] == 1
    with pytest.raises(ServiceTimeoutError, match=r"echo service gave no answer within 0\.2 s"):
        service.ask({"command": "hang"}, seconds=0.2)
    assert service.ask({"command": "count"})["count"] == 1
    service.close()


def test_a_death_is_told_with_status_and_last_words_and_the_next_request_starts_anew(service: LineService) -> None:
    with pytest.raises(ServiceDiedError, match=r"ended without an answer \(status 3: out of luck\)"):
        service.ask({"command": "die"})
    assert service.ask({"command": "count"})["count"] == 1
    service.close()


def test_a_refusal_carries_the_reason_and_leaves_the_program_alive(service: LineService) -> None:
    with pytest.raises(RequestRefusedError, match="no such thing"):
        service.ask({"command": "refuse"})
    assert service.ask({"command": "count"})["count"] == 2
    service.close()


def test_an_answer_to_another_request_is_never_taken(service: LineService) -> None:
    with pytest.raises(ServiceDiedError, match="another request"):
        service.ask({"command": "wrong id"})
    service.close()


def test_a_closed_service_starts_again_when_asked(service: LineService) -> None:
    service.ask({"command": "count"})
    service.close()
    assert service.ask({"command": "count"})["count"] == 1
    service.close()
