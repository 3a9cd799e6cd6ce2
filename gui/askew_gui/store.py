"""The current experiment, its evaluation and the undo stack: the one place where state changes."""

from __future__ import annotations

import re
from dataclasses import fields, replace
from functools import partial
from operator import attrgetter
from typing import TYPE_CHECKING, cast
from weakref import WeakKeyDictionary

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QUndoCommand, QUndoStack

from askew.errors import AskewError
from askew.experiment import Experiment, evaluate
from askew.session import Session
from askew_gui.jobs import Jobs

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from askew.experiment import Evaluation
    from askew.heads import Head
    from askew.vectors.table import WordVectors
    from askew_gui.jobs import Job

    Choice = tuple[str, Callable[[], object]]

UNDO_LIMIT = 200

# Above this many numbers in the patterns to compute, an evaluation takes longer than a key press should;
# below it a trip to the worker costs more than the work. One head of 512 tokens, or twelve of 150.
INLINE_CELLS = 300_000

_SHOWN = ("selected", "quantity", "compare", "stretch")
"""Fields that choose what is shown of an evaluation and change none of its numbers."""

_NAME = re.compile(r"^[a-z]+ [^,]*\.\w+(?=,|$)")  # of a file, which a sentence would begin with a capital
_DECIDING = attrgetter(*(field.name for field in fields(Experiment) if field.name not in ("heads", *_SHOWN)))
"""Returns all fields but the heads that change the numbers."""


class _Change(QUndoCommand):
    """Before and after of one edit; merged while the merge key stays the same."""

    def __init__(self, store: Store, after: Experiment, label: str, merge_key: str | None) -> None:
        super().__init__(label)
        self._store = store
        self.before = store.experiment
        self.after = after
        self.merge_key = merge_key

    def redo(self) -> None:
        self._store._target = self.after

    def undo(self) -> None:
        self._store._target = self.before

    def id(self) -> int:
        return 1 if self.merge_key is not None else -1

    def mergeWith(self, other: QUndoCommand) -> bool:
        if not isinstance(other, _Change) or other.merge_key != self.merge_key:
            return False
        self.after = other.after
        self.setText(other.text())
        other.forget()
        if self.after == self.before:  # there and back again: a step that would do nothing
            self.setObsolete(True)
            self.forget()
        return True

    def forget(self) -> None:
        """Let go of the experiments: PySide keeps steps that Qt has thrown away as long as the stack."""
        del self.before, self.after


class Store(QObject):
    """Holds the session and tells everyone when it changed.

    What is on screen comes from `evaluation`, and so do the experiment's fields that belong to it
    (`evaluation.experiment`): while a long text is computed in the background, `experiment` is ahead of it.

    Signals
    -------
    changed(old, new)
        The experiment was replaced.
    evaluated(evaluation)
        The maps of the present experiment are known.
    stale_changed(stale)
        The maps are, or no longer are, older than the experiment.
    head_copied()
        There is a head to paste.
    said(level, text, remedy)
        Something the user should read; level is "info", "warning" or "error".
    refused(text, remedy)
        The present experiment cannot be evaluated; both are empty once it can be, or another one is shown.
    offered(text, remedy, choices)
        An error with ways out: `choices` are pairs of what a button says and what it does.
    """

    changed = Signal(object, object)
    evaluated = Signal(object)
    stale_changed = Signal(bool)
    head_copied = Signal()
    said = Signal(str, str, str)
    refused = Signal(str, str)
    offered = Signal(str, str, object)

    def __init__(
        self,
        experiment: Experiment,
        vectors: WordVectors,
        parent: QObject | None = None,
        *,
        jobs: Jobs | None = None,
    ) -> None:
        super().__init__(parent)
        self._session = Session((experiment,))
        self._target = experiment
        self._tables = {vectors.fingerprint: vectors}
        self._stand_ins: WeakKeyDictionary[WordVectors, WordVectors] = WeakKeyDictionary()
        self._stale = self._refused = False
        self._epoch = 0
        self._copied_head: Head | None = None
        self.jobs = jobs or Jobs(self)
        self.evaluation: Evaluation = evaluate(experiment, vectors)
        self.undo_stack = QUndoStack(self)
        self.undo_stack.setUndoLimit(UNDO_LIMIT)
        self.undo_stack.indexChanged.connect(self._follow)

    @property
    def experiment(self) -> Experiment:
        """The experiment that is shown."""
        return self._session.experiment

    @property
    def vectors(self) -> WordVectors:
        """The table that the present experiment refers to."""
        return self._tables[self.experiment.vectors.fingerprint]

    @property
    def copied_head(self) -> Head | None:
        """The head to paste."""
        return self._copied_head

    @copied_head.setter
    def copied_head(self, head: Head | None) -> None:
        self._copied_head = head
        self.head_copied.emit()

    @property
    def stale(self) -> bool:
        """True while `evaluation` is not of the present experiment."""
        return self._stale

    @property
    def computing(self) -> bool:
        """True while `evaluation` is on its way; a stale one that is not was refused."""
        return self._stale and not self._refused

    @property
    def session(self) -> Session:
        """All variants and the title; the active variant is `experiment`."""
        return self._session

    def replace_session(self, session: Session, tables: Iterable[WordVectors]) -> None:
        """Show another session, with the tables of all its variants; a new history begins."""
        before = self.experiment
        self._tables = {table.fingerprint: table for table in tables}
        self._session, self._target = session, session.experiment
        self._epoch += 1
        self.undo_stack.clear()
        self._show(before, session.experiment)

    def register(self, vectors: WordVectors) -> None:
        """Make a table known, so that experiments may refer to it; forget those that none refers to."""
        kept = self._referred()
        self._tables = {key: table for key, table in self._tables.items() if key in kept}
        self._tables[vectors.fingerprint] = vectors

    def apply(self, after: Experiment, label: str, merge_key: str | None = None) -> None:
        """Replace the experiment; one step of undo, merged with the last one that has the same key.

        `label` is what the menu says after "Undo": a verb phrase without a capital.
        """
        if after == self.experiment:
            return
        # After an undo or redo, the same key begins a new step.
        key = None if merge_key is None else f"{self._epoch}:{merge_key}"
        self.undo_stack.push(_Change(self, after, label, key))

    def undo(self) -> None:
        """Take the last step back."""
        self._epoch += 1
        self.undo_stack.undo()

    def redo(self) -> None:
        """Do again what was taken back last."""
        self._epoch += 1
        self.undo_stack.redo()

    def take_back(self) -> None:
        """Undo the last step for good: it will not be offered again."""
        step = cast("_Change", self.undo_stack.command(self.undo_stack.index() - 1))
        self._target = step.before  # Qt removes an obsolete step without calling its undo
        self._epoch += 1
        step.setObsolete(True)
        self.undo_stack.undo()
        step.forget()

    def say(self, level: str, text: str, remedy: str = "") -> None:
        """Show a message in the message bar."""
        self.said.emit(level, text, remedy)

    def fail(self, error: AskewError) -> None:
        """Show an error as a message: what happened and where, and what to do."""
        self.said.emit("error", _text(error), error.remedy)

    def offer(self, error: AskewError, remedy: str, choices: Sequence[Choice]) -> None:
        """Show an error together with what can be done about it at once."""
        self.offered.emit(_text(error), remedy, tuple(choices))

    @property
    def tables(self) -> tuple[WordVectors, ...]:
        """The tables that the experiment or a step of undo may refer to."""
        return tuple(self._tables.values())

    @property
    def stand_in(self) -> WordVectors | None:
        """A table of the first words of the vectors in use, where all of them cannot be searched."""
        return self._stand_ins.get(self.vectors)

    def keep_stand_in(self, vectors: WordVectors, table: WordVectors) -> None:
        """Search `table` in place of `vectors` from now on."""
        self._stand_ins[vectors] = table

    def renew(self) -> None:
        """Evaluate again although the experiment is the same: its table has become another inside."""
        work = partial(_evaluate, self.experiment, self.vectors, None)
        self.jobs.submit("compute", work, self._take, self._refuse, topic="evaluate")

    def _referred(self) -> set[str]:
        kept = {variant.vectors.fingerprint for variant in self._session.variants}
        for index in range(self.undo_stack.count()):
            step = cast("_Change", self.undo_stack.command(index))
            kept |= {step.before.vectors.fingerprint, step.after.vectors.fingerprint}
        return kept

    def _follow(self) -> None:
        """Show what the stack came to; called once it is consistent, so that slots may edit again."""
        before, after = self.experiment, self._target
        if after is before:
            return
        variants, active = self._session.variants, self._session.active
        self._session = replace(self._session, variants=(*variants[:active], after, *variants[active + 1 :]))
        self._show(before, after)

    def _show(self, before: Experiment, after: Experiment) -> None:
        """Evaluate an experiment, at once or in the background, and tell of it."""
        work = partial(_evaluate, after, self.vectors, self.evaluation)
        self.jobs.drop("evaluate")
        if _cells(self.evaluation.experiment, after) > INLINE_CELLS:
            self._refused = False
            self.changed.emit(before, after)
            self._set_stale(True)
            self.jobs.submit("compute", work, self._take, self._refuse, topic="evaluate")
            return
        try:
            self.evaluation = work(None)
        except Exception as error:
            self.changed.emit(before, after)
            self._refuse(error)
            return
        self.changed.emit(before, after)
        self._take(self.evaluation)

    def _take(self, evaluation: Evaluation) -> None:
        self.evaluation = evaluation
        self._refused = False
        self._set_stale(False)
        self.refused.emit("", "")
        self.evaluated.emit(evaluation)

    def _refuse(self, error: Exception) -> None:
        self._refused = True
        self._set_stale(True)
        if not isinstance(error, AskewError):
            raise error
        self.refused.emit(_text(error), error.remedy)

    def _set_stale(self, stale: bool) -> None:
        if stale != self._stale:
            self._stale = stale
            self.stale_changed.emit(stale)


def _text(error: AskewError) -> str:
    where = _NAME.sub(r"“\g<0>”", error.where)
    return f"{where}: {error.what}" if where else error.what


def _evaluate(
    experiment: Experiment, vectors: WordVectors, previous: Evaluation | None, _job: Job | None
) -> Evaluation:
    return evaluate(experiment, vectors, previous=previous)


def _cells(known: Experiment, wanted: Experiment) -> int:
    """Return about how many numbers of patterns have to be computed, without looking at the vocabulary."""
    same = _DECIDING(known) == _DECIDING(wanted)
    old = set(known.heads) if same else set()
    heads = sum(head not in old for head in wanted.heads)
    text = wanted.text
    tokens = text.count(" ") + 1
    if not text.isascii():
        tokens += sum(character > "⺀" for character in text)
    return tokens * tokens * heads
