"""The typed configuration of a snapshot."""

from datetime import date
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field

from testevo.config.base import DAY_SECONDS, Section
from testevo.config.rules import Rules
from testevo.config.solving import Solving
from testevo.records.base import each_once
from testevo.records.evidence.stability import Axis
from testevo.runtime.files.project import PROJECT


class ToleratedTest(Section):
    """A test that may be red without making a commit unusable, with the reason."""

    test: str = Field(description="`Class#method`, or `Class` for all its methods; shell wildcards allowed.")
    reason: str = Field(min_length=10, description="Why; appears in the records.")


class BuildOverrides(Section):
    """Settings that differ for one repository; they appear in its records."""

    jdk: int | None = Field(
        None, description="Feature version of the JDK to use, against the POM's; newer where it cannot build."
    )
    level: str | None = Field(None, description="Java level to compile for, against the declared one.")
    reason: str = Field("", description="Why the override is needed.")
    tolerated_tests: tuple[ToleratedTest, ...] = Field((), description="Tests that may be red.")


class ListedRepository(Section):
    """A repository of the source `list`."""

    name: str = Field(pattern=r"^[\w.-]+/[\w.-]+$", description="`owner/name`.")
    address: str | None = Field(
        None, description="Clone address, local git folder or bundle; without it `sources.mirror` is used."
    )
    start: str | None = Field(None, min_length=1, description="Tag, branch or commit to start the walk at.")
    overrides: BuildOverrides = Field(default_factory=BuildOverrides, description="Build overrides.")


class ListedReleases(Section):
    """Coordinates of the source `releases`."""

    coordinates: str = Field(pattern=r"^[\w.-]+:[\w.-]+$", description="`groupId:artifactId`.")
    versions: Annotated[tuple[Annotated[str, Field(pattern=r"^[\w.+-]+$")], ...], each_once("version")] = Field(
        min_length=2, description="Releases, oldest first."
    )
    overrides: BuildOverrides = Field(default_factory=BuildOverrides, description="Build overrides.")


class GithubSearch(Section):
    """The source `github`: repositories found by a search of GitHub, or named by a file, that pass the same checks."""

    stars: int = Field(500, ge=0, description="Least number of stars (TEB-M03).")
    forks: int = Field(0, ge=0, description="Least number of forks.")
    archived: bool = Field(True, description="Take archived repositories too.")
    size_kb: int | None = Field(None, ge=1, description="Largest size that GitHub tells, in KiB.")
    java_share: float = Field(0.0, ge=0, le=1, description="Least share of Java among the bytes of all languages.")
    licences: Literal["osi", "permissive"] | tuple[str, ...] = Field(
        "osi", description="Licences (TEB-M04): `osi` approved, the `permissive` among them, or a list of SPDX ids."
    )
    pushed_since: date | None = Field(None, description="The last push is of this UTC day or later.")
    created_until: date | None = Field(None, description="Created on this UTC day or before.")
    names: str | None = Field(
        None, description="File of `owner/name` to check in place of a search: CSV or JSON lines (docs/sources.md)."
    )
    lock: str | None = Field(
        None, description="File of what was found, to commit; by default `search/github.jsonl` of the snapshot."
    )
    requests: int = Field(2000, ge=1, description="The search stops, to be resumed, before it sends more requests.")
    api: str = Field("https://api.github.com", description="Address of the API.")


class Sources(Section):
    """Where histories come from."""

    worlds: tuple[str, ...] = Field((), description="Names of embedded histories; `all` for every one.")
    worlds_folder: str = Field("worlds", description="Folder of the embedded histories.")
    repositories: tuple[ListedRepository, ...] = Field((), description="The source `list`.")
    mirror: str | None = Field(
        None, description="Template of local clones for repositories without address: `<folder>/{owner}+{name}/repo`."
    )
    releases: tuple[ListedReleases, ...] = Field((), description="The source `releases`.")
    github: GithubSearch | None = Field(None, description="The source `github`; `{}` searches as the paper did.")

    @property
    def worlds_place(self) -> Path:
        """The folder of the embedded histories; a relative one that is not here is one of this project."""
        folder = Path(self.worlds_folder)
        return folder if folder.is_dir() else PROJECT / folder


class Build(Section):
    """How revisions are built."""

    engine: Literal["direct", "maven"] = Field("direct", description="`maven` is the slow reference.")
    java_homes: tuple[str, ...] = Field(
        (), description="Further JDK folders, searched first; one without a JDK ends the run."
    )
    preferred_jdks: tuple[int, ...] = Field(
        (),
        description="Choose only among JDKs of these feature versions, such as 17, where one of them is here. Grading "
        "takes those that its dataset was made with.",
    )
    mirror: str | None = Field(None, description="Maven mirror address for the generated settings.")
    offline: bool = Field(False, description="Never let Maven touch the network (`-o`).")
    level_override: str | None = Field(None, description="Compile everything for this Java level.")
    cache: str = Field(
        "results/cache",
        description="Folder of build models, class trees and local Maven repositories, keyed by content.",
    )
    seconds: int = Field(900, ge=1, le=DAY_SECONDS, description="Time limit of one build, in seconds.")
    memory_mb: int = Field(
        1024, ge=256, description="Largest heap of Maven, in MiB; a project's own (`.mvn/jvm.config`) does not count."
    )
    baseline_commits: int = Field(
        5, ge=0, description="One of so many newest kept commits must build, else others are `not_tried`; 0: try all."
    )
    certify: bool = Field(
        True,
        description="Show once for each way of building that `direct` ends as Maven and Surefire do, before it is "
        "believed (docs/builds.md).",
    )
    incremental: bool = Field(
        True, description="Compile only what a change can change, to the same bytes (docs/performance.md)."
    )


class Execution(Section):
    """How tests are run."""

    repeats: int = Field(
        3, ge=1, description="Runs of every execution of a kept candidate; all but the first vary `stability.axes`."
    )
    repeated_negatives: int = Field(
        20,
        ge=0,
        description="Unchanged tests of a repository that run as often as kept candidates, each alone, drawn by their "
        "content. The others ran once, in suites, and nothing says whether they are stable.",
    )
    method_seconds: int = Field(60, ge=1, le=DAY_SECONDS, description="Time limit of one test method, in seconds.")
    suite_seconds: int = Field(900, ge=1, le=DAY_SECONDS, description="Time limit of a suite, in seconds.")
    memory_mb: int = Field(1024, ge=64, description="Largest heap of a test JVM, in MiB.")
    output_kb: int = Field(1024, ge=1, description="Kept stdout and stderr of a run, in KiB per stream.")
    disk_mb: int = Field(2048, ge=16, description="What one run may write to the disk, in MiB (docs/sandboxes.md).")
    sandbox: Literal["auto", "bubblewrap", "docker", "apptainer", "unshare", "none"] = Field(
        "auto",
        description="What test JVMs run in (docs/sandboxes.md); `auto`: the best that works here. Where none keeps "
        "untrusted code from your files, it is refused; `none` is your consent to run it with your rights.",
    )
    container_image: str = Field(
        "testevo-sandbox", description="Image of the sandbox `docker`, known to the engine; JDKs are mounted into it."
    )
    container_engine: str | None = Field(
        None, description="Socket of Docker or Podman, such as `unix:///run/podman/podman.sock`; else DOCKER_HOST."
    )
    apptainer_image: str | None = Field(None, description="Image file or folder of the sandbox `apptainer`.")
    archive: bool = Field(
        True, description="Start test JVMs from archives of class data (Java 11 and later); changes no verdict."
    )
    selection: bool = Field(
        True,
        description="In suites, take over the verdicts of test classes whose inputs have not changed "
        "(docs/performance.md); never with `build.engine: maven`.",
    )
    instrument: Literal["all", "touched"] = Field(
        "all",
        description="Which tests run with the call probe: all at the new end of a pair, or only touched ones. "
        "Unchanged tests with changed dependencies (TEB-K03) need `all`.",
    )


class Stability(Section):
    """What repeated runs vary, so that a test that depends on it is found unstable (docs/execution.md)."""

    axes: tuple[Axis, ...] = Field(
        (Axis.TIME_ZONE, Axis.LOCALE, Axis.HASH),
        description="Varied at once by all runs of a kept candidate but the first; `[]`: nothing. "
        "`order` and `load` cost time; `date` and `jdk` need what the machine may lack.",
    )
    runs: int = Field(
        2, ge=0, description="Runs of the developer's test that vary all axes; where one fails, of each axis alone."
    )


class Machine(Section):
    """How much of the machine a run takes; changes no result."""

    processes: Literal["auto"] | Annotated[int, Field(ge=1)] = Field(
        "auto",
        description="Processes of one job, each with a warm compiler and one test JVM at a time. `auto`: one "
        "where there are repositories enough for all cores, else up to all cores, within memory.",
    )
    shard_minutes: float | None = Field(
        None,
        gt=0,
        description="On a cluster: cut a repository's builds, instrumented runs and executed triples into jobs of "
        "about so many minutes of processor time for all three (docs/clusters.md); null: one job each.",
    )


class Refactoring(Section):
    """Limits of refactoring detection."""

    seconds: int = Field(120, ge=1, le=DAY_SECONDS, description="Time limit per pair, in seconds.")
    memory_mb: int = Field(2048, ge=256, description="Heap of the detection JVM, in MiB.")


class Mutation(Section):
    """Mutants of the changed focal lines (TEB-V13 to V18)."""

    enabled: bool = Field(True, description="Make mutants for tasks, and run candidate tests against them.")
    per_file: int = Field(10, ge=1, description="Cap of mutants per mutated file and test method (TEB-V14).")
    seed: int = Field(0, description="Seed of the sample below the cap.")
    lines: Literal["changed", "focal"] = Field(
        "changed", description="`changed`: changed lines in focal methods; `focal`: all their lines."
    )
    runner: Literal["shared", "fresh"] = Field(
        "shared",
        description="`shared`: the mutants of a test method in one JVM, each in a fresh class loader; "
        "`fresh`: a JVM for each.",
    )
    factor: float = Field(
        4.0, gt=1, le=1000, description="Time limit of a mutant run: this times the unmutated run ..."
    )
    extra_seconds: float = Field(2.0, gt=0, le=DAY_SECONDS, description="... plus this, in seconds.")


FOLDER_NAME = r"^[A-Za-z0-9_.@-]+$"
"""A pattern of names that are the same on every file system and in every address."""
ControlName = Literal["gold", "empty", "unchanged", "trivial", "broken", "sabotage"]
CONTROLS: tuple[ControlName, ...] = ("gold", "empty", "unchanged", "trivial", "broken", "sabotage")


class Selection(Section):
    """The tasks that are asked for."""

    tasks: str = Field("*", description="Only tasks whose id matches one of these shell patterns, comma-separated.")
    track: Literal["both", "update", "generation"] = Field("both", description="Only tasks of this track.")
    since: date | None = Field(None, description="Only tasks whose new revision is of this UTC day or later.")
    until: date | None = Field(None, description="Only tasks whose new revision is before this UTC day.")
    active: bool = Field(
        False, description="Only active tasks, not quarantined ones, which are graded but not counted."
    )


class Evaluation(Selection):
    """Grading of candidate tests against a dataset."""

    dataset: str | None = Field(
        None, description="Dataset folder to grade against; without one, that of the snapshot mined here."
    )
    predictions: dict[str, str] = Field(
        default_factory=dict, description="Predictions file by name of the system (docs/predictions.md)."
    )
    controls: tuple[ControlName, ...] = Field(
        CONTROLS, description="Control submissions that are graded like every system."
    )
    build_seconds: int = Field(
        60, ge=1, description="Time limit of compiling a candidate on one revision, in seconds; past it, it fails."
    )
    repair: bool = Field(
        False, description="Repair more than fences and line counts of hunks (docs/predictions.md), and record it."
    )
    coverage: bool = Field(True, description="Measure focal line coverage of passing tests.")
    gold_runs: int = Field(3, ge=1, description="Runs of the developer's test before a task counts as stable.")
    cost_cap: float | None = Field(None, gt=0, description="Tasks that cost more, in US dollars, are harness failures.")
    mutation: Mutation = Field(default_factory=Mutation, description="Mutation analysis.")
    second_opinion: Literal["none", "pit"] = Field(
        "none",
        description="`pit`: also ask PIT about passing tests, and show in separate tables how far it "
        "agrees with the mutation scores (docs/mutation.md); no score depends on it.",
    )

    @property
    def asks_pit(self) -> bool:
        """Whether there is a second opinion."""
        return self.second_opinion == "pit"


class Analysis(Section):
    """How results are aggregated; changes no grade."""

    caps: tuple[float, ...] = Field((3.0, 1.0, 0.5), description="Cost caps of the operating points, in US dollars.")
    level: float = Field(0.95, gt=0.5, lt=1, description="Level of intervals.")
    seed: int = Field(0, ge=0, description="Seed of sign flips; equal seeds give equal numbers.")
    repository_cap: int | None = Field(
        None, ge=1, description="Also give averages where no repository counts for more than this many tasks."
    )
    least_methods: int = Field(20, ge=1, description="Windows with fewer methods show no rate (TEB-R04).")
    strict: bool = Field(False, description="Make no tables when some outcome cannot be (docs/grading.md).")


class Reproduction(Section):
    """The paper's tables from its released files (docs/reproduction.md)."""

    released: str | None = Field(None, description="Folder with leaderboard.json and index.json of the public site.")


class Config(Section):
    """A snapshot: what is mined, by which rules, with which limits."""

    snapshot: str = Field("demo", pattern=FOLDER_NAME, description="Name of the results folder.")
    results: str = Field("results", description="Folder of all results.")
    preset: str = Field("strict", pattern=r"^[\w-]+$", description="Name of a file in `config/presets`.")
    predecessor: str | None = Field(
        None,
        pattern=FOLDER_NAME,
        description="Snapshot in the same results folder whose finished work is taken over (docs/snapshots.md).",
    )
    lock: str | None = Field(
        None, description="Folder of lock files; once there, they pin what is mined (docs/snapshots.md)."
    )
    licence: str | None = Field(
        None, description="Licence that the dataset is published under, such as CC-BY-4.0; its datasheet names it."
    )
    sources: Sources = Field(default_factory=Sources, description="Sources of histories.")
    rules: Rules = Field(default_factory=Rules, description="The switches; set by the preset, changed here.")
    build: Build = Field(default_factory=Build, description="Builds.")
    execution: Execution = Field(default_factory=Execution, description="Runs.")
    stability: Stability = Field(default_factory=Stability, description="Variation of repeated runs.")
    machine: Machine = Field(default_factory=Machine, description="Use of the machine.")
    refactoring: Refactoring = Field(default_factory=Refactoring, description="Refactoring detection.")
    solving: Solving = Field(default_factory=Solving, description="Systems that solve tasks.")
    evaluation: Evaluation = Field(default_factory=Evaluation, description="Grading.")
    analysis: Analysis = Field(default_factory=Analysis, description="Aggregation.")
    reproduction: Reproduction = Field(default_factory=Reproduction, description="The paper's own numbers.")
