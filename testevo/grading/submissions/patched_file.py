"""The target test file after a patch: text → files → hunks, with a name for everything that stands in the way."""

from collections.abc import Sequence
from dataclasses import replace

from testevo.grading.submissions.allowed_paths import matches_target, path_defect, without_prefix
from testevo.grading.submissions.defects import Defects, shown
from testevo.grading.submissions.markdown_fences import unwrapped_patch
from testevo.grading.submissions.patch_application import Applied, HunkMismatch, apply_hunks
from testevo.grading.submissions.unified_diff import FilePatch, Hunk, Patch, parse_patch
from testevo.packaging.start_states.start_state import TargetFile
from testevo.records.evaluation.predictions import DefectKind

_PATH_REASONS = {
    DefectKind.UNSAFE_PATH: "leads out of the repository or into its git folder; write paths relative to it",
    DefectKind.BUILD_FILE: "is a build file, and the build of a task is fixed; leave it out",
    DefectKind.OUTSIDE_TARGET: "is not the target test file; leave it out",
}
_FACT_DEFECTS = (
    ("binary", DefectKind.BINARY, "has a binary part; submit text"),
    ("mode", DefectKind.MODE, "changes its file mode; leave modes as they are"),
    ("link", DefectKind.LINK, "becomes a symbolic link or a submodule; submit a file"),
    ("renamed", DefectKind.RENAME, "is renamed or copied; keep the file where it is"),
)


def patched_target(text: bytes, target: TargetFile, defects: Defects) -> tuple[bytes, str] | None:
    """The whole target file after a patch and the way of applying; None when a fatal finding says why not."""
    patch = parse_patch(unwrapped_patch(text, defects))
    _note_text(patch, defects)
    concerned = [file for file in patch.files if _is_allowed(file, target, defects)]
    if defects.fatal:
        return None
    content = target.start
    way = "exact"
    for file in concerned:
        applied = _apply(content, file, patch, target, defects)
        if applied is None:
            return None
        content = applied.content
        way = applied.way if way == "exact" or applied.way == "offset" else way
    if content is None:
        defects.add(
            DefectKind.NO_PATCH, f"The patch does nothing to {target.path}, which does not exist yet; create it."
        )
        return None
    return content, way


def _note_text(patch: Patch, defects: Defects) -> None:
    """Defects of the text as a diff."""
    if not patch.files:
        defects.add(
            DefectKind.NO_PATCH,
            "The text holds no `diff --git` or `---`/`+++` lines; submit what `git diff` writes, or use `files`.",
        )
        return
    for line in patch.bad_lines[:1]:
        defects.add(
            DefectKind.NO_PATCH,
            "The line belongs to a hunk without a readable `@@` line, or without a file; write it as `git diff` does.",
            line,
        )
    stripped = [hunk.at for file in patch.files for hunk in file.hunks if hunk.stripped]
    if not patch.final_newline:
        lost = ", and blank lines of its last hunk seem lost with it" if stripped else ""
        defects.add(
            DefectKind.NO_FINAL_NEWLINE,
            f"The patch ends without a line end{lost}; do not strip patches.",
            *stripped[-1:],
        )
    for file in patch.files:
        for hunk in file.hunks:
            if hunk.miscounted:
                _note_counts(hunk, defects)


def _note_counts(hunk: Hunk, defects: Defects) -> None:
    defects.add(
        DefectKind.HUNK_COUNTS,
        "The hunk has other numbers of lines than its `@@` line says; its lines are counted again.",
        hunk.at,
    )


def _is_allowed(file: FilePatch, target: TargetFile, defects: Defects) -> bool:
    """Whether a file of the patch is the target and may be changed so; otherwise a finding says what is wrong."""
    paths = [_path(path, target) for path in file.paths]
    is_target = bool(paths) and all(matches_target(path, target.path) for path in paths)
    # What moves the target, or makes it of another file, cannot be left out as if it were no edit of the target.
    touches_target = any(matches_target(path, target.path) for path in paths)
    for path in paths:
        kind = None if matches_target(path, target.path) else path_defect(_unprefixed(path), target.path)
        if kind is not None:
            what = f"{shown(_unprefixed(path))} {_PATH_REASONS[kind]}."
            defects.add(kind, what, file.at, repairable=not touches_target)
    # A change of mode means nothing to a test file, so it can be left out; other facts say what becomes of the file.
    for fact, kind, reason in _FACT_DEFECTS:
        if fact in file.facts:
            repairable = not touches_target or fact == "mode"
            what = shown(_unprefixed(paths[-1])) if paths else "A file"
            defects.add(kind, f"{what} {reason}.", file.at, repairable=repairable)
    if not is_target:
        return False
    if "deleted" in file.facts:
        defects.add(DefectKind.DELETES_TARGET, f"{target.path} is deleted; change it instead.", file.at)
        return False
    return True


def _path(path: bytes, target: TargetFile) -> str:
    """A path of the patch, which is UTF-8 or as the rest of it."""
    try:
        return path.decode("utf-8")
    except UnicodeDecodeError:
        return path.decode(target.encoding, "surrogateescape")


def _unprefixed(path: str) -> str:
    """The path as the repository would have it; an absolute path stays absolute behind its prefix."""
    bare = without_prefix(path)
    return bare if bare else path


def _apply(
    content: bytes | None, file: FilePatch, patch: Patch, target: TargetFile, defects: Defects
) -> Applied | None:
    if content is None:
        return _created(file, patch, target, defects)
    creates = file.old_path is None or not any(hunk.old for hunk in file.hunks)
    if creates and "created" in file.facts and file.hunks:
        defects.add(
            DefectKind.DOES_NOT_APPLY,
            f"The patch creates {target.path}, which exists at the start state; write a diff against it, or use "
            f"`files`.",
            file.at,
        )
        return None
    applied = _counted_again(content, file.hunks, defects)
    if isinstance(applied, HunkMismatch):
        defects.add(DefectKind.DOES_NOT_APPLY, _mismatch(applied, target), applied.hunk.at)
        return None
    if applied.line_ends and not defects.add(
        DefectKind.LINE_ENDS,
        f"{target.path} and the patch differ in line ends (LF, CRLF); make the diff with `git diff` on the bytes of "
        f"the file, or allow repairs, which take over those of the file.",
        file.at,
    ):
        return None
    return applied


def _counted_again(content: bytes, hunks: Sequence[Hunk], defects: Defects) -> Applied | HunkMismatch:
    """The hunks applied. Where the file lacks the blank lines that a stripped end seems to have lost, the last hunk is
    taken without them: not lines were lost, but its `@@` line promises too many."""
    applied = apply_hunks(content, hunks)
    if isinstance(applied, Applied) or not hunks[-1].stripped:
        return applied
    last = replace(hunks[-1], lines=hunks[-1].lines[: -hunks[-1].stripped])
    without = apply_hunks(content, [*hunks[:-1], last])
    if isinstance(without, HunkMismatch):
        return applied
    _note_counts(last, defects)
    return without


def _created(file: FilePatch, patch: Patch, target: TargetFile, defects: Defects) -> Applied | None:
    """The content of a file that the patch creates."""
    lines = [line for hunk in file.hunks for line in hunk.lines]
    odd = next((hunk for hunk in file.hunks if hunk.old), None)
    if odd is not None or len(file.hunks) > 1:
        at = (odd or file.hunks[-1]).at
        defects.add(
            DefectKind.DOES_NOT_APPLY,
            f"{target.path} does not exist at the start state, but the hunk expects lines of it; create the file.",
            at,
        )
        return None
    return Applied(_bare(b"".join(line.content for line in lines), patch), "exact", False)


def _bare(content: bytes, patch: Patch) -> bytes:
    """New content without the CRs that came with the conversion of the whole text of the patch."""
    return content.replace(b"\r\n", b"\n") if patch.carriage_returns else content


def _mismatch(mismatch: HunkMismatch, target: TargetFile) -> str:
    if mismatch.places > 1:
        return (
            f"The lines of the hunk stand {mismatch.places} times in {target.path}, as near to where its `@@` line "
            f"says; add context."
        )
    if mismatch.line is not None:
        line = shown(mismatch.line.strip())
        return f"The start state of {target.path} has no line {line!r}; write the diff against it."
    return f"{target.path} has no such lines in this order at its start state; write the diff against it."


def of_target(files: Sequence[str], target: TargetFile, defects: Defects) -> bool:
    """Whether whole files, named by path, hold the target; defects for the others."""
    for path in files:
        kind = path_defect(path, target.path)
        if kind is not None:
            defects.add(kind, f"{shown(path)} {_PATH_REASONS[kind]}.")
    return target.path in files
