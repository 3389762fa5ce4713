"""Every metric once: its key, its heading, what it means, where it comes from, when it is undefined.

Tables, the command `testevo report`, `report.json` and the table in `docs/metrics.md` all take their words from here.
"""

from dataclasses import dataclass
from typing import Literal

from testevo.records.tasks import Track

Better = Literal["up", "down"] | None


@dataclass(frozen=True)
class Metric:
    """A number between 0 and 1 (a difference: -1 and 1) per task, averaged over tasks (macro) or methods (micro)."""

    key: str
    title: str
    better: Better
    source: str
    """Requirement ids."""
    meaning: str
    """One line, the glossary."""
    undefined: str = "never; tasks without a graded method are out"
    tracks: tuple[Track, ...] = (Track.GENERATION, Track.UPDATE)
    signed: bool = False


def measured(stem: str, title: str, what: str, source: str, no_value: str) -> tuple[Metric, ...]:
    """The metrics of one measurement: wide and narrow, of candidate and developer, and both on passing methods."""
    whole = "in a run that was asked not to measure it"
    return (
        Metric(f"{stem}_pred", title, "up", source, f"{what}, methods without a value as 0 (wide)", whole),
        Metric(
            f"{stem}_pred_success",
            f"{title}OnPass",
            "up",
            source,
            f"{what}, mean over the passing methods that have a value (narrow)",
            no_value,
        ),
        Metric(
            f"{stem}_gold",
            f"{title}Human",
            None,
            source,
            f"developer's test: {what}, methods without a value as 0 (wide)",
            "the dataset has no such value",
        ),
        Metric(
            f"{stem}_gold_success",
            f"{title}HumanAll",
            None,
            source,
            f"developer's test: {what}, mean over all methods that have a value (narrow)",
            "no method has a developer's value",
        ),
        Metric(
            f"{stem}_gold_on_pass",
            f"{title}OnPassHuman",
            None,
            "TEB-V25",
            f"developer's test on the same passing methods: {what}",
            "no passing method has both values",
        ),
        Metric(
            f"{stem}_delta_on_pass",
            f"Δ{title}OnPass",
            "up",
            "TEB-V25",
            f"candidate minus developer on the same passing methods: {what}",
            "no passing method has both values",
            signed=True,
        ),
    )


RATES = (
    Metric("success", "Success", "up", "TEB-V02", "passes on the new code; generation: and fails on the old code"),
    Metric(
        "behavioural",
        "Behavioural",
        "up",
        "this project",
        "success that runs a focal line; generation: the old code fails by an assertion or exception",
    ),
    Metric(
        "redundant",
        "Redundant",
        "down",
        "TEB-V03",
        "passes on the new code and on the old code too",
        tracks=(Track.GENERATION,),
    ),
    Metric(
        "weakened",
        "Weakened",
        "down",
        "this project",
        "success that checks less than the old test did (docs/predictions.md)",
        tracks=(Track.UPDATE,),
    ),
    Metric("hollow", "Hollow", "down", "this project", "success that runs no line of its focal methods"),
    Metric(
        "unasserted",
        "Unasserted",
        "down",
        "this project",
        "success that no assertion ends on a mutant or on the old code, though it runs there",
    ),
    Metric(
        "suspect",
        "Suspect",
        "down",
        "this project",
        "success in a file that looks at its run or has members in reserve, or of a test that hides its coverage "
        "(`looks_around`, `has_reserves`, `hides_coverage` in docs/predictions.md)",
    ),
    Metric("exec_fail", "ExecFail", "down", "TEB-V04", "compiles and does not pass on the new code"),
    Metric("compile_fail", "CmplFail", "down", "TEB-V05", "does not compile on the new code"),
    Metric(
        "harness_fail",
        "HrnsFail",
        "down",
        "TEB-V06",
        "an empty answer was submitted, it cannot be applied, or it cost too much",
    ),
    Metric("missing", "Missing", "down", "this project", "the system has no prediction for the task"),
    Metric("pass", "Pass", "up", "TEB-V07", "passes on the new code, whatever it does on the old code"),
    Metric("compiles", "Compiles", "up", "public site", "the test compiles on the new code, passing or not"),
)

NO_LINES = "no passing method has focal lines with data"
NO_MUTANTS = "no passing method has a mutant"

MEASURES = {
    "coverage": measured(
        "coverage", "Cov", "share of focal lines covered, of all lines in the range", "TEB-V10", NO_LINES
    ),
    "coverage_executable": measured(
        "coverage_executable",
        "CovExec",
        "share of focal lines covered, of the lines that have byte code",
        "this project",
        NO_LINES,
    ),
    "mutation_score": measured(
        "mutation_score", "Mut", "share of mutants killed, every way of not passing kills", "TEB-V19", NO_MUTANTS
    ),
    "mutation_score_strict": measured(
        "mutation_score_strict",
        "MutStrict",
        "share of distinct mutants killed by an assertion or exception",
        "this project",
        NO_MUTANTS,
    ),
    "mutation_score_asserted": measured(
        "mutation_score_asserted", "MutAssert", "share of mutants killed by an assertion", "this project", NO_MUTANTS
    ),
}
"""By stem; the first and third are the paper's."""

METRICS: tuple[Metric, ...] = (*RATES, *(metric for group in MEASURES.values() for metric in group))
BY_KEY = {metric.key: metric for metric in METRICS}

PARTITION = ("success", "redundant", "exec_fail", "compile_fail", "harness_fail", "missing")
"""The shares that sum to one (TEB-V01)."""
FAILURE_RATES = ("exec_fail", "compile_fail", "harness_fail", "redundant")

LEADERBOARD_FIELDS = tuple(
    f"{stem}_{who}{flavour}"
    for stem in ("coverage", "mutation_score")
    for who in ("pred", "gold")
    for flavour in ("", "_success")
)
"""The eight fields of the released results (TEB-V23)."""


def metrics_of(track: Track) -> tuple[Metric, ...]:
    return tuple(metric for metric in METRICS if track in metric.tracks)


def glossary_lines(keys: tuple[str, ...]) -> list[str]:
    """One line per column: `Success: passes on ...`."""
    return [f"{BY_KEY[key].title}: {BY_KEY[key].meaning}" for key in keys]
