"""The page that goes with a dataset; every number on it is counted from the data."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from testevo.config.base import Section
from testevo.config.model import Config
from testevo.config.rules import Rules
from testevo.records.base import without_citations
from testevo.records.executions import Combination
from testevo.records.labels import Label
from testevo.records.repository import Repository
from testevo.records.tasks import FunnelStage, Task, Track
from testevo.runtime.clock import utc_date

SWAPPED = {Track.UPDATE: Combination.OLD_TEST_NEW_CODE, Track.GENERATION: Combination.NEW_TEST_OLD_CODE}


def datasheet(
    config: Config,
    tasks: Sequence[Task],
    labels: Iterable[Label],
    funnel: Sequence[FunnelStage],
    repositories: Sequence[Repository],
    served: Mapping[tuple[str, str], int],
) -> str:
    """The datasheet as Markdown."""
    sections = [
        f"# Datasheet of the snapshot `{config.snapshot}`\n",
        _purpose(),
        _composition(tasks),
        _collection(config),
        _engines(config, served),
        _verdicts(labels),
        _funnel(funnel),
        _developers_tests(tasks),
        _limits(tasks),
        _licences(config, tasks, repositories),
    ]
    return "\n".join(sections)


def _purpose() -> str:
    return (
        "## What this is\n\n"
        "Moments in the histories of Java projects where production code and tests evolved together, proven by\n"
        "execution. An *update* task holds tests that pass before a code change and no longer afterwards, with their\n"
        "adapted versions. A *generation* task holds new tests that pass on the new code and not on the old one.\n"
    )


def _composition(tasks: Sequence[Task]) -> str:
    rows = []
    for repository in sorted({t.repository for t in tasks}):
        for track in Track:
            own = [t for t in tasks if (t.repository, t.track) == (repository, track)]
            if own:
                rows.append((repository, track.value, len(own), _tests(own), _dates(own)))
    for track in Track:
        own = [t for t in tasks if t.track == track]
        rows.append(("all", track.value, len(own), _tests(own), _dates(own)))
    header = ("repository", "track", "tasks", "test methods", "dates of the new revisions")
    return "## Composition\n\n" + _table(header, rows)


def _collection(config: Config) -> str:
    rows = [
        (f"`{name}.{key}`", f"`{_shown(getattr(section, key))}`", without_citations(str(field.description)))
        for name, section in _sections(config.rules)
        for key, field in type(section).model_fields.items()
    ]
    varied = ", ".join(config.stability.axes) or "nothing"
    runs = (
        f"Every execution of a kept candidate was run {config.execution.repeats} times, all but the first with other "
        f"values of: {varied}. Unstable ones are dropped. So it was with up to "
        f"{config.execution.repeated_negatives} negatives of a repository; others ran once at each end, in the suite.\n"
    )
    return (
        f"## How it was collected\n\nPreset `{config.preset}`, which sets these rules:\n\n"
        + _table(("rule", "value", "meaning"), rows)
        + f"\n{runs}"
    )


def _engines(config: Config, served: Mapping[tuple[str, str], int]) -> str:
    rows = [(who, why, commits) for (who, why), commits in sorted(served.items())]
    return (
        f"Commits compiled, by what is known of the engine `{config.build.engine}` or by who served them instead:\n\n"
        + _table(("served", "why", "commits"), rows)
    )


def _sections(rules: Rules) -> list[tuple[str, Section]]:
    return [(name, getattr(rules, name)) for name in type(rules).model_fields]


def _shown(value: object) -> str:
    return ", ".join(map(str, value)) if isinstance(value, tuple) else str(value)


def _verdicts(labels: Iterable[Label]) -> str:
    counts = Counter((label.label, label.reason) for label in labels)
    rows = sorted(
        (label.value, reason.value if reason else "", number, (reason or label).doc)
        for (label, reason), number in counts.items()
    )
    return "## Verdicts over all candidates\n\n" + _table(("label", "reason", "test methods", "meaning"), rows)


def _funnel(funnel: Sequence[FunnelStage]) -> str:
    rows = [
        (stage.stage, stage.unit, stage.entered, count.reason or "went on", count.count)
        for stage in funnel
        for count in stage.left
    ]
    return "## Funnel\n\n" + _table(("stage", "unit", "entered", "reason", "count"), rows)


def _developers_tests(tasks: Sequence[Task]) -> str:
    rows = []
    for track in Track:
        tests = [one for task in tasks if task.track == track and not task.quarantined for one in task.tests]
        scores = [one.gold_mutation for one in tests if one.gold_mutation is not None and one.gold_mutation.mutants]
        rows.append(
            (
                track.value,
                len(tests),
                sum(one.gold_coverage is not None for one in tests),
                len(scores),
                sum(score.mutants for score in scores),
                sum(score.killed for score in scores),
            )
        )
    quarantined = [(task.task_id, task.quarantined) for task in tasks if task.quarantined]
    header = ("track", "test methods", "with focal coverage", "with mutants", "mutants, summed", "killed, summed")
    return (
        "## What the developers' tests reach\n\n"
        "Each was graded like a candidate, several times. Those that are no success every time are quarantined: "
        f"{len(quarantined)} tasks, which are in the files and in no aggregate.\n\n"
        + _table(header, rows)
        + ("\n" + _table(("quarantined task", "why"), quarantined) if quarantined else "")
    )


def _limits(tasks: Sequence[Task]) -> str:
    lines = []
    for track in Track:
        own = [t for t in tasks if t.track == track]
        if not own:
            continue
        combination = SWAPPED[track].value
        outcomes = [e.outcomes[combination] for t in own for e in t.tests if combination in e.outcomes]
        compile_errors = sum(outcome.compile_error for outcome in outcomes)
        name, largest = Counter(t.repository for t in own).most_common(1)[0]
        lines += [
            f"- {track.value}: {compile_errors} of {len(outcomes)} runs of `{combination}` end in a compile error, "
            f"not in a failing test.",
            f"- {track.value}: {name} holds {largest} of {len(own)} tasks.",
        ]
    in_many = Counter((t.repository, e.test) for t in tasks for e in t.tests)
    ids = Counter((t.task_id, t.track) for t in tasks)
    lines += [
        f"- {sum(number > 1 for number in in_many.values())} of {len(in_many)} test methods are in several tasks.",
        f"- {sum(number > 1 for number in ids.values())} task ids are shared by tasks of one track.",
        "- Only Maven projects with JUnit tests; time gaps, usable commits and test kinds as the rules above say.",
    ]
    return "## Limits\n\n" + "\n".join(lines) + "\n"


def _licences(config: Config, tasks: Sequence[Task], repositories: Sequence[Repository]) -> str:
    """Those of the repositories that have tasks, and of the collection where one was configured."""
    with_tasks = {task.repository for task in tasks}
    rows = [
        (one.name, one.licence or "not recorded", one.licence_origin or "", one.clone_url or one.clone_url_reason or "")
        for one in sorted(repositories, key=Repository.sort_key)
        if one.name in with_tasks
    ]
    published = f"The collection is published under {config.licence}. " if config.licence else ""
    return f"## Licences\n\n{published}Sources keep the licence of their repository:\n\n" + _table(
        ("repository", "licence", "said by", "clone address"), rows
    )


def _tests(tasks: Iterable[Task]) -> int:
    return sum(len(task.tests) for task in tasks)


def _dates(tasks: Sequence[Task]) -> str:
    days = sorted(str(utc_date(task.new_time)) for task in tasks)
    return f"{days[0]} to {days[-1]}" if days else "none"


def _table(header: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    lines = [header, ["---"] * len(header), *rows]
    return "".join("| " + " | ".join(str(cell).replace("|", "\\|") for cell in line) + " |\n" for line in lines)
