"""Sliders that shape the weights of the selected heads; every pull starts from the heads as they are."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer, Slot
from PySide6.QtWidgets import (
    QBoxLayout,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from askew.circuit import FLOAT32_NOISE, asymmetry, circuit_svd
from askew.errors import AskewError
from askew.heads import PARTS
from askew_gui import intents_weights
from askew_gui.i18n import tr
from askew_gui.panels import shaping_drags as drags
from askew_gui.panels.shaping_sources import NOW, RANDOM, SourceChoice
from askew_gui.widgets.labels import PlainLabel
from askew_gui.widgets.slider_field import SliderField
from askew_gui.widgets.text_size import changes_text_size

if TYPE_CHECKING:
    from PySide6.QtCore import QEvent
    from PySide6.QtGui import QResizeEvent, QShowEvent

    from askew.experiment import Experiment
    from askew.heads import Head, Part
    from askew_gui.panels.shaping_drags import Drag
    from askew_gui.store import Store

LIVE_WIDTH = 96
"""Up to this d_k the numbers follow every step; above, a pause."""
SLOW_SECONDS = 0.1
"""Where a step takes longer, the next ones wait until the hand rests."""
PAUSE_MS = 150
LOW_LINES = 11
"""A panel of fewer lines of text than this is low."""
WIDE_TEXT = 68
"""Letters that two columns are wide."""
TIGHT = 8
QWIDGETSIZE_MAX = 16_777_215


class ShapingPanel(QWidget):
    """Five sliders, the two sources of a blend, and what came of it in numbers."""

    def __init__(self, store: Store, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._store = store
        self._drag: Drag | None = None
        self._moving = False
        self._wanted: float | None = None  # where the slider is, if the heads are not there yet
        self._seconds = 0.0  # what the last step took
        self._low: bool | None = None
        self.part: Part = "q"
        self.fields = {
            drags.TIE: SliderField(tr("tie W_k to W_q"), 0.0, 1.0, 0.01, self),
            drags.RANK: SliderField(tr("rank"), 1.0, 2.0, 1.0, self, digits=0),
            drags.SYMMETRY: SliderField(tr("symmetric ↔ skew"), -1.0, 1.0, 0.01, self),
            drags.NOISE: SliderField(tr("noise on W_q"), 0.0, 2.0, 0.01, self),
            drags.BLEND: SliderField(tr("blend"), 0.0, 1.0, 0.01, self),
        }
        self.sources = (SourceChoice(NOW, self), SourceChoice(RANDOM, self))
        self.numbers = PlainLabel("", self).shorten()
        self.remark = PlainLabel("", self, tone="muted").shorten()
        self._pause, self._rest = QTimer(self), QTimer(self)
        for timer, act in ((self._pause, self._show_numbers), (self._rest, self._step)):
            timer.setSingleShot(True)
            timer.setInterval(PAUSE_MS)
            timer.timeout.connect(act)
        self._explain()
        self._lay_out()
        self._connect()
        self.refresh()

    def _explain(self) -> None:
        tips = {
            drags.TIE: tr(
                "W_k = τ·W_q + √(1 − τ²)·G with G drawn at random: 1 makes them equal, and scores "
                "without biases symmetric; 0 leaves W_k free. Biases stay"
            ),
            drags.RANK: tr(
                "Keeps this many directions of W_q·W_kᵀ = U·Σ·Vᵀ, the most important ones: W_q becomes "
                "U·Uᵀ·W_q, W_k becomes V·Vᵀ·W_k. Biases stay"
            ),
            drags.SYMMETRY: tr(
                "M = W_q·W_kᵀ is S₊ + S₋ with S± = (M ± Mᵀ)/2: −1 keeps S₊ alone, 0 is as it is, "
                "1 keeps S₋ alone. What d_k columns cannot hold is left out"
            ),
            drags.NOISE: tr("Normal noise, so many times as large as the matrix (its rms)"),
            drags.BLEND: tr("(1 − s)·first + s·second, of all matrices and biases"),
        }
        for name, tip in tips.items():
            self.fields[name].explain(tip)
        for source, name in zip(self.sources, (tr("Blend from"), tr("Blend to")), strict=True):
            source.setAccessibleName(name)
            source.setToolTip(tr("{}. Choosing random again draws another seed").format(name))

    def _lay_out(self) -> None:
        self._ends = QWidget(self)
        ends = QHBoxLayout(self._ends)
        ends.setContentsMargins(0, 0, 0, 0)
        ends.setSpacing(6)
        ends.addWidget(self.sources[0], 1)
        ends.addWidget(PlainLabel("→", self, tone="muted"))
        ends.addWidget(self.sources[1], 1)
        inner = QWidget()
        self._grid = QGridLayout(inner)
        self._grid.setContentsMargins(4, 0, 4, 0)
        self._grid.setHorizontalSpacing(8)
        self._grid.setVerticalSpacing(2)
        scroll = QScrollArea(self)  # for a low panel and large text
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        scroll.setWidgetResizable(True)
        scroll.setWidget(inner)
        self._said = QBoxLayout(QBoxLayout.Direction.TopToBottom)
        self._said.setContentsMargins(4, 0, 4, 0)
        self._said.setSpacing(3)
        self._said.addWidget(self.numbers, 3)
        self._said.addWidget(self.remark, 2)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(3)
        layout.addWidget(scroll, 1)
        layout.addLayout(self._said)
        self._fit()

    def _fit(self) -> None:
        """Lay the rows out in two columns where the panel is low, else in one."""
        text = self.fontMetrics()
        low = self.height() < text.height() * LOW_LINES and self.width() > text.averageCharWidth() * WIDE_TEXT
        if low == self._low:
            return
        self._low = low
        columns = 2 if low else 1
        for place, field in enumerate(self.fields.values()):
            field.add_to(self._grid, place // columns, 3 * (place % columns))
        last = len(self.fields)
        self._grid.addWidget(self._ends, last // columns, 3 * (last % columns), 1, 3)
        for column in (1, 4):
            self._grid.setColumnStretch(column, int(column < 3 * columns))
        self._grid.setRowStretch(last // columns + 1, 1)
        self._grid.setRowStretch(last // (3 - columns) + 1, 0)
        directions = QBoxLayout.Direction
        self._said.setDirection(directions.LeftToRight if low else directions.TopToBottom)
        self._fit_fields()

    def _fit_fields(self) -> None:
        """Make the fields as wide as their text, and as low as it allows where the panel is low."""
        height = self.fontMetrics().height() + TIGHT
        for slider in self.fields.values():
            slider.fit_text()
        for field in (*(each.number for each in self.fields.values()), *self.sources):
            field.setMaximumHeight(height if self._low else QWIDGETSIZE_MAX)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Lay out for the new height."""
        super().resizeEvent(event)
        self._fit()

    def changeEvent(self, event: QEvent) -> None:
        """Follow the text size."""
        super().changeEvent(event)
        if changes_text_size(event):
            self._fit()
            self._fit_fields()

    def _connect(self) -> None:
        for name, field in self.fields.items():
            field.setObjectName(name)
            field.begun.connect(self._begin)
            field.moved.connect(self._move)
            field.ended.connect(self._end)
        for source in self.sources:
            source.activated.connect(self._choose_source)
        self._store.changed.connect(self._follow)

    def show_part(self, part: Part) -> None:
        """Put noise on W_q, W_k or W_v from now on."""
        self.part = part
        self.fields[drags.NOISE].show_name(tr("noise on W_{}").format(part))
        self._show_locks()

    @Slot(object, object)
    def _follow(self, old: Experiment, new: Experiment) -> None:
        if old.heads is new.heads and old.selected == new.selected and old.embedding is new.embedding:
            return
        if self._moving:
            self._numbers_soon()
            return
        self.remark.setText("")
        self._drop()
        self.refresh()

    def refresh(self) -> None:
        """Bring every slider to where the heads are now."""
        if not self.isVisible():
            return
        now = self._store.experiment
        head = now.heads[now.selected[-1]]
        self.fields[drags.RANK].set_range(1.0, float(head.d_k))
        for source in self.sources:
            source.refresh(now)
        self.fields[drags.TIE].show_value(drags.tied_by(head))
        for name in (drags.SYMMETRY, drags.NOISE):
            self.fields[name].show_value(0.0)
        self._show_blend()
        self._show_locks()
        self._numbers_soon()

    @Slot()
    def _choose_source(self) -> None:
        self._show_blend()
        self.remark.setText(drags.seeds_of(self.sources))

    def _show_blend(self) -> None:
        """Bring the blend to the end that is the head as it is, if one of them is."""
        names = [source.name for source in self.sources]
        if NOW in names:
            self.fields[drags.BLEND].show_value(float(names.index(NOW)))

    def _show_locks(self) -> None:
        """Leave what draws to matrices that are not locked, and say why where they are."""
        now = self._store.experiment
        drawn = {drags.TIE: ("k",), drags.NOISE: (self.part,), drags.BLEND: PARTS}
        locked = [(h, part) for h in now.selected for part in PARTS if part in now.heads[h].locked]
        for name, parts in drawn.items():
            self.fields[name].set_enabled(not any(part in parts for _, part in locked))
        for source in self.sources:
            source.setEnabled(not locked)
        if locked:
            names = ", ".join(tr("W_{} of head {}").format(part, h) for h, part in locked[:3])
            more = ", …" if len(locked) > 3 else ""
            self.remark.setText(tr("Locked against what draws anew: {}").format(names + more))

    @Slot()
    def _begin(self) -> None:
        field = self.sender()
        for other in self.fields.values():
            if other is not field:
                other.finish()
        self._drag = drags.drag_of(field.objectName(), self._store.experiment, self.part, self.sources)

    @Slot(float)
    def _move(self, value: float) -> None:
        self._wanted = value
        if self._seconds > SLOW_SECONDS:
            self._rest.start()
        else:
            self._step()

    @Slot()
    def _step(self) -> None:
        """Bring the heads to where the slider is."""
        drag, value, self._wanted = self._drag, self._wanted, None
        if drag is None or value is None:
            return
        began = time.monotonic()
        self._moving = True
        try:
            made = drag.at(value)
            heads: dict[int, Head] = {h: head for h, (head, _) in made.items()}
            intents_weights.put_heads(self._store, heads, drag.label, drag.key)
        except AskewError as error:
            self._store.fail(error)
            return
        finally:
            self._moving = False
        self._seconds = time.monotonic() - began
        said = (drag.remark, made[self._store.experiment.selected[-1]][1])
        self.remark.setText(" · ".join(filter(None, said)))

    @Slot()
    def _end(self) -> None:
        self._rest.stop()
        self._step()
        self._drag, self._seconds = None, 0.0
        self.refresh()

    def _drop(self) -> None:
        """End a pull without a word: something else changed the heads."""
        self._drag, self._wanted = None, None
        for field in self.fields.values():
            field.finish()

    def _numbers_soon(self) -> None:
        now = self._store.experiment
        if now.heads[now.selected[-1]].d_k <= LIVE_WIDTH:
            self._show_numbers()
        else:
            self._pause.start()

    @Slot()
    def _show_numbers(self) -> None:
        if not self.isVisible():
            return
        now = self._store.experiment
        h = now.selected[-1]
        svd = circuit_svd(now.heads[h])
        skew, rank = asymmetry(now.heads[h]), svd.effective_rank
        if not self.fields[drags.RANK].active:
            self.fields[drags.RANK].show_value(float(max(1, svd.rank_above(FLOAT32_NOISE))))
        text = tr("W_q·W_kᵀ: all zeros")
        if skew is not None and rank is not None:
            text = tr("W_q·W_kᵀ: asymmetry {:.2f}, effective rank {:.1f} of {}").format(
                skew, rank, now.heads[h].d_k
            )
        if len(now.selected) > 1:
            text = tr("{} heads alike; head {}: {}").format(len(now.selected), h, text.partition(": ")[2])
        self.numbers.setText(text)

    def showEvent(self, event: QShowEvent) -> None:
        """Show what has changed meanwhile."""
        super().showEvent(event)
        self.refresh()
