"""One model of a table in three formats (TEB-R03)."""

import csv
import io
import shutil
import subprocess

import pytest

from testevo.analysis.output.tables import Column, Table, render, shown, to_csv, to_latex, to_markdown

TABLE = Table(
    "t",
    "Rates & 50 % of A_B",
    (
        Column("System"),
        Column("Success", "percent", "up"),
        Column("Fail", "percent", "down"),
        Column("Cost", "dollars"),
    ),
    (("a|b_c", 0.77537, 0.003, 1.5), ("d*e", 0.77487, None, None), ("f", 0.66, 0.001, 0.25)),
    ("A note with $ and #.",),
)


def test_what_looks_like_the_best_value_is_bold() -> None:
    """As in the paper: 77.5 % twice."""
    lines = to_markdown(TABLE).splitlines()
    assert lines[4] == "| a\\|b_c | **77.5%** | 0.3% | $1.50 |"
    assert lines[5] == "| d\\*e | **77.5%** | \u2013 | \u2013 |"
    assert lines[6] == "| f | 66.0% | **0.1%** | $0.25 |"


def test_a_missing_value_is_a_dash_and_an_empty_csv_field_never_zero() -> None:
    rows = list(csv.reader(io.StringIO(to_csv(TABLE))))
    assert rows[0] == ["System", "Success (share)", "Fail (share)", "Cost (USD)"]
    assert rows[2] == ["d*e", "0.77487", "", ""]
    assert r"d*e & \textbf{77.5\%} & -- & -- \\" in to_latex(TABLE)


def test_csv_keeps_numbers_whole_and_text_quoted() -> None:
    table = Table("t", "t", (Column("a"), Column("n", "count")), (('with, comma and "quotes"\nand lines', 1234567),))
    assert list(csv.reader(io.StringIO(to_csv(table))))[1] == ['with, comma and "quotes"\nand lines', "1234567"]
    averages = Table("t", "t", (Column("n", "number"), Column("m", "number")), ((12345678.5, 0.1 + 0.2),))
    assert list(csv.reader(io.StringIO(to_csv(averages))))[1] == ["12345678.5", "0.3"]


def test_latex_escapes_every_text() -> None:
    text = to_latex(TABLE)
    assert r"\caption{Rates \& 50 \% of A\_B}" in text
    assert r"A note with \$ and \#." in text
    assert r"a\textbar{}b\_c" in text
    assert r"\toprule" in text


def hostile(*names: str) -> Table:
    """A table of names that a stranger has chosen."""
    return Table("t", "t", (Column("System"), Column("n", "count")), tuple((name, 1) for name in names))


def test_text_is_no_option_of_a_line_end_in_latex() -> None:
    """LaTeX looks for `[` and `*` behind the line before, and would take a name for a length."""
    rows = to_latex(hostile("[a]", "*b", "c[d]")).splitlines()[8:11]
    assert rows == [r"{}[a] & 1 \\", r"{}*b & 1 \\", r"c[d] & 1 \\"]


def test_text_is_no_formula_in_csv() -> None:
    rows = list(csv.reader(io.StringIO(to_csv(hostile("=1+1", "+1", "-1", "@A1", "a=1")))))
    assert [row[0] for row in rows[1:]] == ["'=1+1", "'+1", "'-1", "'@A1", "a=1"]


def test_text_is_no_mark_in_markdown() -> None:
    rows = to_markdown(hostile("<script>", "[a](b)")).splitlines()[4:]
    assert rows == [r"| \<script> | 1 |", r"| \[a](b) | 1 |"]


def test_characters_that_show_nothing_are_told_in_every_format() -> None:
    """They end a run of LaTeX, steer a terminal, or turn what follows."""
    table = hostile("a\0b\x1b[31m\u202ec")
    for text, backslash in (
        (to_csv(table), "\\"),
        (to_markdown(table), "\\\\"),
        (to_latex(table), r"\textbackslash{}"),
    ):
        assert f"a{backslash}x00b{backslash}x1b" in text and f"{backslash}u202ec" in text


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="pdflatex is not installed")
def test_latex_compiles(tmp_path) -> None:
    document = "\\documentclass{article}\\usepackage{booktabs}\\begin{document}" + to_latex(TABLE) + "\\end{document}"
    (tmp_path / "t.tex").write_text(document)
    subprocess.run(["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "t.tex"], cwd=tmp_path, check=True)


def test_one_row_alone_is_not_called_best() -> None:
    table = Table("t", "t", (Column("System"), Column("Success", "percent", "up")), (("a", 0.5),))
    assert "**" not in to_markdown(table)


def test_a_table_without_rows_says_so() -> None:
    assert "No rows." in to_markdown(Table("t", "t", (Column("a"),), ()))


def test_a_row_of_the_wrong_length_is_an_error() -> None:
    with pytest.raises(ValueError, match="2 cells under 1 columns"):
        Table("t", "t", (Column("a"),), (("x", "y"),))


def test_a_table_has_a_file_in_every_format() -> None:
    assert sorted(render(TABLE)) == ["t.csv", "t.md", "t.tex"]


def test_signed_points_and_tokens() -> None:
    table = Table("t", "t", (Column("d", "points"), Column("k", "tokens")), ((-0.0404, 182_900.0),))
    assert "| -4.0 | 182.9k |" in to_markdown(table)


def test_counts_among_numbers_have_no_decimals_and_large_ones_are_grouped() -> None:
    column = Column("Value", "number", digits=1)
    assert [shown(value, column) for value in (9, 11.4, 9003.06, 17049)] == ["9", "11.4", "9,003.1", "17,049"]
