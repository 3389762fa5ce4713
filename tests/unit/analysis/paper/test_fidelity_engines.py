"""The configuration by which one commit of a mined repository is built by Maven alone."""

from testevo.analysis.paper.fidelity_engines import alone


def test_a_commit_of_one_repository_is_taken_from_a_snapshot_of_many() -> None:
    first = {"name": "o/first", "start": "v1", "overrides": {"jdk": 8}}
    second = {"name": "o/second", "start": "v2", "overrides": {"jdk": 11}}
    given = {
        "snapshot": "many",
        "rules": {"walk": {"limit": 300, "cutoff": "2026-01-01"}},
        "sources": {"repositories": [first, second], "mirror": "clones/{name}"},
    }
    found = alone(given, "o/second", "0123456789")
    assert found["sources"] == {"repositories": [{**second, "start": "0123456789"}], "mirror": "clones/{name}"}
    assert found["rules"]["walk"] == {"limit": 1, "collapse": "none", "cutoff": "2026-01-01"}
    assert given["sources"]["repositories"] == [first, second]
    names = {alone(given, name, "0123456789")["snapshot"] for name in ("o/first", "o/second")}
    assert names == {"many-o__first-0123456", "many-o__second-0123456"}
