"""A table of numbers as text: from a spreadsheet, a csv or tsv file, `numpy.savetxt`."""

from __future__ import annotations

import csv
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from askew.arrays import frozen32
from askew.edits import MAX_NUMBERS
from askew.errors import WeightsError
from askew.weights.typed import typed_number

if TYPE_CHECKING:
    from collections.abc import Iterator

    from askew.arrays import Float32

_LINE_END = re.compile(r"\r\n|\r|\n")
_DECIMAL_COMMA = re.compile(r"\s*[+\-\u2212]?\d*,\d+(?:[eE][+-]?\d+)?\s*", re.ASCII)
_SHOWN = 40


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
    lines = _LINE_END.split(text.removeprefix("\ufeff"))
    while lines and not lines[-1].strip():
        lines.pop()
    first = next((i for i, line in enumerate(lines) if not (header and line.startswith("#"))), len(lines))
    if first == len(lines):
        raise WeightsError("there is no table in it")
    delimiter, remark = _delimiter(lines[first:], comma_parts)
    if header and len(lines) - first > 1 and _is_header(next(_rows(lines[first:], delimiter))):
        first += 1
    numbers = _numbers(_rows(lines[first:], delimiter), first + 1)
    return Table(frozen32(numbers), delimiter, remark)


def _delimiter(lines: list[str], comma_parts: bool) -> tuple[str, str]:
    """Return what parts the columns, and a remark if that could be read in two ways."""
    for delimiter in "\t;":
        if any(delimiter in line for line in lines):
            return delimiter, ""
    commas = [line for line in lines if "," in line]
    if not commas:
        return "", ""
    if not comma_parts and all(_DECIMAL_COMMA.fullmatch(line) for line in commas):
        return "", "The comma was read as a decimal comma."
    return ",", ""


def _rows(lines: list[str], delimiter: str) -> Iterator[list[str]]:
    """Split lines into cells; a quote never reaches beyond its line, so that rows are counted as lines."""
    for line in lines:
        if not delimiter:
            yield line.split() or [""]
        elif '"' not in line:
            yield line.split(delimiter)
        else:
            try:
                yield next(csv.reader([line], delimiter=delimiter))
            except csv.Error as error:
                raise WeightsError("a line of it is too long for a table") from error


def _is_header(cells: list[str]) -> bool:
    """Whether a row holds names: text in every cell, no number in any."""
    return all(cell.strip() and typed_number(cell) is None for cell in cells) and not _not_finite(cells)


def _not_finite(cells: list[str]) -> bool:
    """Whether a cell means "no number" or infinity, and is thus no name."""
    return any(cell.strip().lower().lstrip("+-") in ("nan", "inf", "infinity") for cell in cells)


def _numbers(rows: Iterator[list[str]], first: int) -> Float32:
    """Return the cells as numbers; `first` is the row that the first of them is called."""
    width, held = 0, 0
    done: list[Float32] = []
    for number, row in enumerate(rows, start=first):
        width = width or len(row)
        if not "".join(row).strip() and len(row) == 1:
            raise WeightsError(f"row {number} is empty")
        if len(row) != width:
            raise WeightsError(_ragged(number, len(row), first, width))
        held += width
        if held > MAX_NUMBERS:
            raise WeightsError(f"it holds more than {MAX_NUMBERS:,} numbers", remedy="Bring fewer of them")
        cells = [_cell(cell, number, column) for column, cell in enumerate(row, 1)]
        done.append(np.array(cells, dtype=np.float32))
    return np.stack(done)


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
