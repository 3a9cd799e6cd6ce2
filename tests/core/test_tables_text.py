"""Tables for LaTeX and Markdown: every word stands for itself, every number is rounded as asked."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.core.test_results import evaluation
from tests.core.test_tables_csv import NASTY, words

from askew.tables import Table, map_table, measures_table
from askew.tables_text import latex_table, markdown_table, rounded

# What LaTeX reads as a sign of its own, once all that the table escapes with is taken away.
ESCAPED = re.compile(
    r"\\(?:textbackslash|textasciitilde|textasciicircum|textless|textgreater|textbar|textquotedbl|ldots)\{\}"
    r"|\\[#$%&_{}]|\$(?:-|\\times|\\tau)\$|\{\}|``|''"
)


def one_cell(row: str, column: str = "x", value: float | None = 0.5) -> Table:
    return Table("state", (row,), (column,), ((value,),))


def body(latex: str) -> list[str]:
    """Return the rows between the rules, head first."""
    lines = latex.split("\\begin{tabular}")[1].split("\n")
    return [line for line in lines if line.endswith(" \\\\")]


@given(words, words)
def test_in_latex_nothing_of_a_word_has_a_meaning(row: str, column: str) -> None:
    latex = latex_table(one_cell(row, column))
    head, line = body(latex)
    for cell in (head.removesuffix(" \\\\")[3:], line.removesuffix(" \\\\").removesuffix(" & 0.500")):
        bare = ESCAPED.sub("", cell)
        assert not re.search(r"[\\{}$&#^_%~<>|]", bare), cell
        assert not re.search(r"--|,,|[?!]`", cell)
    assert not line.lstrip().startswith(("[", "*"))
    assert len(latex.splitlines()) == 11, "a word never ends a line"


@pytest.mark.parametrize(
    ("word", "said"),
    [
        ("[CLS]", "{}[CLS]"),
        ("*", "{}*"),
        ("--", "-{}-"),
        ("''", "'{}'"),
        ("a_b", r"a\_b"),
        ("50%", r"50\%"),
        ("naïve 猫", "naïve 猫"),
        ("W_q", r"W\_q"),
        (r"\input{x}", r"\textbackslash{}input\{x\}"),
    ],
)
def test_a_word_at_the_beginning_of_a_row_of_latex(word: str, said: str) -> None:
    assert body(latex_table(one_cell(word)))[1] == rf"{said} & 0.500 \\"


@given(words, words)
def test_in_markdown_a_word_stays_in_its_cell_and_has_no_meaning(row: str, column: str) -> None:
    lines = markdown_table(one_cell(row, column)).split("\n")
    assert len(lines) == 6
    for line in lines[:3]:
        bare = re.sub(r"\\[\\`*_\[\]<>#|~&$]", "", line)
        assert bare.count("|") == 3
        assert not re.search(r"[`*_\[\]<>#~&$\\]", bare)
    assert lines[1] == "| --- | ---: |"


def test_the_words_of_markdown_are_those_of_the_table() -> None:
    table = Table("", NASTY, ("x",), ((1.0,),) * len(NASTY))
    for word, line in zip(NASTY, markdown_table(table).split("\n")[2:], strict=False):
        cell = line.removeprefix("| ").removesuffix(" | 1.000 |")
        assert re.sub(r"\\(.)", r"\1", cell) == re.sub(r"[\s\0\x85\u2028]+", " ", word)


@given(st.floats(-1e6, 1e6), st.integers(0, 8))
def test_a_number_is_rounded_to_the_decimals_asked_for(value: float, digits: int) -> None:
    text = rounded(value, digits)
    assert abs(float(text) - value) <= 0.5 * 10.0**-digits + 1e-9
    assert len(text.partition(".")[2]) == digits
    assert not re.fullmatch(r"-[0.]+", text), "zero has no sign"


def test_minus_is_a_minus_and_no_value_a_dash() -> None:
    table = Table("s", ("a",), ("b", "c", "d"), ((-0.25, None, -1e-9),))
    assert body(latex_table(table, 2))[1] == r"a & $-$0.25 & – & 0.00 \\"
    assert "| a | -0.2 | – | 0.0 |" in markdown_table(table, 1)


def test_rules_of_booktabs_are_used_where_asked_for() -> None:
    table = one_cell("a")
    assert latex_table(table).count(r"\hline") == 3
    nice = latex_table(table, booktabs=True)
    assert [rule in nice for rule in (r"\toprule", r"\midrule", r"\bottomrule", r"\hline")] == [True] * 3 + [
        False
    ]
    assert nice.startswith(r"% needs \usepackage{booktabs}")


def test_both_name_their_state() -> None:
    table = map_table(evaluation("the cat & on the mat"), "head")
    latex, markdown = latex_table(table), markdown_table(table)
    assert r"for ``the cat \& on the mat''" in latex
    assert "$W_q$" in latex
    assert r"for “the cat \& on the mat”" in markdown


def test_measures_are_printed_with_a_head_a_column() -> None:
    one = evaluation()
    lines = markdown_table(measures_table(one, titles=True).turned(), 2).split("\n")
    assert lines[0] == "|  | head 0 | head 1 |"
    found = {line.split(" | ")[0].strip("| "): line.split(" | ")[1:] for line in lines[2:] if line[:1] == "|"}
    assert found["Self weight"][0] == f"{one.measures[0].self_weight:.2f}"
    assert found["Sink token"][1].strip(" |") == one.measures[1].sink.token
    assert "Sink index" not in found, "people count from 1, and the token says it"
    assert found["Pairing energy"][0] == f"{one.measures[0].energy.pairing:.2f}"


def test_a_turned_table_is_the_transpose() -> None:
    table = map_table(evaluation(), "head")
    np.testing.assert_array_equal(table.turned().values, table.values.T)
    assert Table("", (), ("a",), ()).turned().cells == ((),)
