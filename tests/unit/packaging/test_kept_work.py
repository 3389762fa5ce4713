"""`testevo cache`: what is kept, and that pruning by age and size leaves alone what a run uses."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from testevo.cli import main
from testevo.config.load import load_config
from testevo.config.resolved import write_resolved
from testevo.config.snapshot.layout import Layout
from testevo.config.snapshot.lock import IN_USE, held_snapshot, unused_cache
from testevo.packaging.series.kept_work import kept_work, remove, to_remove
from testevo.runtime.errors import NotFoundError, UsageError, UserError

DAY = 86400.0
PATH = {"PYTHONPATH": str(Path(__file__).resolve().parents[3])}


@pytest.fixture
def results(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two dates of a series and one cache; the older a thing's number, the longer it was not used."""
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "results"
    for name, more in (("2026-01-01", {}), ("2026-02-01", {"predecessor": "2026-01-01"})):
        given = {"snapshot": name, "results": str(folder), "lock": f"{name}.lock", **more}
        write_resolved(load_config(given), folder / name / "config.json")
        for part in ("clone/o+r/history.bundle", "journals/build_check/o+r.jsonl", "graded/ab"):
            written(folder / name / part, days=50)
    for number in range(4):
        written(folder / f"cache/classes/a{number}/a{number}b/classes/A.class", days=10 * number)
    written(folder / "cache/maven/o__r/repository/a.jar", days=100)
    return folder


def written(file: Path, days: float) -> None:
    """A file of 8 KiB that was last used so many days ago."""
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(b"x" * 8192)
    now = file.stat().st_mtime - days * DAY
    for path in (file, *file.parents[:5]):
        os.utime(path, (now, now)) if "results/" in str(path) else None


def call(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> None:
    monkeypatch.setattr(sys, "argv", ["testevo", "cache", *arguments])
    main.invoke()


def names(results: Path) -> list[str]:
    return [str(one.path.relative_to(results)) for one in kept_work(results)]


def test_all_that_is_kept_is_shown_with_its_size(
    results: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    call(monkeypatch)
    rows = {line.split()[0]: line.split()[1] for line in capsys.readouterr().out.splitlines()[1:]}
    assert rows == {"classes": "4", "maven": "1", "clones": "2", "journals": "2", "graded": "2", "all": "11"}


def test_snapshots_of_other_versions_are_known_too(results: Path) -> None:
    """What old versions have left is what is pruned most."""
    config = results / "2026-02-01" / "config.json"
    config.write_text(config.read_text().replace('"predecessor"', '"key of another version": 1,\n "predecessor"'))
    assert len(kept_work(results)) == 11
    config.write_text("[]")
    with pytest.raises(UserError, match="cannot be read"):
        kept_work(results)


def test_the_old_is_removed_but_what_belongs_to_snapshots(
    results: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The newest date keeps its journals, which the next one takes over."""
    call(monkeypatch, "prune", "--older-than", "25d", "--dry-run")
    planned = capsys.readouterr().out
    assert len(names(results)) == 11
    call(monkeypatch, "prune", "--older-than", "25d")
    said = capsys.readouterr().out
    assert said.splitlines()[:-1] == planned.splitlines()[:-1]
    assert "Removed 5 of 11 things" in said
    assert names(results) == [
        *(f"cache/classes/a{number}/a{number}b" for number in range(3)),
        *(f"{date}/clone" for date in ("2026-01-01", "2026-02-01")),
        "2026-02-01/journals",
    ]
    assert not list(results.rglob(".removed-*"))


def test_journals_of_paid_runs_stay_whatever_their_age(results: Path) -> None:
    written(results / "2026-01-01/journals/solve/o+r@system.jsonl", days=500)
    journals = {one.path.parent.name: one.needed for one in kept_work(results) if one.kind == "journals"}
    assert journals["2026-01-01"] == "runs of agents were paid for"
    assert "2026-01-01/journals" not in [
        str(one.path.relative_to(results)) for one in to_remove(kept_work(results), 1e12, 0)
    ]


def test_what_a_killed_removal_left_is_removed_by_the_next(results: Path) -> None:
    (results / "2026-01-01" / "graded").rename(results / "2026-01-01" / ".removed-graded")
    (results / "cache/maven/o__r").rename(results / "cache/maven/.removed-o__r")
    left = [one for one in kept_work(results) if one.path.name.startswith(".removed-")]
    assert [(one.kind, remove(one)) for one in left] == [("maven", None), ("scratch", None)]
    assert not list(results.rglob(".removed-*"))


def test_the_longest_unused_is_removed_until_the_rest_is_small_enough(results: Path) -> None:
    kept = kept_work(results)
    total = sum(one.bytes for one in kept)
    chosen = to_remove(kept, None, total - 1)
    assert [one.path.name for one in chosen] == ["o__r"]
    assert to_remove(kept, None, total) == []


def test_nothing_that_a_run_uses_is_removed(results: Path) -> None:
    """Of a run by its lock of the cache, which ends with the process, and by that of its snapshot."""
    program = "from pathlib import Path; from testevo.config.snapshot.lock import use_cache; "
    program += f"use_cache(Path('{results}/cache')); "
    program += "print(flush=True); input()"
    with subprocess.Popen(
        [sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env={**os.environ, **PATH}
    ) as run:
        assert run.stdout and run.stdout.readline() == b"\n"
        free = {one.kind for one in to_remove(kept_work(results), float("inf"), None)}
        run.communicate(b"\n")
    assert free == {"journals", "graded"}
    with held_snapshot(Layout(results / "2026-02-01")):
        assert to_remove(kept_work(results), float("inf"), None) == []
    assert {"classes", "maven"} <= {one.kind for one in to_remove(kept_work(results), float("inf"), None)}


def test_a_run_waits_while_a_cache_is_pruned(results: Path) -> None:
    with unused_cache(results / "cache") as first, unused_cache(results / "cache") as second:
        assert (first, second) == (True, False)
    assert (results / "cache" / IN_USE).is_file()


@pytest.mark.parametrize(
    ("asked", "error"),
    [
        ([], UsageError),
        (["--older-than", "30"], UsageError),
        (["--larger-than", "20 miles"], UsageError),
        (["--older-than", "1d", "--results", "nowhere"], NotFoundError),
    ],
)
def test_what_cannot_be_meant_is_refused(
    results: Path, monkeypatch: pytest.MonkeyPatch, asked: list[str], error: type[Exception]
) -> None:
    with pytest.raises(error):
        call(monkeypatch, "prune", *asked)
    assert len(names(results)) == 11
