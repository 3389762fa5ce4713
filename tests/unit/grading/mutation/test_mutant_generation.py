"""Mutants by the rules of universalmutator, in the original bytes, and the sample below the cap (TEB-V13 to V16)."""

import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from testevo.grading.mutation.mutant_generation import Candidate, generate, mutated_source
from testevo.grading.mutation.mutants import sample

SOURCE = """package a;

import java.util.List;

/** Counts + counts. */
public class Counter {
    /* a + b
       c - d */
    @Deprecated
    public int next(int last, int step) { // last + 1
        if (last > 0 && step != 0) {
            return last + step;
        } else {
            return Math.max(last, 10) - 1;
        }
    }

    String name(List<String> names) {
        return names.size() == 1 ? "one + one" : "many";
    }
}
"""
LINES = st.lists(
    st.sampled_from(
        [
            "int x = a + 1;",
            "return f(a, b);",
            "if (x == 0) { y--; }",
            "/* note",
            "end */",
            "// + 1",
            "    break;",
            "    x += 2;",
            "",
            "while (true) { break; }",
            "éa = ü - 1;",
            "@A(1)",
            "*",
            "break;",
            'String s = "a-b";',
        ]
    ),
    max_size=12,
)
ENDS = st.sampled_from(["\n", "\r\n", "\r"])


def everything(source: bytes) -> frozenset[int]:
    return frozenset(range(1, 2 + source.count(b"\n") + source.count(b"\r")))


def written_by_mutate(source: bytes, lines: frozenset[int], folder: Path) -> set[bytes]:
    """The files `mutate --noCheck` writes."""
    (folder / "Counter.java").write_bytes(source)
    (folder / "lines").write_text(" ".join(map(str, sorted(lines))))
    subprocess.run(
        [
            sys.executable,
            "-X",
            "utf8",
            "-c",
            "from universalmutator.genmutants import main; main()",
            "Counter.java",
            "--noCheck",
            "--lines",
            "lines",
            "--mutantDir",
            "out",
        ],
        cwd=folder,
        check=True,
        capture_output=True,
    )
    return {file.read_bytes() for file in (folder / "out").iterdir()}


@pytest.mark.parametrize("lines", [frozenset({11, 12, 14}), frozenset(range(1, 25))])
def test_mutants_are_those_of_the_command_mutate(lines: frozenset[int], tmp_path: Path) -> None:
    """The same files, no more and no less, with the same line filter (TEB-V13)."""
    generated = generate(SOURCE.encode(), lines)
    ours = [mutated_source(SOURCE.encode(), one) for one in generated.candidates]
    assert len(ours) > 20
    assert len(set(ours)) == len(ours)
    assert set(ours) == written_by_mutate(SOURCE.encode(), lines, tmp_path)


def test_all_but_the_mutated_line_keeps_its_bytes() -> None:
    """Line ends, tabs and bytes of other encodings survive."""
    text = "class A {\n\tint é() { return 1 + 2; } // ü\n\tint b() {\n\t\treturn 3;\n\t}\n}"
    source = text.replace("\n", "\r\n").encode("latin-1")
    candidates = generate(source, {2, 4}).candidates
    assert {one.line for one in candidates} == {2, 4}
    for one in candidates:
        whole = mutated_source(source, one)
        assert whole.startswith(source[: one.start])
        assert whole.endswith(source[one.end :])
        assert whole.count(b"\n") == whole.count(b"\r\n")
        if one.line == 2:
            assert "é".encode("latin-1") in whole
        assert one.original.encode()  # a record can hold it
    assert any(one.text == b"\t\treturn 3;\r\n\t\tbreak;\r\n" for one in candidates)


def test_string_literals_are_left_out_and_counted() -> None:
    """`string_only` says what the generator would not show."""
    generated = generate(b'class A {\n  String a = "1 + 2";\n}\n', {2})
    assert len(generated.string_only) > 0
    assert set(generated.string_only) == {2}
    assert not any("1 - 2" in one.mutated for one in generated.candidates)


def test_mutants_that_make_the_same_file_are_redundant() -> None:
    """A `break` may be written after a line or before the next one: one file, one mutant (TEB-V15)."""
    generated = generate(b"x();\nbreak;\n", {1, 2})
    assert len(generated.redundant) == len(generated.duplicate_text) >= 1
    files = [mutated_source(b"x();\nbreak;\n", one) for one in generated.candidates]
    assert len(set(files)) == len(files)


@given(LINES, ENDS, st.booleans(), st.data())
def test_each_candidate_changes_its_line_and_nothing_else(
    lines: list[str], end: str, ends: bool, data: st.DataObject
) -> None:
    text = end.join(lines) + (end if ends and lines else "")
    source = text.encode()
    chosen = frozenset(data.draw(st.sets(st.integers(1, max(1, len(lines))))))
    generated = generate(source, chosen)
    files = set()
    for one in generated.candidates:
        assert one.line in chosen
        assert source[one.start : one.end].decode().rstrip("\r\n") == one.original == lines[one.line - 1]
        assert source[one.start : one.end] != one.text
        files.add(mutated_source(source, one))
    assert source not in files
    assert len(files) == len(generated.candidates)
    assert list(generated.candidates) == sorted(generated.candidates)


@given(LINES, st.data())
def test_mutants_of_a_line_do_not_depend_on_the_other_lines_asked_for(lines: list[str], data: st.DataObject) -> None:
    """So a file is generated once for all test methods of a task."""
    source = "\n".join(lines).encode()
    chosen = frozenset(data.draw(st.sets(st.integers(1, max(1, len(lines))))))
    some, all_of_them = generate(source, chosen), generate(source, everything(source))
    files = {mutated_source(source, one) for one in some.candidates}
    assert files <= {mutated_source(source, one) for one in all_of_them.candidates}
    assert files >= {mutated_source(source, one) for one in all_of_them.candidates if one.line in chosen}


CANDIDATES = st.lists(
    st.builds(
        lambda line, text: Candidate(line, 0, text, "", 10 * line, 10 * line + 5, text.encode()),
        st.integers(1, 9),
        st.text("abcdef", max_size=3),
    ),
    unique=True,
    max_size=30,
)


@given(CANDIDATES, st.integers(1, 12), st.integers(0, 3), st.randoms())
def test_the_sample_depends_on_the_seed_and_on_no_order(
    candidates: list[Candidate], most: int, seed: int, random: object
) -> None:
    """Capped, canonical, and monotone in the cap (TEB-V14)."""
    kept = sample(candidates, "A.java", most=most, seed=seed)
    shuffled = list(candidates)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert kept == sample(shuffled, "A.java", most=most, seed=seed) == sorted(kept)
    assert len(kept) == min(most, len(candidates))
    assert set(kept) <= set(sample(candidates, "A.java", most=most + 1, seed=seed))


def test_every_candidate_is_as_likely_as_any_other() -> None:
    candidates = [Candidate(line, 0, "x", "y", line, line + 1, b"x") for line in range(20)]
    drawn = dict.fromkeys(range(20), 0)
    for seed in range(400):
        for one in sample(candidates, "A.java", most=5, seed=seed):
            drawn[one.line] += 1
    assert all(60 <= times <= 140 for times in drawn.values()), drawn
