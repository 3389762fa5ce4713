"""Tables of `testevo plan`."""

from collections.abc import Sequence
from io import StringIO

from rich.console import Console
from rich.table import Table

from testevo.analysis.planning.cost_model import CostModel
from testevo.analysis.planning.grading import GradingPlan
from testevo.analysis.planning.limits import Simulated
from testevo.analysis.planning.plan import LOSS_PER_PROCESS, START_SECONDS, Plan, StagePlan
from testevo.analysis.planning.schedule import Schedule, critical_path

WIDTH = 150


def plan_text(
    plan: Plan, model: CostModel, simulated: Sequence[Simulated], pilot: tuple[int, Schedule], heading: str
) -> str:
    parts: list[str | Table] = [
        heading,
        basis(model),
        "",
        stage_table(plan),
        "",
        space_lines(plan),
        "",
        schedule_table(plan, simulated),
        pilot_line(*pilot),
    ]
    for one in simulated:
        parts += ["", check_table(one)]
    return shown(*parts)


def shown(*parts: str | Table) -> str:
    """Lines and tables as text, the same on every terminal."""
    text = StringIO()
    console = Console(width=WIDTH, file=text, force_terminal=False, color_system=None, legacy_windows=False)
    for part in parts:
        console.print(part, highlight=False if isinstance(part, str) else None)
    return "\n".join(line.rstrip() for line in text.getvalue().splitlines()) + "\n"


def table_of(first: str, *numbers: str) -> Table:
    """An empty table: a column of text, then columns of numbers."""
    table = Table(first, box=None, pad_edge=False)
    for column in numbers:
        table.add_column(column, justify="right")
    return table


def basis(model: CostModel) -> str:
    """The measurements below the numbers."""
    on = model.measured_on
    jdks = ", ".join(map(str, on.jdks))
    kinds = ", ".join(one.name for one in model.patterns)
    return (
        f"From {len(model.repositories)} measured repositories and {model.embedded} embedded histories "
        f"({on.processor}, {on.cores} cores, JDK {jdks}, {on.date}).\n"
        f"Each repository is taken to be like {kinds}, in turn. A job starts {START_SECONDS:.0f} s late; "
        f"each further process of a job costs {LOSS_PER_PROCESS:.0%}."
    )


def stage_table(plan: Plan) -> Table:
    numbers = ("jobs", "cores", "median min", "longest min", "core-hours", "memory GiB", "disk GB", "files")
    table = table_of("rule", *numbers)
    for stage in plan.stages:
        table.add_row(*stage_row(stage))
    memory = max(stage.memory_mb for stage in plan.stages) / 1024
    files = sum(stage.files for stage in plan.stages)
    space = sum(stage.bytes for stage in plan.stages) / 1e9
    table.add_row(
        "all",
        f"{len(plan.jobs):,}",
        "",
        "",
        "",
        f"{plan.core_hours:,.1f}",
        f"{memory:.1f}",
        f"{space:,.1f}",
        f"{files:,.0f}",
    )
    return table


def stage_row(stage: StagePlan) -> list[str]:
    return [
        stage.stage,
        f"{len(stage.seconds):,}",
        str(stage.cores),
        f"{stage.median_minutes:.1f}",
        f"{stage.longest_minutes:.1f}",
        f"{stage.core_hours:,.1f}",
        f"{stage.memory_mb / 1024:.1f}",
        f"{stage.bytes / 1e9:,.2f}",
        f"{stage.files:,.0f}",
    ]


def space_lines(plan: Plan) -> str:
    return (
        f"The shared cache takes {plan.cache_bytes / 1e9:,.1f} GB in {plan.cache_files:,.0f} files; with it all take "
        f"{plan.bytes / 1e9:,.1f} GB in {plan.files:,.0f} files.\n"
        f"The dataset and what it was made from (package) take {plan.kept_bytes / 1e9:,.2f} GB in "
        f"{plan.kept_files:,.0f} files."
    )


def schedule_table(plan: Plan, simulated: Sequence[Simulated]) -> Table:
    numbers = ("running jobs", "cores", "queue", "makespan h", "at least h", "use of cores", "most queued")
    table = table_of("cluster", *numbers)
    least = critical_path(plan.jobs) / 3600
    for one in simulated:
        found, machine = one.schedule, one.machine
        table.add_row(
            one.cluster.name,
            str(machine.running),
            str(machine.cores),
            str(machine.queue),
            f"{found.makespan / 3600:.2f}",
            f"{max(least, found.core_seconds / machine.cores / 3600):.2f}",
            f"{found.utilisation:.0%}",
            str(found.longest_queue),
        )
    return table


def pilot_line(cores: int, found: Schedule) -> str:
    return (
        f"Inside one allocation of {cores} cores (pilot profile, no shards, one process a job): "
        f"{found.makespan / 3600:.2f} h, {found.core_seconds / 3600:,.1f} core-hours of jobs, "
        f"{found.utilisation:.0%} of the cores used."
    )


def check_table(one: Simulated) -> Table:
    table = Table(one.cluster.name, "", box=None, pad_edge=False)
    for column in ("planned", "limit"):
        table.add_column(column, justify="right", no_wrap=True)
    table.add_column("page")
    table.add_column("next step")
    for check in one.checks:
        verdict = "ok" if check.holds else "exceeded"
        table.add_row(check.what, verdict, check.planned, check.limit, check.page, check.next_step)
    return table


def grading_text(found: GradingPlan, model: CostModel) -> str:
    """A plan of grading, with what is known of its error."""
    on = model.measured_on
    if found.error is None or found.largest_error is None:
        error = "The error is not known: no real repository of the fit was graded."
    else:
        error = (
            f"Of {found.graded} real repositories, each left out of the fit in turn, the estimate is off by "
            f"{found.error:+.0%} together and by {found.largest_error:+.0%} at most."
        )
    none = "" if found.mutants else "The fit has no mutants of real repositories, so their time is left out.\n"
    return (
        f"{found.tasks:,} tasks of {found.repositories:,} repositories, {found.mutants:.1f} mutants each, "
        f"{found.systems} systems: {found.core_hours:,.1f} core-hours in {found.repositories * found.systems:,} jobs\n"
        f"({on.processor}, {on.cores} cores, {on.date}; the start of jobs is left out).\n{error}\n{none}"
    )


def fit_text(model: CostModel) -> str:
    """How well a new model fits."""
    table = Table("stage", "seconds of processor time", box=None, pad_edge=False)
    table.add_column("rows", justify="right")
    table.add_column("median residual s", justify="right")
    for name, stage in model.stages.items():
        per_unit = stage.seconds.per_unit.items()
        terms = [f"{stage.seconds.fixed:g}", *(f"{cost:g} x {unit}" for unit, cost in per_unit if cost)]
        table.add_row(name, " + ".join(terms), str(stage.seconds.rows), f"{stage.seconds.residual:g}")
    left_out = table_of("left out", "measured s", "from its work units s", "error", "from its commits s", "error")
    for one in model.repositories:
        left_out.add_row(
            one.name,
            f"{one.seconds:.0f}",
            f"{one.predicted:.0f}",
            f"{one.predicted / one.seconds - 1:+.0%}",
            f"{one.predicted_by_commits:.0f}",
            f"{one.predicted_by_commits / one.seconds - 1:+.0%}",
        )
    numbers = ("systems", "tasks", "mutants", "measured s", "from its work units s", "error")
    graded = table_of("grading, left out", *numbers)
    for two in model.graded:
        counts = [f"{two.systems}", *(f"{two.units[unit]:g}" for unit in ("tasks", "mutants"))]
        error = f"{two.predicted / two.seconds - 1:+.0%}"
        graded.add_row(two.name, *counts, f"{two.seconds:.0f}", f"{two.predicted:.0f}", error)
    return shown(table, "", left_out) + (shown("", graded) if model.graded else "")
