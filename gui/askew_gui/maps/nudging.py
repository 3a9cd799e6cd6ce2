"""A drag that gives one cell of the head's map another value, through the least change of W_q or W_k."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QApplication

from askew.edits import with_head
from askew.errors import AskewError, ExperimentError
from askew.heatmap import symmetric_limits
from askew.positions import ROTATED
from askew_gui.i18n import tr
from askew_gui.maps.numbers import number_text
from askew_gui.widgets.fields import Burst

if TYPE_CHECKING:
    from askew.arrays import Float32
    from askew.evaluation import Evaluation
    from askew.experiment import Experiment
    from askew.heads import Head
    from askew.heatmap import Heatmap
    from askew.nudge import Aim, Collateral, Half
    from askew_gui.focus import Cell
    from askew_gui.store import Store

WEIGHT_STROKE, SCORE_STROKE = 200.0, 120.0
"""Pixels of a drag that are worth a whole weight, and the largest score of the map."""

LEAST, MOST = 0.001, 0.999
WEIGHT_STEP, SCORE_STEPS = 0.05, 20


@dataclass(eq=False)
class _Drag:
    """A drag from the press on: where it began, and what it came to."""

    base: Evaluation
    aim: Aim
    head: int
    cell: Cell
    part: Half
    y: float
    key: str
    moved: bool = False
    wanted: float = 0.0
    bound: bool = False
    last: Experiment | None = None
    collateral: Collateral | None = None


class Nudging(QObject):
    """Follows one drag at a time; every move is an edit of the head as it was at the press.

    Signals
    -------
    moved()
        What is shown of the drag has changed, or it has ended.
    """

    moved = Signal()

    def __init__(self, store: Store, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._store = store
        self._drag: _Drag | None = None
        self._drags = 0
        self._burst = Burst()
        store.changed.connect(self._on_changed)
        store.evaluated.connect(self._on_evaluated)

    @property
    def pressed(self) -> bool:
        """Whether a drag has been begun, moved or not."""
        return self._drag is not None

    @property
    def cell(self) -> Cell | None:
        """The cell of a drag that has moved."""
        return self._drag.cell if self._drag is not None and self._drag.moved else None

    @property
    def possible(self) -> bool:
        """Whether the map on view can be nudged."""
        experiment = self._store.experiment
        try:
            check_view(experiment)
        except AskewError:
            return False
        return experiment.heads[experiment.selected[0]].scoring in ROTATED

    def begin(self, cell: Cell, y: float, part: Half = "q") -> bool:
        """Prepare a drag from a height in pixels; refuse in words what cannot be nudged."""
        try:
            aim = aim_at(self._store, cell, part)
        except AskewError as error:
            self._store.fail(error)
            return False
        self._drags += 1
        head = self._store.experiment.selected[0]
        key = f"nudge:{id(self)}:{self._drags}"
        self._drag = _Drag(self._store.evaluation, aim, head, cell, part, y, key)
        return True

    def move(self, y: float) -> None:
        """Follow the pointer: up is more, down is less."""
        drag = self._drag
        if drag is None or (not drag.moved and abs(drag.y - y) < QApplication.startDragDistance()):
            return
        drag.moved = True
        up = drag.y - y
        try:
            if _quantity(drag.base) == "pattern":
                wanted = drag.aim.weight + up / WEIGHT_STROKE
                most = max(LEAST, min(MOST, drag.aim.curve.peak.weight))
                drag.wanted = min(max(wanted, LEAST, drag.aim.curve.least.weight), most)
                drag.bound = drag.wanted != wanted
                score = drag.aim.score_for(drag.wanted)
            else:
                largest = symmetric_limits(drag.base.heads[drag.head].scores)[1]
                score = drag.wanted = drag.aim.score + up * largest / SCORE_STROKE
            self._apply(drag, score)
        except AskewError as error:
            self.cancel()
            self._store.fail(error)
        self.moved.emit()

    def _apply(self, drag: _Drag, score: float) -> None:
        after = with_head(drag.base.experiment, drag.head, drag.aim.head_for(score))
        drag.last = after
        self._store.apply(after, nudge_label(drag.head, drag.cell), drag.key)

    def finish(self) -> bool:
        """End the drag; return whether it had moved."""
        drag, self._drag = self._drag, None
        if drag is not None and drag.moved:
            self.moved.emit()
        return drag is not None and drag.moved

    def cancel(self) -> None:
        """End the drag and take back what it did."""
        drag, self._drag = self._drag, None
        if drag is not None and drag.moved:
            self._store.apply(drag.base.experiment, nudge_label(drag.head, drag.cell), drag.key)
            self.moved.emit()

    def step(self, cell: Cell, direction: int) -> None:
        """Give a cell a little more or less, as a key does; steps in quick succession are one."""
        try:
            aim = aim_at(self._store, cell, "q")
            if _quantity(self._store.evaluation) == "pattern":
                most = max(LEAST, min(MOST, aim.curve.peak.weight))
                weight = min(max(aim.weight + direction * WEIGHT_STEP, LEAST, aim.curve.least.weight), most)
                score = aim.score_for(weight)
            else:
                head = self._store.evaluation.heads[self._store.experiment.selected[0]]
                score = aim.score + direction * symmetric_limits(head.scores)[1] / SCORE_STEPS
            apply_nudge(self._store, aim.head_for(score), cell, self._burst.key(f"nudge {cell}"))
        except AskewError as error:
            self._store.fail(error)

    def lines(self) -> tuple[str, ...]:
        """Return what is said beside the cell while it is dragged."""
        drag = self._drag
        if drag is None or drag.collateral is None:
            return ()
        now = self._store.evaluation.heads[drag.head]
        score = number_text(float(now.scores[drag.cell]), signed=True)
        weight = number_text(float(now.pattern[drag.cell]))
        wanted = number_text(drag.wanted, signed=_quantity(drag.base) != "pattern")
        first = tr("wanted {wanted} · reached weight {weight}, score {score}")
        lines = [first.format(wanted=wanted, weight=weight, score=score)]
        if drag.bound:
            lines.append(tr("as far as W_{} can bring it: the row moves along").format(drag.part))
        lines.append(others_text(drag.collateral, _quantity(drag.base)))
        lines.append(tr("W_{} changes · Esc takes it back").format(drag.part))
        return tuple(lines)

    def change_map(self, difference: Heatmap) -> Heatmap:
        """Return what takes the place of the difference map meanwhile: after − before."""
        drag = self._drag
        if drag is None or drag.collateral is None:
            return difference
        changes = _changes(drag.collateral, _quantity(drag.base))
        seen = changes if difference.masked is None else changes[~difference.masked]
        return replace(
            difference,
            values=changes,
            limits=symmetric_limits(seen),
            title=tr("Change by this drag"),
            subtitle=tr("head after − before"),
            low=tr("less than before"),
            high=tr("more than before"),
        )

    def _on_changed(self, _old: object, new: Experiment) -> None:
        drag = self._drag
        if drag is not None and drag.moved and new is not drag.last:
            self._drag = None  # somebody else has changed it: undo by key, say
            self.moved.emit()

    def _on_evaluated(self, evaluation: Evaluation) -> None:
        drag = self._drag
        if drag is not None and evaluation.experiment is drag.last:
            from askew.nudge import collateral

            drag.collateral = collateral(drag.base, evaluation, drag.head, *drag.cell)
            self.moved.emit()


def aim_at(store: Store, cell: Cell, part: Half) -> Aim:
    """Return a cell of the head on view, prepared to be nudged.

    Raises
    ------
    AskewError
        If it cannot be, in words.
    """
    if store.stale:
        raise ExperimentError(tr("the maps are still being computed"), remedy=tr("Nudge in a moment"))
    check_view(store.experiment)
    from askew.nudge import Aim

    return Aim(store.evaluation, store.experiment.selected[0], *cell, part)


def check_view(experiment: Experiment) -> None:
    """Raise an `ExperimentError` unless the head's map shows weights or scores of a single head."""
    if len(experiment.selected) > 1:
        raise ExperimentError(
            tr("the map is a mean of several heads"), remedy=tr("Select one head to nudge its cells")
        )
    if experiment.quantity == "cosine":
        raise ExperimentError(
            tr("a cosine cannot be nudged: the least change is known for scores and weights"),
            remedy=tr("Show the pattern or the scores"),
        )


def apply_nudge(store: Store, head: Head, cell: Cell, merge_key: str | None = None) -> None:
    """Put the nudged head in its place."""
    number = store.experiment.selected[0]
    store.apply(with_head(store.experiment, number, head), nudge_label(number, cell), merge_key)


def nudge_label(head: int, cell: Cell) -> str:
    """Return what the undo menu says."""
    text = tr("nudge of row {row}, column {column} in head {head}")
    return text.format(row=cell[0] + 1, column=cell[1] + 1, head=head)


def others_text(told: Collateral, quantity: str) -> str:
    """Say how much the other cells of the map change."""
    largest, rms = told.largest_weight, told.rms_weight
    if quantity != "pattern":
        largest, rms = told.largest_score, told.rms_score
    text = tr("others change by at most {most} (rms {rms})")
    text = text.format(most=number_text(largest), rms=number_text(rms))
    if len(told.alike) == 1:
        return text + tr("; 1 cell of the same words moves along")
    if told.alike:
        return text + tr("; {} cells of the same words move along").format(len(told.alike))
    return text


def _quantity(evaluation: Evaluation) -> str:
    return evaluation.experiment.quantity


def _changes(told: Collateral, quantity: str) -> Float32:
    return told.pattern if quantity == "pattern" else told.scores
