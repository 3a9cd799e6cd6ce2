"""Entry fields that do nothing before a person has finished, and nothing by accident."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, cast

from PySide6.QtCore import QLocale, QSignalBlocker, Qt
from PySide6.QtGui import QValidator
from PySide6.QtWidgets import QComboBox, QDoubleSpinBox, QSpinBox, QWidget

from askew_gui.widgets.numbers import NO_VALUE, NotANumber, parse_number

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QStandardItemModel, QWheelEvent
    from PySide6.QtWidgets import QListView

BURST_SECONDS = 1.0


class WholeSpin(QSpinBox):
    """A whole number, told only when it is finished: 12 does not pass through 1.

    The wheel belongs to the panel that scrolls until a person has clicked into the field.
    """

    def __init__(self, low: int, high: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._low = low
        self.setRange(low, high)
        self.setKeyboardTracking(False)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMinimumWidth(46)
        self.setGroupSeparatorShown(False)

    def show_value(self, value: int | None) -> None:
        """Show a value without telling; None is a dash."""
        with QSignalBlocker(self):
            self.setSpecialValueText("" if value is not None else NO_VALUE)
            self.setMinimum(self._low if value is not None else self._low - 1)
            # A seed of a session may be larger than any that Qt can show; it stays what it is.
            self.setValue(self.minimum() if value is None else min(value, self.maximum()))

    def shows_no_value(self) -> bool:
        """Tell whether the dash is shown."""
        return self.value() < self._low

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Leave the wheel to the panel until the field has the focus."""
        if self.hasFocus():
            super().wheelEvent(event)
        else:
            event.ignore()


class DecimalSpin(QDoubleSpinBox):
    """A decimal number; 0.5 and 0,5 are both a half, and it is told only when it is finished."""

    def __init__(
        self, low: float, high: float, step: float, digits: int = 2, parent: QWidget | None = None
    ) -> None:
        self._digits = digits  # Qt asks for a text before it is given a value
        super().__init__(parent)
        self.setLocale(QLocale.c())
        self.setDecimals(6)
        self.setRange(low, high)
        self.setSingleStep(step)
        self.setKeyboardTracking(False)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMinimumWidth(46)

    def show_value(self, value: float) -> None:
        """Show a value without telling."""
        with QSignalBlocker(self):
            self.setValue(value)

    def textFromValue(self, value: float) -> str:
        """Return the digits that are needed, and no fewer than usual."""
        shortest = f"{value:.6f}".rstrip("0").rstrip(".")
        least = f"{value:.{self._digits}f}"
        return max(least, shortest, key=len)

    def valueFromText(self, text: str) -> float:
        """Read 0.5 and 0,5 alike."""
        try:
            return parse_number(text)
        except NotANumber:
            return self.value()

    def validate(self, text: str, position: int) -> object:
        """Accept numbers inside the range, and what may become one."""
        try:
            value = parse_number(text)
        except NotANumber:
            unfinished = all(letter in "0123456789.,+-eE\u2212 " for letter in text)
            state = QValidator.State.Intermediate if unfinished else QValidator.State.Invalid
            return state, text, position
        inside = self.minimum() <= value <= self.maximum()
        return (QValidator.State.Acceptable if inside else QValidator.State.Intermediate), text, position

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Leave the wheel to the panel until the field has the focus."""
        if self.hasFocus():
            super().wheelEvent(event)
        else:
            event.ignore()


class Choice(QComboBox):
    """A choice among names; `activated` tells what a person chose, never what the program set."""

    def __init__(self, items: Sequence[tuple[str, str]], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        for name, text in items:
            self.addItem(text, name)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.setMinimumContentsLength(6)

    def show_name(self, name: str | None, otherwise: str = "") -> None:
        """Show the item of that name, or a text that is no item."""
        index = self.findData(name) if name is not None else -1
        self.setPlaceholderText(otherwise or (name or ""))
        with QSignalBlocker(self):
            self.setCurrentIndex(index)

    def offer(self, name: str, offered: bool, why_not: str = "") -> None:
        """Let an item be chosen, or not: with a reason it is greyed, without one it is not in the list."""
        row = self.findData(name)
        item = cast("QStandardItemModel", self.model()).item(row)
        item.setEnabled(offered)
        item.setToolTip("" if offered else why_not)
        cast("QListView", self.view()).setRowHidden(row, not offered and not why_not)

    @property
    def name(self) -> str:
        """Name of the item shown; empty for none."""
        return str(self.currentData() or "")

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Leave the wheel to the panel until the field has the focus."""
        if self.hasFocus():
            super().wheelEvent(event)
        else:
            event.ignore()


class Burst:
    """Merge keys for undo: steps of one field in quick succession are one step."""

    def __init__(self) -> None:
        self._last = ("", float("-inf"))
        self._number = 0

    def key(self, name: str) -> str:
        """Return the merge key of a step that happens now."""
        now = time.monotonic()
        if name != self._last[0] or now - self._last[1] > BURST_SECONDS:
            self._number += 1
        self._last = (name, now)
        return f"{name}:{id(self)}:{self._number}"
