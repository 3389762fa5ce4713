"""Takes off what a patch or a text came wrapped in: Markdown fences and a common indentation."""

import re

from testevo.grading.submissions.defects import Defects
from testevo.records.evaluation.predictions import DefectKind

_FENCE = re.compile(rb"[ \t]*(```+|~~~+)[^`\n]*\Z")
_DIFF_START = re.compile(rb"^(?:diff --git |--- [^\n]*\n\+\+\+ |@@ -)", re.MULTILINE)
_INDENTED_START = re.compile(rb"^([ \t]+)(?:diff --git |--- [^\n]*\n\1\+\+\+ )", re.MULTILINE)


def unwrapped_patch(text: bytes, defects: Defects) -> bytes:
    """The diff inside `text`. What is found is noted also when the run does not repair it, so that reading goes on."""
    fenced = _fenced_blocks(text)
    if fenced is not None:
        line, blocks = fenced
        diffs = [block for block in blocks if _DIFF_START.search(block) or _INDENTED_START.search(block)]
        # A diff beside fences that hold none stays as it is, with the fences as text around it.
        if diffs or _DIFF_START.search(text) is None:
            what = "The patch is wrapped in a Markdown fence; the lines between the fences are taken."
            defects.add(DefectKind.FENCED, what, line)
            text = b"".join(diffs or blocks)
    return _dedented(text, defects)


def unwrapped_source(text: bytes, what: str, defects: Defects) -> bytes:
    """Java source without a fence around the whole of it. A fence inside, in a text block, stays."""
    lines = text.strip().split(b"\n")
    first, last = lines[0].rstrip(), lines[-1].strip()
    if len(lines) < 2 or _FENCE.match(first) is None or last not in (b"```", b"~~~"):
        return text
    defects.add(DefectKind.FENCED, f"{what} is wrapped in a Markdown fence; the source between the fences is taken.", 1)
    return b"\n".join(lines[1:-1]) + b"\n"


def _fenced_blocks(text: bytes) -> tuple[int, list[bytes]] | None:
    """Line of the first fence and what stands between fences; None without one. No line of a diff begins so."""
    lines = text.split(b"\n")
    fences = [at for at, line in enumerate(lines) if _FENCE.match(line.rstrip()) and not line.startswith((b" ", b"\t"))]
    if not fences:
        return None
    ends = [*fences[1::2], *([len(lines)] if len(fences) % 2 else [])]
    pairs = zip(fences[0::2], ends, strict=True)
    return fences[0] + 1, [b"".join(line + b"\n" for line in lines[start + 1 : end]) for start, end in pairs]


def _dedented(text: bytes, defects: Defects) -> bytes:
    start = _INDENTED_START.search(text)
    if start is None or _DIFF_START.search(text) is not None:
        return text
    indentation = start.group(1)
    defects.add(
        DefectKind.INDENTED,
        "Every line of the patch is indented; submit it without the indentation, or allow repairs.",
        text.count(b"\n", 0, start.start()) + 1,
    )
    lines = text.split(b"\n")
    return b"\n".join(line.removeprefix(indentation) for line in lines)
