"""What is typed, pasted, painted or chosen in a menu becomes an edit of the matrix on view."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QObject, Slot

from askew.heads import PARTS
from askew_gui import intents
from askew_gui.i18n import tr
from askew_gui.widgets.matrix_menu import edited_block
from askew_gui.widgets.pasted import PasteError, fitted, read_block

if TYPE_CHECKING:
    from askew.arrays import BoolArray, Float32
    from askew.experiment import Experiment
    from askew.heads import Part
    from askew_gui.panels.weights import WeightsPanel
    from askew_gui.store import Store
    from askew_gui.widgets.matrix_menu import Block, Kind


class MatrixEdits(QObject):
    """Edits of the matrix or bias that a `WeightsPanel` shows; each is one step of undo, so is a stroke."""

    def __init__(self, store: Store, panel: WeightsPanel) -> None:
        super().__init__(panel)
        self._store, self._panel = store, panel
        self._strokes = 0
        self._base: tuple[Experiment, Float32] | None = None  # as it was when the brush went down
        self._last: Experiment | None = None
        table, picture = panel.table, panel.picture
        table.numbers.edited.connect(self.edit)
        table.numbers.refused.connect(self.refuse)
        table.pasted.connect(self.paste)
        table.block_edited.connect(self.change_block)
        picture.stroked.connect(self.stroke)
        picture.stroke_ended.connect(self.end_stroke)

    @property
    def _matrix(self) -> Float32:
        return self._panel.matrix

    @property
    def _part(self) -> str:
        return self._panel.part

    @property
    def _name(self) -> str:
        from askew_gui.panels.weights import part_title

        return part_title(self._part)

    @Slot(int, int, float)
    def edit(self, row: int, column: int, value: float) -> None:
        """Set one number."""
        if self._part.startswith("w"):
            intents.set_weight(self._store, self._panel.head, _letter(self._part), row, column, value)
            return
        changed = self._matrix.copy()
        with np.errstate(over="ignore"):
            changed[row, column] = value
        self.replace(changed, tr("edit of {}").format(self._name))

    @Slot(str)
    def refuse(self, text: str) -> None:
        """Say that what was typed is no number."""
        self._store.say("warning", text, tr("The number stays as it was; type it like 0.5 or 0,5"))

    @Slot(str, int, int)
    def paste(self, text: str, row: int, column: int) -> None:
        """Put a table in from a cell on."""
        try:
            block = read_block(text)
            pasted = fitted(block.values, self._matrix, row, column)
        except PasteError as error:
            self._store.fail(error)
            return
        self.replace(pasted, tr("paste into {}").format(self._name))
        if block.remark:
            self._store.say("info", block.remark, tr("Undo takes the paste back"))

    @Slot(str, float, object)
    def change_block(self, kind: Kind, value: float, block: Block) -> None:
        """Set a block of cells to a value, or multiply it."""
        labels = {"set": tr("clearing in {}") if value == 0 else tr("setting in {}")}
        label = labels.get(kind, tr("multiplying in {}")).format(self._name)
        self.replace(edited_block(self._matrix, block, kind, value), label)

    @Slot(object)
    def stroke(self, cells: BoolArray) -> None:
        """Paint the cells a stroke has passed so far, always on the numbers from before it."""
        brush = self._panel.picture.brush
        if brush is None:
            return
        if self._base is None:
            self._base = self._store.experiment, self._matrix
            self._last = self._store.experiment
            self._strokes += 1
        if self._store.experiment is not self._last:  # somebody else has changed it meanwhile
            return
        label = tr("painting in {}").format(self._name)
        self.replace(brush.painted(self._base[1], cells), label, self._key)
        self._last = self._store.experiment

    @Slot(bool)
    def end_stroke(self, kept: bool) -> None:
        """Leave the stroke, or take it back."""
        base, self._base = self._base, None
        if base is not None and not kept and self._store.experiment is self._last:
            self._store.apply(base[0], tr("painting"), self._key)

    @property
    def _key(self) -> str:
        return f"stroke:{id(self)}:{self._strokes}"

    def replace(self, matrix: Float32, label: str, merge_key: str | None = None) -> None:
        """Replace all numbers on view."""
        if np.array_equal(matrix, self._matrix):
            return
        letter, head = _letter(self._part), self._panel.head
        if self._part.startswith("w"):
            intents.set_matrix(self._store, head, letter, matrix, label, merge_key)
        else:
            intents.set_bias(self._store, head, letter, matrix[0], label, merge_key)


def _letter(part: str) -> Part:
    """Return "q", "k" or "v" of a matrix or a bias."""
    return next(letter for letter in PARTS if part.endswith(letter))
