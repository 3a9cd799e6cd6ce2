"""Preparing big vector files for nearest words: when an import begins, and what is said where none comes."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING
from weakref import WeakSet

from PySide6.QtCore import QObject, QTimer, Signal

from askew.errors import AskewError
from askew_gui.i18n import tr
from askew_gui.importing import Importer
from askew_gui.nearest import FIRST
from askew_gui.opening import chosen

if TYPE_CHECKING:
    from pathlib import Path

    from askew.vectors.options import Options
    from askew.vectors.table import WordVectors
    from askew_gui.helper import Failure
    from askew_gui.jobs import Job
    from askew_gui.messages import MessageBar
    from askew_gui.store import Store

STAND_IN = "first words"
BEGIN_AFTER = 800  # ms: the first maps come first


class Preparation(QObject):
    """Has the vectors in use imported if they need it; what was cancelled or failed is not begun again.

    Signals
    -------
    changed()
        An import began, went on or ended.
    prepared(vectors)
        The nearest words of this table can be had.
    """

    changed = Signal()
    prepared = Signal(object)

    def __init__(self, store: Store, messages: MessageBar, parent: QObject) -> None:
        super().__init__(parent)
        self._store, self._messages = store, messages
        self._not_again: WeakSet[WordVectors] = WeakSet()
        self._cache_failed = False
        self.importer = Importer(store.jobs, self)
        self.importer.changed.connect(self.changed)
        self.importer.imported.connect(self.prepared)
        self.importer.failed.connect(self._on_failed)
        self.pause = QTimer(self)
        self.pause.setSingleShot(True)
        self.pause.setInterval(BEGIN_AFTER)
        self.pause.timeout.connect(self.begin)

    def begin_later(self) -> None:
        """Begin in a moment, if the vectors in use need it."""
        vectors = self._store.vectors
        if vectors.source is not None and vectors not in self._not_again:
            self.pause.start()

    def begin(self) -> None:
        """Begin, unless that was cancelled or has failed before."""
        if self._store.vectors not in self._not_again:
            self.importer.start(self._store.vectors)

    def begin_again(self) -> None:
        """Begin although it was cancelled, or has failed, before."""
        self._not_again.discard(self._store.vectors)
        self.begin()

    def cancel(self) -> None:
        """Do without the nearest words of the file that is being imported."""
        vectors = self.importer.vectors
        if vectors is not None:
            self._not_again.add(vectors)
        self.importer.cancel()

    def close(self) -> None:
        """End what runs, before the window goes."""
        self.pause.stop()
        self.importer.close()

    def _on_failed(self, vectors: WordVectors, failure: Failure) -> None:
        self._not_again.add(vectors)
        self.changed.emit()
        if failure.kind == "CacheError":
            self._go_on_without_cache(vectors, failure)
            return
        without = tr("All works but the nearest words of {}").format(vectors.name)
        if failure.kind == "DamagedError":
            skip = (tr("Leave it out"), partial(self._begin_without_damage, vectors))
            self._messages.offer(failure.text, without, (skip,), "warning")
        else:
            self._messages.offer(failure.text, _sentences(without, failure.remedy), (), "warning")

    def _go_on_without_cache(self, vectors: WordVectors, failure: Failure) -> None:
        if vectors.source is not None:
            path, options = vectors.source
            work = partial(_read_first, path, replace(options, limit=FIRST))
            keep = partial(self._store.keep_stand_in, vectors)
            self._store.jobs.submit("files", work, keep, self._on_no_stand_in, topic=STAND_IN)
        if not self._cache_failed:  # said once, not for every file
            self._cache_failed = True
            less = tr("Nearest words of big files are looked for among the first {} words")
            remedy = _sentences(less.format(f"{FIRST:,}"), failure.remedy)
            self._messages.offer(failure.what, remedy, (), "warning")

    def _on_no_stand_in(self, error: Exception) -> None:
        if not isinstance(error, AskewError):
            raise error
        self._store.fail(error)

    def _begin_without_damage(self, vectors: WordVectors) -> None:
        if vectors.source is not None:
            path, options = vectors.source
            vectors.source = (path, replace(options, skip_damaged=True))
            self._not_again.discard(vectors)
            self.importer.start(vectors)


def _sentences(*parts: str) -> str:
    return ". ".join(part for part in parts if part)


def _read_first(path: Path, options: Options, _job: Job) -> WordVectors:
    from askew.vectors import open_vectors

    return open_vectors(path, **chosen(options))
