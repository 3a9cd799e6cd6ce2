"""A slider with a number to type: one pull of it, by mouse or keys, has a beginning and an end."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QSignalBlocker, Qt, QTimer, Signal
from PySide6.QtWidgets import QSlider

from askew_gui.widgets.fields import BURST_SECONDS, DecimalSpin
from askew_gui.widgets.labels import PlainLabel

if TYPE_CHECKING:
    from PySide6.QtGui import QWheelEvent
    from PySide6.QtWidgets import QGridLayout, QWidget

PAGES = 10
BESIDE_NUMBER = 44
"""Pixels of a number's field that are not text."""


class QuietSlider(QSlider):
    """A slider that leaves the wheel to the panel until it has the focus."""

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Move by the wheel only with the focus."""
        if self.hasFocus():
            super().wheelEvent(event)
        else:
            event.ignore()


class SliderField(QObject):
    """Label, slider and number, to be laid out in a row.

    Signals
    -------
    begun()
        The first move of a pull is about to be told.
    moved(value)
        A person moved the slider or typed a number.
    ended()
        The mouse let go, or nothing was pressed for a second, or the focus went elsewhere.
    """

    begun = Signal()
    moved = Signal(float)
    ended = Signal()

    def __init__(
        self, name: str, low: float, high: float, step: float, parent: QWidget, *, digits: int = 2
    ) -> None:
        super().__init__(parent)
        self._step = step
        self.active = False
        self.label = PlainLabel(name, parent, tone="muted")
        self.slider = QuietSlider(Qt.Orientation.Horizontal, parent)
        self.slider.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.slider.setMinimumWidth(60)
        self.number = DecimalSpin(low, high, step, digits, parent)
        self.fit_text()
        self.label.setBuddy(self.number)
        self._idle = QTimer(self)
        self._idle.setSingleShot(True)
        self._idle.setInterval(round(BURST_SECONDS * 1000))
        self._idle.timeout.connect(self.finish)
        self.set_range(low, high)
        self.show_name(name)
        self.slider.valueChanged.connect(self._slide)
        self.slider.sliderReleased.connect(self.finish)
        self.number.valueChanged.connect(self._type)
        for field in (self.slider, self.number):
            field.installEventFilter(self)

    @property
    def value(self) -> float:
        """The number shown."""
        return self.number.value()

    def add_to(self, grid: QGridLayout, row: int, column: int = 0) -> None:
        """Lay the three out in a row of a grid, from a column on."""
        for place, field in enumerate((self.label, self.slider, self.number)):
            grid.addWidget(field, row, column + place)

    def fit_text(self) -> None:
        """Make room for a number in the present text size."""
        text = self.number.fontMetrics().horizontalAdvance("−0.00")
        self.number.setFixedWidth(text + BESIDE_NUMBER)

    def show_name(self, name: str) -> None:
        """Name the field on screen and to a screen reader."""
        self.label.setText(name)
        self.slider.setAccessibleName(name)
        self.number.setAccessibleName(name)

    def explain(self, tip: str) -> None:
        """Say on hover what the field does."""
        for field in (self.label, self.slider, self.number):
            field.setToolTip(tip)

    def set_enabled(self, enabled: bool) -> None:
        """Let a person move it, or not."""
        for field in (self.label, self.slider, self.number):
            field.setEnabled(enabled)

    def set_range(self, low: float, high: float) -> None:
        """Set the ends; nothing is told."""
        with QSignalBlocker(self.slider), QSignalBlocker(self.number):
            self._low = low
            self.number.setRange(low, high)
            steps = max(0, round((high - low) / self._step))
            self.slider.setRange(0, steps)
            self.slider.setPageStep(max(1, steps // PAGES))

    def show_value(self, value: float) -> None:
        """Show a value without telling."""
        self.number.show_value(value)
        with QSignalBlocker(self.slider):
            self.slider.setValue(self._position(value))

    def finish(self) -> None:
        """End the pull, if there is one."""
        self._idle.stop()
        if self.active:
            self.active = False
            self.ended.emit()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """End the pull when the focus leaves."""
        if event.type() == QEvent.Type.FocusOut and not self.slider.isSliderDown():
            self.finish()
        return super().eventFilter(watched, event)

    def _position(self, value: float) -> int:
        return round((value - self._low) / self._step)

    def _slide(self, position: int) -> None:
        value = self._low + position * self._step
        self.number.show_value(value)
        self._tell(self.number.value())

    def _type(self, value: float) -> None:
        with QSignalBlocker(self.slider):
            self.slider.setValue(self._position(value))
        self._tell(value)

    def _tell(self, value: float) -> None:
        if not self.active:
            self.active = True
            self.begun.emit()
        self.moved.emit(value)
        if self.slider.isSliderDown():
            self._idle.stop()
        else:
            self._idle.start()
