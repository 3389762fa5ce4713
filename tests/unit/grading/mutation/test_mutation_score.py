"""Two scores that close, and an archive that can be trusted (TEB-V18 to V20, K09, E15)."""

import hashlib
import zipfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from testevo.grading.mutation.mutant_archive import read_archive, write_archive
from testevo.grading.mutation.mutation_score import STRICT_KILLS, mutation_score
from testevo.records.evidence.mutants import Mutant, MutantFate, MutantRun
from testevo.runtime.errors import UserError


@st.composite
def kill_sets(draw: st.DrawFn) -> tuple[list[MutantRun], list[Mutant]]:
    mutants, runs = [], []
    for number in range(draw(st.integers(0, 12))):
        kind = draw(st.sampled_from(["new", "new", "equivalent", "duplicate"]))
        firsts = [one.mutant for one in mutants if not one.equivalent and one.duplicate_of is None]
        mutants.append(
            Mutant(
                task_id="t",
                mutant=f"m{number:02}",
                path="A.java",
                first_line=draw(st.integers(1, 5)),
                original="a",
                mutated="b",
                classes={},
                equivalent=kind == "equivalent",
                duplicate_of=draw(st.sampled_from(firsts)) if kind == "duplicate" and firsts else None,
            )
        )
    for mutant in mutants:
        if draw(st.booleans()) or draw(st.booleans()):
            runs.append(MutantRun(mutant=mutant.mutant, fate=draw(st.sampled_from(list(MutantFate)))))
    return runs, mutants


@given(kill_sets())
def test_scores_close_and_strict_is_part_of_paper(found: tuple[list[MutantRun], list[Mutant]]) -> None:
    """killed = sum of the ways to be killed; mutants = killed + survived + not covered; undefined is not 0."""
    runs, mutants = found
    score = mutation_score(runs, mutants)
    assert score.closes
    assert score.mutants == len(runs)
    assert score.killed == sum(run.fate.killed for run in runs)
    assert score.strict_mutants <= score.mutants
    assert score.strict_killed <= min(score.strict_mutants, score.killed)
    assert score.strict_killed <= sum(run.fate in STRICT_KILLS for run in runs)
    assert (score.paper is None) == (not runs)
    assert (score.strict is None) == (score.strict_mutants == 0)
    assert score == mutation_score(list(reversed(runs)), list(reversed(mutants)))


def test_a_score_without_mutants_is_undefined() -> None:
    """TEB-V20."""
    assert mutation_score([], []).paper is None
    assert mutation_score([], []).strict is None


def test_duplicates_count_once_and_equivalents_never_in_strict() -> None:
    """A duplicate whose first mutant is not in the kill set stands for itself."""
    same = Mutant(
        task_id="t", mutant="b", path="A", first_line=2, original="", mutated="", classes={}, duplicate_of="a"
    )
    other = same.model_copy(update={"mutant": "c"})
    nothing = same.model_copy(update={"mutant": "d", "duplicate_of": None, "equivalent": True})
    runs = [MutantRun(mutant=name, fate=MutantFate.KILLED_BY_ASSERTION) for name in "bc"]
    runs.append(MutantRun(mutant="d", fate=MutantFate.SURVIVED))
    score = mutation_score(runs, [same, other, nothing])
    assert (score.killed, score.mutants, score.strict_killed, score.strict_mutants) == (2, 3, 1, 1)


def test_runs_of_unknown_mutants_are_refused() -> None:
    run = MutantRun(mutant="x", fate=MutantFate.SURVIVED)
    with pytest.raises(ValueError, match="unknown"):
        mutation_score([run], [])


CLASSES = {"m1": {"a.B$1": b"one", "a.B": b"two"}, "m2": {"a.B": b""}, "m3": {}}


def recorded() -> list[Mutant]:
    return [
        Mutant(
            task_id="t",
            mutant=name,
            path="B.java",
            first_line=1,
            original="",
            mutated="",
            classes={binary: hashlib.sha256(content).hexdigest() for binary, content in files.items()},
        )
        for name, files in CLASSES.items()
    ]


def test_an_archive_is_the_same_bytes_every_time_and_reads_back(tmp_path: Path) -> None:
    """Whatever the order in which mutants and classes come (TEB-K09)."""
    turned = {name: dict(reversed(files.items())) for name, files in reversed(CLASSES.items())}
    write_archive(tmp_path / "one.zip", CLASSES)
    write_archive(tmp_path / "two.zip", turned)
    assert (tmp_path / "one.zip").read_bytes() == (tmp_path / "two.zip").read_bytes()
    assert read_archive(tmp_path / "one.zip", recorded()) == CLASSES
    with zipfile.ZipFile(tmp_path / "one.zip") as archive:
        assert archive.namelist() == ["m1/a.B$1.class", "m1/a.B.class", "m2/a.B.class"]


@pytest.mark.parametrize("harm", ["changed", "missing", "no zip", "gone"])
def test_a_damaged_archive_is_refused(harm: str, tmp_path: Path) -> None:
    """Systems are never run against other mutants than those of the records (TEB-E15)."""
    file = tmp_path / "mutants.zip"
    harmed = {"changed": CLASSES | {"m2": {"a.B": b"three"}}, "missing": {"m1": CLASSES["m1"]}}
    if harm != "gone":
        write_archive(file, harmed.get(harm, CLASSES))
    if harm == "no zip":
        file.write_bytes(file.read_bytes()[10:-10])
    with pytest.raises(UserError, match="Fetch the dataset again"):
        read_archive(file, recorded())
