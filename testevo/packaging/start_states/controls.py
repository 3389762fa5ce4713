"""Control submissions: what is known beforehand about their grades shows whether the grader works.

| control | what is submitted | expected |
|---|---|---|
| gold | the developer's test file | all success |
| empty | nothing | harness failure |
| unchanged | the start state as it is | update: no success; generation: harness failure |
| trivial | a minimal class with the target methods, which check nothing, in one of three ways | no success of its own |
| broken | the developer's file with a type error in the target methods | compile failure |
| sabotage | the developer's file with hostile target methods (`testevo.packaging.start_states.sabotage`) | no success |
"""

from collections.abc import Callable, Iterable, Sequence

from testevo.config.model import CONTROLS, ControlName
from testevo.java.declarations import JavaMethod
from testevo.java.encodings import USUAL, rewritten
from testevo.java.syntax import parse_java
from testevo.packaging.start_states.minimal_tests import header_of, minimal_file
from testevo.packaging.start_states.sabotage import kind_of, sabotage_body
from testevo.packaging.start_states.start_state import TargetFile, target_methods
from testevo.records.evaluation.predictions import Defect, DefectKind, Edit, encoded
from testevo.records.tasks import Task, Track

TargetOf = Callable[[Task], TargetFile]
BROKEN_BODY = 'int broken = "no number";\n'


def control_edits(name: str, tasks: Sequence[Task], target_of: TargetOf) -> list[Edit]:
    """The edits of a control submission: exactly one for each task, in the order given.

    Raises:
        ValueError: there is no control of that name.
    """
    if name not in CONTROLS:
        raise ValueError(f"{name} is not a control submission")
    return [_edit(name, task, target_of(task)) for task in tasks]


def _edit(name: ControlName, task: Task, target: TargetFile) -> Edit:
    content = _content(name, task, target)
    defects: tuple[Defect, ...] = ()
    if content is None:
        defects = (Defect(kind=DefectKind.EMPTY, message=f"The control `{name}` submits nothing for this task."),)
    elif name == "unchanged":
        said = "The control `unchanged` submits the start state as it is."
        defects = (Defect(kind=DefectKind.NO_EFFECT, message=said, fatal=task.track is Track.GENERATION),)
    return Edit(task_id=task.task_id, system=name, applied_by="control", defects=defects, **encoded(content))


def _content(name: ControlName, task: Task, target: TargetFile) -> bytes | None:
    if name == "gold":
        return target.gold
    if name == "unchanged":
        return target.start
    if name == "trivial":
        return rewritten(minimal_file(task, target.gold).encode(), USUAL, task.compiled_as)
    if name == "broken":
        return with_bodies(task, target.gold, [BROKEN_BODY] * len(task.tests))
    if name == "sabotage":
        return with_bodies(task, target.gold, sabotage_bodies(task))
    return None


def sabotage_bodies(task: Task) -> list[str]:
    """The hostile body of each target method, in the order of the task."""
    return [
        sabotage_body(kind_of(task, position), evidence.test.type_name, evidence.test.name, task.new_revision)
        for position, evidence in enumerate(task.tests)
    ]


def with_bodies(task: Task, gold: bytes, bodies: Iterable[str]) -> bytes:
    """The developer's file with other target methods: plain tests without parameters or expectations.

    Of methods without parameters and with the name of a target, such as other targets or a provider, only the first
    target is left, since Java takes no two of them. An inherited test that runs in two classes is one method of the
    file, with the body for the first of them.
    """
    file = parse_java(gold, task.test_file, task.compiled_as)
    types = {type.name: type for type in file.types}
    seen: set[tuple[str, str]] = set()
    changes: dict[int, tuple[JavaMethod, bytes]] = {}
    for method, body in zip(target_methods(task, gold), bodies, strict=True):
        name = (method.key.type_name, method.key.name)
        declared = "" if name in seen else f"{header_of(file, types[name[0]], method)} {{\n{body}}}"
        changes.setdefault(method.start_byte, (method, rewritten(declared.encode(), USUAL, task.compiled_as)))
        seen.add(name)
    for method in file.methods:
        if (method.key.type_name, method.key.name) in seen and not method.key.parameters:
            changes.setdefault(method.start_byte, (method, b""))
    content = gold
    for _, (method, text) in sorted(changes.items(), reverse=True):
        content = content[: method.start_byte] + text + content[method.end_byte :]
    return content
