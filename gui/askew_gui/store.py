"""The current experiment, its evaluation and the undo stack: the one place where state changes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QUndoCommand, QUndoStack

from askew.experiment import evaluate
from askew.session import Session

if TYPE_CHECKING:
    from askew.experiment import Evaluation, Experiment
    from askew.vectors.table import WordVectors

UNDO_LIMIT = 200


class _Change(QUndoCommand):
    """Before and after of one edit; merged while the merge key stays the same."""

    def __init__(self, store: Store, after: Experiment, label: str, merge_key: str | None) -> None:
        super().__init__(label)
        self._store = store
        self._before = store.experiment
        self._after = after
        self.merge_key = merge_key

    def redo(self) -> None:
        self._store._show(self._after)

    def undo(self) -> None:
        self._store._show(self._before)

    def id(self) -> int:
        return 1 if self.merge_key is not None else -1

    def mergeWith(self, other: QUndoCommand) -> bool:
        if not isinstance(other, _Change) or other.merge_key != self.merge_key:
            return False
        self._after = other._after
        return True


class Store(QObject):
    """Holds the session and tells everyone when it changed.

    Signals
    -------
    changed(old, new)
        The experiment was replaced.
    evaluated(evaluation)
        The maps of the present experiment are known.
    said(level, text)
        Something the user should read; level is "info", "warning" or "error".
    """

    changed = Signal(object, object)
    evaluated = Signal(object)
    said = Signal(str, str)

    def __init__(self, experiment: Experiment, vectors: WordVectors, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = Session((experiment,))
        self._tables = {vectors.fingerprint: vectors}
        self.evaluation: Evaluation = evaluate(experiment, vectors)
        self.undo_stack = QUndoStack(self)
        self.undo_stack.setUndoLimit(UNDO_LIMIT)

    @property
    def experiment(self) -> Experiment:
        """The experiment that is shown."""
        return self._session.experiment

    @property
    def vectors(self) -> WordVectors:
        """The table that the present experiment refers to."""
        return self._tables[self.experiment.vectors.fingerprint]

    def register(self, vectors: WordVectors) -> None:
        """Make a table known, so that experiments may refer to it."""
        self._tables[vectors.fingerprint] = vectors

    def apply(self, after: Experiment, label: str, merge_key: str | None = None) -> None:
        """Replace the experiment; one step of undo, merged with the last one that has the same key."""
        if after != self.experiment:
            self.undo_stack.push(_Change(self, after, label, merge_key))

    def say(self, level: str, text: str) -> None:
        """Show a message in the message bar."""
        self.said.emit(level, text)

    def _show(self, experiment: Experiment) -> None:
        before = self.experiment
        self._session = Session((experiment,))
        self.changed.emit(before, experiment)
        self.evaluation = evaluate(experiment, self.vectors, previous=self.evaluation)
        self.evaluated.emit(self.evaluation)
