"""The switches of mining. A preset is a YAML file that sets them; no code asks for a preset's name."""

from datetime import date
from typing import Literal

from pydantic import Field, field_validator

from testevo.config.base import Section
from testevo.records.methods import TestKind

CheckPlugin = Literal[
    "animal-sniffer-maven-plugin",
    "apache-rat-plugin",
    "clirr-maven-plugin",
    "japicmp-maven-plugin",
    "license-maven-plugin",
    "maven-checkstyle-plugin",
    "maven-enforcer-plugin",
    "maven-pmd-plugin",
    "modernizer-maven-plugin",
    "revapi-maven-plugin",
    "spotbugs-maven-plugin",
]
"""Plugins that look at a project and change nothing; `config/plugin-skips.yaml` switches them off."""


class WalkRules(Section):
    """Rules for the commits that are walked, and for those that can be ends of pairs."""

    start: Literal["newest_tag", "default_branch"] = Field(
        "newest_tag", description="Where the walk starts when a repository names no start itself."
    )
    order: Literal["first_parent", "committer_date"] = Field(
        "first_parent", description="First parents only, or the order of `git log` with merges and side branches."
    )
    cutoff: str = Field(
        "2026-01-01",
        pattern=r"^\d{4}-\d\d-\d\d$",
        description="Commits with a committer date on or after this UTC day are left out (TEB-M11).",
    )
    limit: int = Field(
        300, ge=1, le=1_000_000_000, description="How many commits before the cutoff are walked (TEB-M11)."
    )
    least_java_level: int | None = Field(
        8,
        ge=1,
        description="Repositories whose build files declare an older Java level where the walk starts are rejected; "
        "null for none (TEB-M07). A level that the configuration overrides counts instead of the declared one.",
    )
    collapse: Literal["newest_of_equal_java", "java_change_ends", "none"] = Field(
        "java_change_ends",
        description="Keep the newest of neighbours with equal Java files; or only commits that change a Java file "
        "against their first parent, and those parents; or all.",
    )

    @field_validator("cutoff")
    @classmethod
    def _require_day(cls, cutoff: str) -> str:
        try:
            date.fromisoformat(cutoff)
        except ValueError as error:
            raise ValueError(f"no day of the calendar ({error})") from error
        return cutoff


class PairRules(Section):
    """Rules for the commits that form a pair, and how far apart they may be."""

    usability: Literal["all_tests_pass", "tests_run"] = Field(
        "tests_run",
        description="A usable commit has only passing tests; or runs at least one test, with one passing and no runner "
        "error.",
    )
    required_checks: tuple[CheckPlugin, ...] = Field(
        (),
        description="Plugins that a usable commit must pass, too, as far as the build binds them to the phase "
        "`test-compile` or an earlier one. Builds, and variants of them, switch them off.",
    )
    pairing: Literal["first_parent_adjacent", "surviving_neighbours"] = Field(
        "first_parent_adjacent",
        description="A commit and its first parent, both usable; or neighbours among the usable kept commits.",
    )
    ancestors_only: bool = Field(True, description="Drop pairs whose old end is not an ancestor of the new end.")
    join: Literal["none", "code_then_test"] = Field(
        "none", description="Join a test change with the most recent change of a method it calls."
    )
    gap_clock: Literal["committer", "author"] = Field("committer", description="Which time the gap is.")
    gap_hours: float | None = Field(
        12,
        ge=0,
        description="Longest time between the ends, in hours; null for no limit (TEB-X12). Not applied to the source "
        "`releases`, whose commits lie months apart.",
    )


class ChangeRules(Section):
    """Rules for what counts as changed, and for the methods that a test depends on."""

    changed_means: Literal["text", "byte_code", "text_and_byte_code"] = Field(
        "text_and_byte_code",
        description="Comment-free token text, byte code without debug data and annotations, or both must differ.",
    )
    test_annotations: bool = Field(
        True, description="A test is modified when its annotations, or those of its classes, alone differ."
    )
    test_kinds: tuple[TestKind, ...] = Field(tuple(TestKind), description="Kinds of tests that become candidates.")
    top_level_class_only: bool = Field(
        False, description="Only tests of the top-level class named like its file, without parameters, returning void."
    )
    moved_counts_as_absent: bool = Field(
        False, description="A test that another class declared at the old revision counts as absent there."
    )
    through_helpers: bool = Field(
        True, description="Methods called through helpers in the test tree are direct callees too."
    )
    through_threads: bool = Field(
        True, description="Calls from `run` or `call` of a test class in another thread count as direct."
    )
    through_lambdas: bool = Field(
        True, description="Methods called only through lambdas in the text of the test are direct callees too."
    )
    through_bridges: bool = Field(
        True,
        description="Methods called only through bridges, which the compiler makes for generic supertypes, "
        "other return types and hidden super classes, are direct callees too.",
    )
    lost_dependencies: bool = Field(
        False,
        description="Leave out callees of the kinds that the released data lost, and removed methods where the test "
        "calls nothing at the new revision that its sources declare.",
    )
    modified_old_callees: bool = Field(
        False, description="Modified methods that only the old test calls, on the old code, are dependencies too."
    )
    merge_removed_overloads: bool = Field(
        False, description="Leave out a removed overload when one of the same class and name is inserted or modified."
    )


class SwapRules(Section):
    """How an old test meets new code, and a new test old code."""

    test_swap: Literal["file", "method_splice"] = Field(
        "file", description="Swap the whole test file, or splice the text of one method."
    )
    old_tree: Literal["clean", "keep_added"] = Field(
        "clean", description="The old revision as it was, or with the production files that the new one adds."
    )
    missing_old_file: Literal["run", "counts_as_failing"] = Field(
        "run", description="When the test file is absent at the old revision: add it and run, or count it as failing."
    )
    time_outs: Literal["confirm", "count_as_failing"] = Field(
        "confirm",
        description="A test that passes its time limit on the other revision's code is run again with twice the limit, "
        "and that outcome counts, since slower code proves nothing; or it counts as failing.",
    )


class FilterRules(Section):
    """Rules for candidates that are dropped before any execution."""

    helpers: Literal["reached", "called", "any_test_change", "none"] = Field(
        "reached",
        description="Drop a test when something it reaches in the test tree differs: methods, constructors, fields, "
        "fixtures, super classes, test resources; or when it calls a changed or new method there directly, not from "
        "lambdas alone; or when any other test file changed; or never (TEB-X09).",
    )
    refactoring: Literal["pure", "declaration", "none"] = Field(
        "pure",
        description="Drop when the test or the code change is nothing but refactoring; or, for updates, when a "
        "refactoring has the test's own declaration among its locations; or never (TEB-X10, X11).",
    )
    refactored_dependencies: bool = Field(
        False,
        description="Drop when every changed method that the test calls is modified, and declared where it now lies in "
        "a refactoring, whatever else changed in it; refactorings of annotations and modifiers do not count.",
    )
    moves: bool = Field(
        True, description="Drop class and package moves and renames with an equal normalised syntax tree."
    )
    lost_output: bool = Field(
        False,
        description="Drop tests that leave `System.out` null: the harness behind the released data printed there.",
    )
    console_launcher: bool = Field(
        False,
        description="Drop tests that the console launcher of JUnit 5.8 does not pass: the harness behind the released "
        "data loaded projects by a class loader of its own, below an older JUnit.",
    )
    collateral_compile_errors: Literal["drop", "count_as_failing"] = Field(
        "drop",
        description="A compile error outside the test method drops the candidate, or counts as the test failing.",
    )


class Rules(Section):
    """All switches that a preset sets."""

    walk: WalkRules = Field(default_factory=WalkRules, description="Walk.")
    pairs: PairRules = Field(default_factory=PairRules, description="Pairs.")
    changes: ChangeRules = Field(default_factory=ChangeRules, description="Changes.")
    swap: SwapRules = Field(default_factory=SwapRules, description="Swaps.")
    filters: FilterRules = Field(default_factory=FilterRules, description="Filters.")
