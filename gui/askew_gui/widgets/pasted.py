"""A block of numbers as a spreadsheet or a text file puts it on the clipboard."""

from __future__ import annotations

import csv
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from askew.errors import AskewError
from askew_gui.i18n import tr
from askew_gui.widgets.numbers import NotANumber, parse_number

if TYPE_CHECKING:
    from askew.arrays import Float32

_LINE_END = re.compile(r"\r\n|\r|\n")
_DECIMAL_COMMA = re.compile(r"\s*[+\-\u2212]?\d*,\d+(?:[eE][+-]?\d+)?\s*", re.ASCII)


class PasteError(AskewError):
    """A pasted block does not hold the numbers it should."""


@dataclass(frozen=True, slots=True, eq=False)
class Block:
    """Pasted numbers, (rows, columns) float32, and a remark where the text could be read in two ways."""

    values: Float32
    remark: str = ""


def read_block(text: str) -> Block:
    """Return the numbers of a pasted table.

    Columns are parted by tabs, else by semicolons, else by commas, else by blanks. A comma between digits,
    alone on its line, is a decimal comma.

    Raises
    ------
    PasteError
        Naming row and column, counted from 1, if the table is empty or ragged or a cell is no number.
    """
    lines = _LINE_END.split(text.removeprefix("\ufeff"))
    while lines and not lines[-1].strip():
        lines.pop()
    if not lines:
        remedy = tr("Copy cells from a spreadsheet first")
        raise PasteError(tr("there is no table on the clipboard"), remedy=remedy)
    rows, remark = _split(lines)
    for number, row in enumerate(rows, start=1):
        if len(row) != len(rows[0]):
            raise PasteError(_ragged(number, len(row), len(rows[0])), remedy=tr("Nothing was pasted"))
    numbers = [[_cell(cell, r, c) for c, cell in enumerate(row, 1)] for r, row in enumerate(rows, 1)]
    return Block(np.array(numbers, dtype=np.float32), remark)


def _split(lines: list[str]) -> tuple[list[list[str]], str]:
    for delimiter in "\t;":
        if any(delimiter in line for line in lines):
            return list(csv.reader(lines, delimiter=delimiter)), ""
    if all(_DECIMAL_COMMA.fullmatch(line) for line in lines if "," in line):
        remark = tr("The comma was read as a decimal comma.") if any("," in line for line in lines) else ""
        return [line.split() or [""] for line in lines], remark
    if any("," in line for line in lines):
        return list(csv.reader(lines)), ""
    return [line.split() or [""] for line in lines], ""


def _cell(text: str, row: int, column: int) -> float:
    where = tr("row {row}, column {column}").format(row=row, column=column)
    if not text.strip():
        raise PasteError(tr("{where} is empty").format(where=where), remedy=tr("Nothing was pasted"))
    try:
        return parse_number(text)
    except NotANumber as error:
        raise PasteError(f"{where}: {error.what}", remedy=tr("Nothing was pasted")) from None


def _ragged(number: int, count: int, first: int) -> str:
    text = (
        tr("row {row} has 1 value, row 1 has {first}")
        if count == 1
        else tr("row {row} has {count} values, row 1 has {first}")
    )
    return text.format(row=number, count=count, first=first)


def fitted(block: Float32, matrix: Float32, row: int, column: int) -> Float32:
    """Return a copy of `matrix` with `block` put in place at a cell, both counted from 0.

    Raises
    ------
    PasteError
        If the block reaches over the edge.
    """
    rows, columns = block.shape
    room = (matrix.shape[0] - row, matrix.shape[1] - column)
    if rows > room[0] or columns > room[1]:
        text = tr("the table is {size}; from row {row}, column {column} there is room for {room}")
        size, space = f"{rows} × {columns}", f"{room[0]} × {room[1]}"
        raise PasteError(
            text.format(size=size, row=row + 1, column=column + 1, room=space),
            remedy=tr("Nothing was pasted; choose a cell further up or to the left"),
        )
    result = matrix.copy()
    result[row : row + rows, column : column + columns] = block
    return result
