"""Numbers as people type and paste them."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from askew_gui.widgets.numbers import NotANumber, full_digits, parse_number, plain, signed, table_text
from askew_gui.widgets.pasted import PasteError, fitted, read_block
from askew_gui.widgets.shades import image, inks, reduced, shades, strongest

finite32 = st.floats(width=32, allow_nan=False, allow_infinity=False)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0.5", 0.5),
        ("0,5", 0.5),
        (",5", 0.5),
        ("5.", 5.0),
        (" -2 ", -2.0),
        ("\u22122", -2.0),
        ("+3", 3.0),
        ("1e-3", 1e-3),
        ("1,5E2", 150.0),
        ("\u00a07\u00a0", 7.0),
    ],
)
def test_a_typed_number_is_read_whatever_its_separator(text: str, value: float) -> None:
    assert parse_number(text) == value


@pytest.mark.parametrize(
    "text", ["", "  ", "five", "nan", "inf", "1.234,5", "1,2,3", "0x10", "1_000", "1e39", "--1", "½", "٣"]
)
def test_a_text_that_is_no_number_is_refused(text: str) -> None:
    with pytest.raises(NotANumber):
        parse_number(text)


def test_a_refusal_quotes_what_was_typed() -> None:
    with pytest.raises(NotANumber, match="'five' is not a number"):
        parse_number("five")


@given(finite32)
def test_all_digits_give_the_same_float32_back(value: float) -> None:
    assert np.float32(parse_number(full_digits(value))) == np.float32(value)


def test_a_cell_shows_three_decimals_and_its_sign() -> None:
    assert [signed(v) for v in (0.0, 0.5, -0.1234, 1234.5, math.nan)] == [
        "+0.000",
        "+0.500",
        "\u22120.123",
        "+1234",
        "\u2013",
    ]
    assert plain(-0.25, 2) == "\u22120.25"
    assert plain(None) == "\u2013"


def test_a_table_of_a_german_spreadsheet_keeps_minus_signs_and_has_no_third_row() -> None:
    block = read_block("1\t-2\r\n0,5\t4\r\n")
    np.testing.assert_array_equal(block.values, np.array([[1, -2], [0.5, 4]], dtype=np.float32))
    assert block.values.dtype == np.float32
    assert block.remark == ""


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("1.5,-2\n3,4", [[1.5, -2], [3, 4]]),
        ("1,2,3\n4,5,6", [[1, 2, 3], [4, 5, 6]]),
        ("-1,-2", [[-1, -2]]),
        ("1,5;2\n3;4,25", [[1.5, 2], [3, 4.25]]),
        ("1 2\n3 4", [[1, 2], [3, 4]]),
        ('"0,5"\t"2"', [[0.5, 2]]),
        ("\ufeff1\t2", [[1, 2]]),
        ("7", [[7]]),
    ],
)
def test_columns_are_found_in_tables_from_elsewhere(text: str, values: list[list[float]]) -> None:
    np.testing.assert_array_equal(read_block(text).values, np.array(values, dtype=np.float32))


def test_a_comma_alone_on_its_line_is_a_decimal_comma_and_the_block_says_so() -> None:
    block = read_block("0,5\r\n1,25\r\n")
    np.testing.assert_array_equal(block.values, np.array([[0.5], [1.25]], dtype=np.float32))
    assert "decimal comma" in block.remark


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1\t2\t3\n4\t5\n", "row 2 has 2 values, row 1 has 3"),
        ("1\t2\n3\n", "row 2 has 1 value, row 1 has 2"),
        ("1\t2\n4\tfive\n", "row 2, column 2: 'five'"),
        ("1\t\n4\t5", "row 1, column 2 is empty"),
        ("dim0,dim1\n1,2", "row 1, column 1: 'dim0'"),
        ("", "no table on the clipboard"),
        ("\r\n\r\n", "no table on the clipboard"),
    ],
)
def test_a_bad_table_is_refused_with_row_and_column(text: str, message: str) -> None:
    with pytest.raises(PasteError, match=message):
        read_block(text)


def test_a_block_goes_in_at_the_cell_and_leaves_the_rest() -> None:
    matrix = np.arange(12, dtype=np.float32).reshape(3, 4)
    result = fitted(np.full((2, 2), 9, dtype=np.float32), matrix, 1, 2)
    expected = matrix.copy()
    expected[1:3, 2:4] = 9
    np.testing.assert_array_equal(result, expected)
    assert matrix[1, 2] == 6


def test_a_block_that_reaches_over_the_edge_is_refused_with_the_room_there_is() -> None:
    matrix = np.zeros((3, 4), dtype=np.float32)
    with pytest.raises(PasteError, match=r"the table is 2 × 3; from row 3, column 2 there is room for 1 × 3"):
        fitted(np.zeros((2, 3), dtype=np.float32), matrix, 2, 1)


@given(st.lists(st.lists(finite32, min_size=3, max_size=3), min_size=1, max_size=4))
def test_what_is_copied_can_be_pasted_bit_for_bit(rows: list[list[float]]) -> None:
    matrix = np.array(rows, dtype=np.float32)
    np.testing.assert_array_equal(read_block(table_text(matrix)).values, matrix)


def test_zero_is_neutral_and_the_ends_are_the_strongest() -> None:
    values = np.array([[-2.0, 0.0, 1.0, 2.0]], dtype=np.float32)
    assert strongest(values) == 2
    places = shades(values, 2)
    assert places[0, 0] == 0
    assert places[0, 3] == 255
    assert places[0, 1] in (127, 128)
    assert strongest(np.zeros((2, 2))) == 1


def test_letters_are_white_on_the_dark_ends_and_dark_in_the_middle() -> None:
    letters = inks()
    assert letters[0].name() == letters[255].name() == "#ffffff"
    assert letters[128].lightness() < 60


def test_a_lone_peak_survives_where_there_are_more_rows_than_pixels() -> None:
    values = np.zeros((300, 25))
    values[137, 3] = -5
    small = reduced(values, (40, 25))
    assert small.shape == (40, 25)
    assert small.min() == -5
    assert image(values, 5, (40, 25)).size().toTuple() == (25, 40)
