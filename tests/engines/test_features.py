"""Features of Surefire and the compiler plugin: `direct` ends as Maven, or names why Surefire runs the tests."""

import shutil
from pathlib import Path

import pytest

from tests.engines.both_engines import engines
from tests.features.feature_page import PAGE, page
from tests.features.feature_projects import Served, all_reactors, write_reactor

REACTORS = all_reactors()
needs_maven = pytest.mark.skipif(shutil.which("mvn") is None, reason="Maven is not installed")


@pytest.mark.maven
@needs_maven
def test_direct_ends_as_maven(tmp_path: Path) -> None:
    reactor = REACTORS["direct"]
    with engines(tmp_path) as both:
        direct, reference = both.both(write_reactor(reactor, tmp_path / "project"))
    assert direct.result.fallback is None, direct.result.fallback
    assert direct.result.tree is not None, direct.result.reason
    assert direct.result.tree.surefire is None, direct.result.tree.surefire
    expected = {feature.name: feature.tests for feature in reactor.features if feature.tests}
    assert reference.outcomes == expected
    assert direct.outcomes == expected
    assert direct.classes == reference.classes


@pytest.mark.maven
@needs_maven
def test_the_reason_is_named_where_only_surefire_does_it_right(tmp_path: Path) -> None:
    reactor = REACTORS["surefire"]
    with engines(tmp_path) as both:
        reasons = both.surefire_reasons(write_reactor(reactor, tmp_path / "project"))
    assert reasons == {feature.name: feature.why for feature in reactor.features}


def test_every_reactor_is_tested() -> None:
    assert {name: reactor.served_by for name, reactor in REACTORS.items()} == {
        "direct": Served.DIRECT,
        "surefire": Served.SUREFIRE,
    }


def test_the_page_about_features_is_up_to_date() -> None:
    """`python -m tests.features.feature_page` rewrites it."""
    assert PAGE.read_text(encoding="utf-8") == page(REACTORS)
