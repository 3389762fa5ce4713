"""Gathers what is wrong with one prediction: which defects a run may repair, which only warn, which end it."""

from dataclasses import dataclass, field

from testevo.records.evaluation.predictions import Defect, DefectKind

REPAIRABLE = frozenset(
    {
        DefectKind.FENCED,
        DefectKind.INDENTED,
        DefectKind.LINE_ENDS,
        DefectKind.HUNK_COUNTS,
        DefectKind.BINARY,
        DefectKind.MODE,
        DefectKind.LINK,
        DefectKind.RENAME,
        DefectKind.BUILD_FILE,
        DefectKind.OUTSIDE_TARGET,
    }
)
"""Defects that `--repair` can repair: Markdown fences, and edits of other files than the target, which are left out."""
ALWAYS_REPAIRED = frozenset({DefectKind.FENCED, DefectKind.HUNK_COUNTS})
"""Repaired in every run, for nothing is guessed; the others need `--repair`."""
WARNINGS = frozenset(
    {
        DefectKind.NO_FINAL_NEWLINE,
        DefectKind.NO_SUCH_METHOD,
        DefectKind.NO_EFFECT,
        DefectKind.TARGET_MISSING,
        DefectKind.LOOKS_AROUND,
        DefectKind.ENTERS_NO_FOCAL_LINE,
        DefectKind.HIDES_COVERAGE,
        DefectKind.HAS_RESERVES,
    }
)
"""Defects that never make a whole prediction a harness failure. `not_java` does only when nothing readable is left."""
_ORDER = {kind: number for number, kind in enumerate(DefectKind)}


@dataclass
class Defects:
    """The defects found so far. `repair`: whether the run repairs what can be repaired."""

    repair: bool
    found: list[Defect] = field(default_factory=list)

    def add(self, kind: DefectKind, message: str, line: int | None = None, *, repairable: bool = True) -> bool:
        """Note a defect; True when grading goes on, because it is a warning or the run repairs it."""
        repaired = repairable and (kind in ALWAYS_REPAIRED or (self.repair and kind in REPAIRABLE))
        fatal = not repaired and kind not in WARNINGS
        self.found.append(Defect(kind=kind, message=message, line=line, fatal=fatal, repaired=repaired))
        return not fatal

    def warn(self, kind: DefectKind, message: str) -> None:
        """Note something that is not a reason to stop, whatever its kind."""
        self.found.append(Defect(kind=kind, message=message, fatal=False))

    @property
    def fatal(self) -> bool:
        return any(defect.fatal for defect in self.found)

    def sorted(self) -> tuple[Defect, ...]:
        """In the order of `DefectKind`, then by line; each defect once."""
        unique = dict.fromkeys(self.found)
        return tuple(sorted(unique, key=lambda defect: (_ORDER[defect.kind], defect.line or 0, defect.message)))


def shown(text: bytes | str) -> str:
    """Untrusted bytes or text for a message: printable, one line, not long."""
    words = text.decode("utf-8", "backslashreplace") if isinstance(text, bytes) else text
    clean = "".join(letter if letter.isprintable() else repr(letter)[1:-1] for letter in words)
    return clean if len(clean) <= 120 else f"{clean[:117]}..."
