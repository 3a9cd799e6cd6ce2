"""A block of numbers as a spreadsheet or a text file puts it on the clipboard."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from askew.errors import AskewError, WeightsError
from askew.weights.tables import read_table
from askew_gui.i18n import tr

if TYPE_CHECKING:
    from askew.arrays import Float32


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
    if not text.strip("\ufeff \t\r\n"):
        remedy = tr("Copy cells from a spreadsheet first")
        raise PasteError(tr("there is no table on the clipboard"), remedy=remedy)
    try:
        table = read_table(text, header=False, comma_parts=False)
    except WeightsError as error:
        raise PasteError(error.what, remedy=tr("Nothing was pasted")) from error
    return Block(table.values, table.remark)


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
