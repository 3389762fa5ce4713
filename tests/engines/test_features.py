"""Features of Surefire and the compiler plugin: `direct` ends as Maven, or names why Surefire or Maven does."""

import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from testevo.execution.runner import TestRunner
from testevo.execution.runners.one_shot import OneShotRunner
from testevo.execution.runners.surefire import SurefireRunner
from testevo.records.methods import TestKey
from testevo.records.verdicts import Outcome, in_module
from tests.engines.both_engines import Said, engines
from tests.features.feature_page import PAGE, page
from tests.features.feature_projects import Served, all_reactors, write_reactor
from tests.features.jvm_differences import told, unlisted

REACTORS = all_reactors()
needs_maven = pytest.mark.skipif(shutil.which("mvn") is None, reason="Maven is not installed")


@dataclass(frozen=True)
class Both:
    """The reactor of the engine `direct`, built and tested both ways."""

    runs: OneShotRunner
    direct: Said
    reference: Said


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Both]:
    scratch = tmp_path_factory.mktemp("features")
    with engines(scratch) as both:
        direct, reference = both.both(write_reactor(REACTORS["direct"], scratch / "project"))
        yield Both(both.runs, direct, reference)


@pytest.mark.maven
@needs_maven
def test_direct_ends_as_maven(built: Both) -> None:
    direct, reference = built.direct, built.reference
    assert direct.result.fallback is None, direct.result.fallback
    assert direct.result.tree is not None, direct.result.reason
    assert not direct.result.tree.surefire, direct.result.tree.surefire
    expected = {feature.name: feature.tests for feature in REACTORS["direct"].features if feature.tests}
    assert reference.outcomes == expected
    assert direct.outcomes == expected
    assert direct.classes == reference.classes


@pytest.mark.maven
@needs_maven
def test_a_test_sees_the_jvm_of_surefire(built: Both) -> None:
    """But for the listed differences (`tests.features.jvm_differences`)."""
    assert not unlisted(_told(built.reference, SurefireRunner(built.runs)), _told(built.direct, built.runs))


def _told(by: Said, runner: TestRunner) -> dict[str, str]:
    assert by.result.tree is not None
    run = runner.run_method(
        by.result.tree, TestKey(module="jvm", path="src/test/java/ATest.java", type_name="ATest", name="tells")
    )
    assert run.outcome is Outcome.PASSED, run.message
    return told(run.stdout_bytes)


@pytest.mark.maven
@needs_maven
@pytest.mark.parametrize("name", ["surefire", "maven"])
def test_the_reason_is_named_where_only_surefire_or_maven_does_it_right(name: str, tmp_path: Path) -> None:
    reactor = REACTORS[name]
    with engines(tmp_path) as both:
        reasons = both.reasons(write_reactor(reactor, tmp_path / "project"))
    assert reasons == {feature.name: in_module(feature.why, feature.name) for feature in reactor.features}


def test_every_reactor_is_tested() -> None:
    assert {name: reactor.served_by for name, reactor in REACTORS.items()} == {
        "direct": Served.DIRECT,
        "maven": Served.MAVEN,
        "surefire": Served.SUREFIRE,
    }


def test_the_page_about_features_is_up_to_date() -> None:
    """`python -m tests.features.feature_page` rewrites it."""
    assert PAGE.read_text(encoding="utf-8") == page(REACTORS)
