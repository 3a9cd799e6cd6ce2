"""A table of numbers as text: from a spreadsheet, a csv or tsv file, `numpy.savetxt`."""

from __future__ import annotations

import csv
import re
from array import array
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np

from askew.arrays import frozen32
from askew.errors import WeightsError
from askew.weights.typed import LARGEST, typed_number

if TYPE_CHECKING:
    from collections.abc import Iterator

    from askew.arrays import Float32

_LINE_END = re.compile(r"\r\n|\r|\n")
_DECIMAL_COMMA = re.compile(r"\s*[+\-\u2212]?\d*,\d+(?:[eE][+-]?\d+)?\s*", re.ASCII)
_PLAIN = re.compile(r"[0-9+\-.eE ]*")
_SHOWN = 40
_LONGEST_QUOTED = 1 << 20
MOST_COLUMNS = MOST_ROWS = 1 << 16


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """Numbers, (rows, columns) float32; what parts columns, "" for blanks; how else it could be read."""

    values: Float32
    delimiter: str
    remark: str = ""


def read_table(text: str, *, header: bool, comma_parts: bool) -> Table:
    """Return the numbers of a table.

    Columns are parted by tabs, else by semicolons, else by commas, else by blanks.

    Parameters
    ----------
    header
        Whether the table may begin with lines of `#`, and with a row of names.
    comma_parts
        Whether a comma alone on its line, between digits, parts columns as in a csv; else it is a decimal
        comma.

    Raises
    ------
    WeightsError
        Naming row and column, counted from 1 as lines, if the table is empty or ragged or a cell is no
        number.
    """
    text = _without_blank_end(text.removeprefix("\ufeff"))
    start, first = _passed_over(text) if header else (0, 1)
    if start >= len(text):
        raise WeightsError("there is no table in it")
    delimiter, remark = _delimiter(text, start, comma_parts)
    rows = _rows(text, start, delimiter)
    if header:
        names = next(rows)
        if _is_header(names) and (second := next(rows, None)) is not None:
            names, first = second, first + 1
        rows = chain([names], rows)
    return Table(frozen32(_numbers(rows, first)), delimiter, remark)


def _without_blank_end(text: str) -> str:
    """Return a text without its last lines if they are blank; the blanks of the line before them stay."""
    end = _LINE_END.search(text, len(text.rstrip()))
    return text[: end.start()] if end and text.strip() else text if text.strip() else ""


def _passed_over(text: str) -> tuple[int, int]:
    """Return where the first line begins that is no remark, and its number, from 1."""
    start, number = 0, 1
    while text.startswith("#", start) and number <= MOST_ROWS:
        end = _LINE_END.search(text, start)
        if end is None:
            return len(text), number
        start, number = end.end(), number + 1
    return start, number


def _lines(text: str, start: int) -> Iterator[str]:
    """Return line after line: never all at once, which would take many times the room of the text."""
    for end in _LINE_END.finditer(text, start):
        yield text[start : end.start()]
        start = end.end()
    yield text[start:]


def _delimiter(text: str, start: int, comma_parts: bool) -> tuple[str, str]:
    """Return what parts the columns, and a remark if that could be read in two ways."""
    for delimiter in "\t;":
        if text.find(delimiter, start) >= 0:
            return delimiter, ""
    if text.find(",", start) < 0:
        return "", ""
    if not comma_parts and all(_DECIMAL_COMMA.fullmatch(line) for line in _lines(text, start) if "," in line):
        return "", "The comma was read as a decimal comma."
    return ",", ""


def _rows(text: str, start: int, delimiter: str) -> Iterator[list[str]]:
    """Split lines into cells; a quote never reaches beyond its line, so that rows are counted as lines."""
    for line in _lines(text, start):
        if not delimiter:
            row = line.split(None, MOST_COLUMNS) or [""]
        elif '"' not in line:
            row = line.split(delimiter, MOST_COLUMNS)
        else:
            row = _quoted(line, delimiter)
        if len(row) > MOST_COLUMNS:
            raise WeightsError(f"a row of it has more than {MOST_COLUMNS:,} values", remedy="Save it as .npy")
        yield row


def _quoted(line: str, delimiter: str) -> list[str]:
    """Split a line that has cells in quotes."""
    try:
        return next(csv.reader([line[:_LONGEST_QUOTED]], delimiter=delimiter))
    except csv.Error as error:
        raise WeightsError("a line of it is too long for a table") from error


def _is_header(cells: list[str]) -> bool:
    """Whether a row holds names alone: no numbers, and none that are only written as none is read here."""
    return all(_is_name(cell) for cell in cells) and not _not_finite(cells)


def _is_name(cell: str) -> bool:
    """Whether the first sign of a cell that is letter or digit is a letter: not so "1.234,5", "0x1", "$5"."""
    return next((sign for sign in cell if sign.isalnum()), "").isalpha()


def _not_finite(cells: list[str]) -> bool:
    """Whether a cell means "no number" or infinity, and is thus no name."""
    return any(cell.strip().lower().lstrip("+-") in ("nan", "inf", "infinity") for cell in cells)


def _numbers(rows: Iterator[list[str]], first: int) -> Float32:
    """Return the cells as numbers; `first` is the row that the first of them is called."""
    width, held = 0, array("f")
    for number, row in enumerate(rows, start=first):
        width = width or len(row)
        if number > MOST_ROWS:
            raise WeightsError(f"it has more than {MOST_ROWS:,} rows", remedy="Save it as .npy")
        if len(row) == 1 and not row[0].strip():
            raise WeightsError(f"row {number} is empty")
        if len(row) != width:
            raise WeightsError(_ragged(number, len(row), first, width))
        held.extend(_plain(row) or [_cell(cell, number, column) for column, cell in enumerate(row, 1)])
    return np.array(held, dtype=np.float32).reshape(-1, width)


def _plain(row: list[str]) -> list[float]:
    """Return a row of which every cell is a number as programs write it, fast; nothing if one is not."""
    if not _PLAIN.fullmatch("".join(row)):  # so that float() meets no "nan" and no "1_000"
        return []
    try:
        values = list(map(float, row))
    except ValueError:
        return []
    return values if min(values) > -LARGEST and max(values) < LARGEST else []


def _cell(text: str, row: int, column: int) -> float:
    value = typed_number(text)
    where = f"row {row}, column {column}"
    shown = text.strip() if len(text.strip()) <= _SHOWN else f"{text.strip()[: _SHOWN - 1]}…"
    if value is None:
        raise WeightsError(f"{where}: '{shown}' is not a number" if shown else f"{where} is empty")
    if not np.isfinite(value):
        raise WeightsError(f"{where}: '{shown}' is too large", remedy="The largest number is 3.4e38")
    return value


def _ragged(number: int, count: int, first: int, width: int) -> str:
    values = "1 value" if count == 1 else f"{count} values"
    return f"row {number} has {values}, row {first} has {width}"
