"""Tables as CSV: Askew reads back what it writes, whatever the words; a spreadsheet runs nothing of it."""

from __future__ import annotations

import csv
import io
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tests.core.test_results import evaluation

from askew.compare import compare
from askew.evaluation import evaluate
from askew.results import to_json
from askew.tables import SIDES, Table, map_table, measures_table
from askew.tables_csv import MARK, TableError, for_excel, long_csv, read_table_csv, table_csv

NASTY = (
    *(
        "naïve 猫",
        "=1+1",
        "-5",
        "'x",
        "'=1",
        "''-",
        "'",
        '"',
        '""',
        "a,b",
        "a;b",
        "a\tb",
        "\t=1",
        "\r",
        "\n",
        "a\r\nb",
    ),
    *(
        "\x85",
        "\u2028",
        "\xa0=1",
        " +1",
        "@SUM(A1)",
        "＝1+1",
        "＋1",
        "－1",
        "＠x",
        "",
        " ",
        "\0=",
        "'\n'=",
        "<b>",
        "1.5",
    ),
)
words = st.one_of(
    st.sampled_from(NASTY), st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
)  # no halves of characters
numbers = st.one_of(st.none(), st.floats(width=32, allow_nan=False, allow_infinity=False))


@st.composite
def tables(draw: st.DrawFn) -> Table:
    rows, columns = draw(st.integers(0, 4)), draw(st.integers(0, 4))

    def texts(count: int) -> tuple[str, ...]:
        return tuple(draw(st.lists(words, min_size=count, max_size=count)))

    cells = tuple(tuple(draw(st.lists(numbers, min_size=columns, max_size=columns))) for _ in range(rows))
    return Table(draw(words), texts(rows), texts(columns), cells)


@given(tables(), st.booleans())
@example(Table("=", NASTY, NASTY, ((0.1,) * len(NASTY),) * len(NASTY)), False)
def test_a_table_comes_back_exactly_whatever_its_words(table: Table, excel: bool) -> None:
    content = table_csv(table)
    assert read_table_csv(for_excel(content) if excel else content) == table


@given(tables())
def test_no_cell_begins_a_formula_but_for_numbers_which_stay_numbers(table: Table) -> None:
    lines = list(csv.reader(io.StringIO(table_csv(table).decode(), newline="")))
    for number, line in enumerate(lines):
        texts = line if number == 0 else line[:1]
        for text in texts:
            assert not text.strip(" \t\r\n\x85\xa0\u2028\0").startswith(tuple("=+-@＝＋－＠"))
        for cell in line[1:] if number else ():
            assert cell == "" or repr(float(cell)) == cell


@given(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="=+-@＝＋－＠"), min_size=1))
def test_words_that_are_no_formula_are_left_as_they_are(text: str) -> None:
    (line, *_) = csv.reader(io.StringIO(table_csv(Table(text, (), (), ())).decode(), newline=""))
    assert line == [text] or text[0] in "\t\r\n'" or text.isspace() or not text.strip()


def test_the_option_for_excel_adds_the_mark_and_changes_nothing_else() -> None:
    table = map_table(evaluation(), "head")
    assert for_excel(table_csv(table)).decode("utf-8-sig") == table_csv(table).decode()
    assert for_excel(table_csv(table)).startswith(MARK.encode())
    assert not table_csv(table).startswith(MARK.encode())


@pytest.mark.parametrize("value", [0.1, 1047552.3, -5.0, 1e-45, 3.4028235e38, -0.0])
def test_a_float32_comes_back_bit_for_bit(value: float) -> None:
    exact = float(str(np.float32(value)))
    (back,) = read_table_csv(table_csv(Table("", ("a",), ("b",), ((exact,),)))).values.ravel()
    assert back.tobytes() == np.float32(value).tobytes()


def test_a_float64_comes_back_bit_for_bit() -> None:
    table = Table("", ("a",), ("b",), ((0.1234567890123456,),))
    assert read_table_csv(table_csv(table)).cells[0][0] == 0.1234567890123456


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("quantity", ["pattern", "scores", "cosine"])
def test_a_map_comes_back_as_it_is_shown_with_its_tokens_and_its_state(side: str, quantity: str) -> None:
    shown = evaluation("the nil cat the zzyzx", quantity=quantity, unknown="keep")  # type: ignore[arg-type]
    comparison = compare(shown, shown.experiment.selected)
    table = read_table_csv(table_csv(map_table(shown, side)))  # type: ignore[arg-type]
    np.testing.assert_array_equal(table.values, getattr(comparison, side))
    assert table.row_labels == table.column_labels == ("the", "nil", "cat", "the", "zzyzx")
    assert "the nil cat the zzyzx" in table.state
    assert table.cells[4][0] is None, "no value is an empty cell"


def test_what_was_done_to_the_raw_side_is_said_where_it_shows() -> None:
    one = evaluation(mode="matched")
    said = "as sharp as the head's"
    assert [said in map_table(one, side).state for side in SIDES] == [True, False, True]


def test_the_mean_of_several_heads_is_the_map_shown() -> None:
    one = evaluation()
    both = evaluate(replace(one.experiment, selected=(0, 1)), one.vectors)
    assert "mean of heads 0, 1" in map_table(both, "head").state
    np.testing.assert_allclose(map_table(both, "head").values, both.pattern.mean(axis=0), atol=1e-7)


def test_measures_have_a_head_a_row_under_their_names() -> None:
    one = evaluation("cat")
    text = table_csv(measures_table(one)).decode()
    first, *rows = csv.reader(io.StringIO(text, newline=""))
    assert first[1:3] == ["self_weight", "self_first"]
    assert [row[0] for row in rows] == ["head 0", "head 1"]
    found = dict(zip(first, rows[1], strict=True))
    assert float(found["self_weight"]) == one.measures[1].self_weight == 1
    assert found["sharpness"] == ""
    assert (found["sink_token"], found["sink_index"]) == ("cat", "0")


# The long table


def test_the_long_table_holds_all_numbers_of_the_json_digit_for_digit() -> None:
    one = evaluation("the nil cat the")
    data = to_json(one)
    rows = list(csv.DictReader(io.StringIO(long_csv(one).decode())))
    assert list(rows[0]) == ["head", "quantity", "query", "key", "value"]
    found = {(row["head"], row["quantity"], row["query"], row["key"]): row["value"] for row in rows}
    assert len(found) == len(rows)
    for head, part in [("", data["raw"]), *((str(h), head) for h, head in enumerate(data["heads"]))]:
        for quantity, matrix in part.items():
            if not isinstance(matrix, list):
                continue
            for i, line in enumerate(matrix):
                for j, value in enumerate(line):
                    assert found.pop((head, quantity, str(i), str(j))) == (
                        "" if value is None else repr(value)
                    )
    measures = data["heads"][1]["measures"]
    assert float(found["1", "asymmetry", "", ""]) == measures["asymmetry"]
    assert float(found["1", "sink", "", str(measures["sink"]["index"])]) == measures["sink"]["value"]
    assert float(found["1", "energy/pairing", "", ""]) == measures["energy"]["pairing"]
    assert {key[2] for key in found} == {""}, "nothing is left but measures"
    assert len(found) == 2 * 17


# What is no table of Askew's


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "there is no table in it"),
        (b"\n", "there is no table in it"),
        (b'"","a","b"\n"c",1\n', "row 2 has 2 cells, row 1 has 3"),
        (b'"","a"\n"c",1\n"d",x1\n', "row 3, column 2: 'x1' is not a number"),
        (b'"","\xff"\n', "it is not UTF-8"),
        (b'"","a\n', "it is no CSV"),
    ],
)
def test_what_cannot_be_read_is_said_with_row_and_column(content: bytes, said: str) -> None:
    with pytest.raises(TableError, match=r"mine\.csv: ") as caught:
        read_table_csv(content, "mine.csv")
    assert said in str(caught.value)


def test_a_table_that_a_spreadsheet_saved_again_is_read() -> None:
    content = MARK + "what it is,a,b\r\nc,1,-2.50\r\nd,,3E-2\r\n"
    assert read_table_csv(content.encode()) == Table(
        "what it is", ("c", "d"), ("a", "b"), ((1.0, -2.5), (None, 0.03))
    )


def test_a_table_without_end_is_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("askew.tables_csv.LARGEST_READ", 10)
    with pytest.raises(TableError, match="larger than the 10 bytes"):
        read_table_csv(b"x" * 11)
