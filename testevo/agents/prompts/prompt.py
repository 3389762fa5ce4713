"""One prompt for each task, of equal bytes for all systems (TEB-A04, TEB-P01 to P05).

A prompt says what a brief of the task says (`testevo.packaging.start_states.brief`) and where the two commands of the
workspace are: no address, no revision of the real history, no outcome.
"""

from collections.abc import Iterable

from testevo.agents.prompts.texts import COMPILE, GENERATION, LAUNCHER, RUN_TEST, STATES, UPDATE
from testevo.packaging.start_states.brief import BriefMethod, TaskBrief
from testevo.records.tasks import Track


def prompt_of(brief: TaskBrief, commit: str) -> str:
    """The prompt of a task.

    Args:
        commit: id of the only commit of its workspace.
    """
    update = brief.track is Track.UPDATE
    number = 6 if update else 7
    values = {
        "commit": commit,
        "state": STATES[update, brief.exists].format(test_file=brief.test_file),
        "test_file": brief.test_file,
        "verb": "update" if update else "add",
        "methods": "\n".join(f"- {name}" for name in brief.tests),
        "dependencies": dependency_section(brief.dependencies),
        "compile": COMPILE,
        "run_test": RUN_TEST,
        "build": f"mvn -pl {brief.module} -am test-compile" if brief.module else "mvn test-compile",
        "example": brief.tests[0],
        "launcher": LAUNCHER,
        "number_after": number,
        "number_last": number + 2,
    }
    return (UPDATE if update else GENERATION).format_map(values)


def dependency_section(methods: Iterable[BriefMethod]) -> str:
    """A line for each changed method, sorted by path and signature, none twice (TEB-P04)."""
    found = {(one.path, one.method, one.kind.value) for one in methods}
    return "\n".join(f"- {kind} `{method}` in `{path}`" for path, method, kind in sorted(found))
