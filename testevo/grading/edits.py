"""Predictions of all forms become one: the whole content of the target test file (TEB-E02, E12)."""

from collections.abc import Callable

from testevo.grading.method_texts import file_with_methods
from testevo.grading.submissions.candidate_file import ABSENT, missing, read_candidate
from testevo.grading.submissions.defects import Defects
from testevo.grading.submissions.encoding import adds_undecodable, bytes_like
from testevo.grading.submissions.markdown_fences import unwrapped_source
from testevo.grading.submissions.patched_file import of_target, patched_target
from testevo.java.encodings import UnwritableError
from testevo.packaging.start_states.start_state import TargetFile, target_methods
from testevo.records.evaluation.predictions import Defect, DefectKind, Edit, Prediction, encoded
from testevo.records.tasks import Task

MOST_BYTES = 2**20
"""What a prediction may hold, or leave as target file, beyond twice the developer's file."""
Reached = tuple[bytes, str]
"""The content of the target file and the way it was reached."""


def canonical_edit(prediction: Prediction, task: Task, target: TargetFile, repair: bool) -> Edit:
    """The edit of a prediction: the whole target file, or the reasons why there is nothing to run.

    Args:
        prediction: of this task; what it claims about tracks is not looked at.
        target: the target file of the task (`testevo.packaging.start_states.start_state.target_file`).
        repair: repair what can be repaired without guessing; repaired defects are marked as such.
    """
    defects = Defects(repair)
    try:
        reached = _reached(prediction, task, target, defects)
    except UnwritableError as error:
        reached = None
        defects.add(DefectKind.UNWRITABLE, f"{target.path}: {error}.")
    if reached is not None and adds_undecodable(reached[0], target.start, target.encoding):
        said = f"bytes that say nothing in {target.encoding}, in which the build reads it; write Unicode escapes"
        defects.add(DefectKind.UNWRITABLE, f"{target.path} would have {said}.")
    if reached is not None and not defects.fatal:
        _look_at_result(reached[0], task, target, defects)
    return _edit(prediction, None if defects.fatal else reached, defects.sorted())


def edit_without_content(task_id: str, system: str, defect: Defect, prediction: Prediction | None = None) -> Edit:
    """An edit that runs nothing, for the defects of whole files of predictions."""
    return _edit(prediction or Prediction(task_id=task_id, system=system), None, (defect,))


def _edit(prediction: Prediction, reached: Reached | None, defects: tuple[Defect, ...]) -> Edit:
    content, way = reached or (None, None)
    return Edit(
        task_id=prediction.task_id,
        system=prediction.system,
        **encoded(content),
        applied_by=way,
        defects=defects,
        cost_usd=prediction.cost_usd,
        tokens_in=prediction.tokens_in,
        tokens_out=prediction.tokens_out,
        wall_s=prediction.wall_s,
        exit_status=prediction.exit_status,
    )


def _reached(prediction: Prediction, task: Task, target: TargetFile, defects: Defects) -> Reached | None:
    forms: dict[str, Callable[[], Reached | None]] = {}
    if prediction.patch is not None and prediction.patch.strip():
        forms["patch"] = lambda: _by_patch(prediction.patch or "", target, defects)
    if prediction.files:
        forms["files"] = lambda: _by_files(prediction.files or {}, target, defects)
    if prediction.tests:
        forms["tests"] = lambda: _by_methods(prediction.tests or {}, task, target, defects)
    if not forms:
        defects.add(DefectKind.EMPTY, "Neither patch, files nor tests hold anything; submit one of them.")
        return None
    most = MOST_BYTES + 2 * len(target.gold)
    if _size(prediction) > most:
        defects.add(DefectKind.TOO_LARGE, f"The prediction has more than {most} letters; leave out what nobody reads.")
        return None
    if len(forms) > 1:
        defects.add(DefectKind.TWO_FORMS, f"{' and '.join(forms)} are given at once; submit one of them.")
        return None
    return next(iter(forms.values()))()


def _size(prediction: Prediction) -> int:
    texts = (prediction.files or {}) | (prediction.tests or {})
    return len(prediction.patch or "") + sum(len(path) + len(text) for path, text in texts.items())


def _by_patch(patch: str, target: TargetFile, defects: Defects) -> Reached | None:
    text = bytes_like(patch, target.start, target.encoding)
    if text is None:
        defects.add(DefectKind.NO_PATCH, "The patch holds half of a surrogate pair; write it as valid Unicode.")
        return None
    return patched_target(text, target, defects)


def _by_files(given: dict[str, str], target: TargetFile, defects: Defects) -> Reached | None:
    files = {path.removeprefix("./"): text for path, text in given.items()}
    if len(files) < len(given):
        defects.add(DefectKind.TWO_FORMS, "`files` names a file with and without `./`; submit it once.")
        return None
    if not of_target(sorted(files), target, defects):
        defects.add(
            DefectKind.EMPTY, f"`files` does not hold {target.path}; submit it under its repository-relative path."
        )
        return None
    content = bytes_like(files[target.path], None, target.encoding)
    if content is None:
        defects.add(DefectKind.NOT_JAVA, f"{target.path} holds half of a surrogate pair; write it as valid Unicode.")
        return None
    return unwrapped_source(content, target.path, defects), "files"


def _by_methods(tests: dict[str, str], task: Task, target: TargetFile, defects: Defects) -> Reached | None:
    # An inherited test that runs in two classes is one method of the file.
    targets = list(dict.fromkeys(method.key for method in target_methods(task, target.gold)))
    content = file_with_methods(tests, targets, target, defects)
    return None if content is None else (content, "methods")


def _look_at_result(content: bytes, task: Task, target: TargetFile, defects: Defects) -> None:
    """Warnings about the edited file; a file that does not compile is for the compiler to say (TEB-V05)."""
    if target.start is not None and _without_returns(content) == _without_returns(target.start):
        but = "" if content == target.start else " but for line ends"
        defects.warn(DefectKind.NO_EFFECT, f"{target.path} is the same afterwards{but}.")
    file = read_candidate(task, content, target.gold)
    if file.looks_around:
        named = f"{target.path} names {', '.join(file.looks_around)}, which the developer's file does not"
        defects.warn(DefectKind.LOOKS_AROUND, f"{named}; test the code, not the run. Its mutants do not share a JVM.")
    if not file.readable:
        defects.warn(DefectKind.NOT_JAVA, f"{target.path} has a syntax error afterwards and will hardly compile.")
        return
    for evidence, method in zip(task.tests, file.methods, strict=True):
        if method is None:
            defects.found.append(missing(evidence, ABSENT))


def _without_returns(content: bytes) -> bytes:
    return content.replace(b"\r\n", b"\n")
