"""A brush for the picture of a matrix: what it does to the cells it passes, and the fields that say so."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np
from PySide6.QtCore import Signal
from PySide6.QtWidgets import QGridLayout, QPushButton, QWidget

from askew_gui.i18n import tr
from askew_gui.widgets.fields import Choice, DecimalSpin, WholeSpin

if TYPE_CHECKING:
    from askew.arrays import BoolArray, Float32

Mode = Literal["set", "raise", "lower"]
LARGEST = 64
BROADEST = 240


@dataclass(frozen=True, slots=True)
class Brush:
    """How broad it is in cells, and what it does: set to `value`, or raise or lower by it."""

    size: int = 3
    mode: Mode = "set"
    value: float = 1.0

    def painted(self, matrix: Float32, cells: BoolArray) -> Float32:
        """Return a matrix with the cells (rows, columns) painted, each once."""
        step = {"raise": self.value, "lower": -self.value}.get(self.mode)
        with np.errstate(over="ignore"):  # beyond float32 is inf, which is refused in words
            changed = np.float32(self.value) if step is None else matrix + np.float32(step)
        return np.where(cells, changed, matrix).astype(np.float32)

    def block(self, cell: tuple[int, int], shape: tuple[int, int]) -> tuple[slice, slice]:
        """Return the rows and columns it covers with its middle on a cell."""
        starts = [at - (self.size - 1) // 2 for at in cell]
        rows, columns = (
            slice(max(start, 0), min(start + self.size, most))
            for start, most in zip(starts, shape, strict=True)
        )
        return rows, columns

    def stroke(self, cells: BoolArray, start: tuple[int, int], end: tuple[int, int]) -> None:
        """Mark the cells it passes on the straight way between two cells."""
        steps = max(abs(end[0] - start[0]), abs(end[1] - start[1]), 1)
        for step in range(steps + 1):
            at = tuple(round(a + (b - a) * step / steps) for a, b in zip(start, end, strict=True))
            cells[self.block((at[0], at[1]), (cells.shape[0], cells.shape[1]))] = True


class BrushBar(QWidget):
    """A button that takes up the brush, its size, and what it does.

    Signals
    -------
    brush_changed(brush)
        Another `Brush`, or None where it was put down.
    """

    brush_changed = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        usual = Brush()
        self.toggle = QPushButton(tr("Brush"), self)
        self.toggle.setCheckable(True)
        self.toggle.setToolTip(
            tr("Paint numbers on the picture; Esc or the right button takes a stroke back")
        )
        self.size_field = WholeSpin(1, LARGEST, self)
        self.size_field.setPrefix("⌀ ")
        self.size_field.setToolTip(tr("Breadth of the brush in cells"))
        self.size_field.setAccessibleName(tr("Breadth of the brush"))
        self.mode = Choice(
            [("set", tr("set to")), ("raise", tr("raise by")), ("lower", tr("lower by"))], self
        )
        self.mode.setToolTip(tr("What the brush does; a stroke changes each cell once"))
        self.mode.setAccessibleName(tr("What the brush does"))
        self.value = DecimalSpin(-1e6, 1e6, 0.1, 2, self)
        self.value.setAccessibleName(tr("Value of the brush"))
        self.size_field.show_value(usual.size)
        self.mode.show_name(usual.mode)
        self.value.show_value(usual.value)
        self.setMaximumWidth(BROADEST)
        layout = QGridLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(5)
        for number, widget in enumerate((self.toggle, self.size_field, self.mode, self.value)):
            layout.addWidget(widget, number // 2, number % 2)
            layout.setColumnStretch(number % 2, 1)
        self.toggle.toggled.connect(self._tell)
        self.size_field.valueChanged.connect(self._tell)
        self.mode.activated.connect(self._tell)
        self.value.valueChanged.connect(self._tell)
        self._tell()

    @property
    def brush(self) -> Brush | None:
        """The brush, if it is taken up."""
        if not self.toggle.isChecked():
            return None
        modes: dict[str, Mode] = {"raise": "raise", "lower": "lower"}
        return Brush(self.size_field.value(), modes.get(self.mode.name, "set"), self.value.value())

    def _tell(self, _what: object = None) -> None:
        for field in (self.size_field, self.mode, self.value):
            field.setVisible(self.toggle.isChecked())
        self.brush_changed.emit(self.brush)
