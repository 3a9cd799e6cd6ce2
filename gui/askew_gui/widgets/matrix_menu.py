"""What can be done to a block of cells, to whole rows or to whole columns of a matrix."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Literal

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QInputDialog, QMenu

from askew_gui.i18n import tr
from askew_gui.widgets.numbers import NotANumber, parse_number

if TYPE_CHECKING:
    from collections.abc import Callable

    from askew.arrays import Float32
    from askew_gui.widgets.matrix_table import MatrixTable

Kind = Literal["set", "scale"]
Block = tuple[int, int, int, int]


def edited_block(matrix: Float32, block: Block, kind: Kind, value: float) -> Float32:
    """Return a matrix with the cells (row, column, rows, columns) set to a value or multiplied by it."""
    row, column, rows, columns = block
    place = slice(row, row + rows), slice(column, column + columns)
    edited = matrix.astype(np.float64)
    edited[place] = value if kind == "set" else edited[place] * value
    with np.errstate(over="ignore"):  # beyond float32 is inf, which is refused in words
        return edited.astype(np.float32)


def block_menu(table: MatrixTable, block: Block) -> QMenu:
    """Return the menu of a block of cells."""
    menu = QMenu(table)
    menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    menu.addAction(block_text(block, table.numbers.matrix.shape)).setEnabled(False)
    menu.addSeparator()
    menu.addAction(tr("Set to &zero"), partial(table.block_edited.emit, "set", 0.0, block))
    menu.addAction(tr("&Set to…"), partial(_ask, table, "set", block))
    menu.addAction(tr("&Multiply by…"), partial(_ask, table, "scale", block))
    menu.addAction(tr("&Negate"), partial(table.block_edited.emit, "scale", -1.0, block))
    menu.addSeparator()
    menu.addAction(tr("&Copy"), partial(table.copy, block))
    menu.addAction(tr("&Paste"), partial(table.paste, block))
    menu.addSeparator()
    whole = (0, 0, *table.numbers.matrix.shape)
    name = table.numbers.name
    menu.addAction(tr("Copy the whole {}").format(name), partial(table.copy, whole))
    menu.addAction(tr("Paste over the whole {}").format(name), partial(table.paste, whole))
    return menu


def block_text(block: Block, shape: tuple[int, ...]) -> str:
    """Return what a block is called, rows and columns counted from 1."""
    row, column, rows, columns = block
    row_text = _span(tr("row {}"), tr("rows {} to {}"), row, rows)
    column_text = _span(tr("column {}"), tr("columns {} to {}"), column, columns)
    if (rows, columns) == shape:
        text = tr("the whole matrix")
    elif columns == shape[1] and columns > 1:
        text = row_text
    elif rows == shape[0] and rows > 1:
        text = column_text
    else:
        text = f"{row_text}, {column_text}"
    return text[0].upper() + text[1:]


def _span(one: str, several: str, start: int, count: int) -> str:
    return one.format(start + 1) if count == 1 else several.format(start + 1, start + count)


def _ask(table: MatrixTable, kind: Kind, block: Block) -> None:
    titles = {"set": tr("Set to"), "scale": tr("Multiply by")}
    start = "0" if kind == "set" else "2"
    dialog = ask_number(table, titles[kind], block_text(block, table.numbers.matrix.shape), start)
    dialog.textValueSelected.connect(partial(_answer, table, partial(_emit, table, kind, block)))
    dialog.open()


def ask_number(table: MatrixTable, title: str, label: str, start: str) -> QInputDialog:
    """Return a dialog that asks for a number, typed like 0.5 or 0,5."""
    dialog = QInputDialog(table)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.setInputMode(QInputDialog.InputMode.TextInput)
    dialog.setWindowTitle(title)
    dialog.setLabelText(f"{label}: {title.lower()}")
    dialog.setTextValue(start)
    return dialog


def _answer(table: MatrixTable, done: Callable[[float], object], text: str) -> None:
    try:
        done(parse_number(text))
    except NotANumber as error:
        table.numbers.refused.emit(error.what)


def _emit(table: MatrixTable, kind: Kind, block: Block, value: float) -> None:
    table.block_edited.emit(kind, value, block)
