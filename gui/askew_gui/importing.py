"""The import of a big file into the cache, by a process of its own that the window starts and ends."""

from __future__ import annotations

import time
from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal

from askew.errors import AskewError, VectorsError
from askew_gui.helper import Failure, Helper
from askew_gui.i18n import tr
from askew_gui.opening import chosen

if TYPE_CHECKING:
    from pathlib import Path

    from askew.vectors.options import Options
    from askew.vectors.table import WordVectors
    from askew_gui.jobs import Job, Jobs

TOPIC = "import"


class Importer(QObject):
    """Imports one table at a time; a later one ends the import of an earlier one.

    Signals
    -------
    changed()
        It began, went on or ended.
    imported(vectors)
        The store of this table is there and was taken over: nearest words can be had.
    failed(vectors, failure)
        There will be no store of this table.
    """

    changed = Signal()
    imported = Signal(object)
    failed = Signal(object, object)

    def __init__(self, jobs: Jobs, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self._closed = False
        self.helper: Helper | None = None
        self.vectors: WordVectors | None = None
        self.done = self.total = 0
        self._begun = 0.0

    def start(self, vectors: WordVectors) -> None:
        """Begin with a table, unless it needs none or is being imported already."""
        if self._closed or vectors.source is None or vectors is self.vectors:
            return
        self.cancel()
        self.vectors = vectors
        self.done = self.total = 0
        self._begun = time.monotonic()
        self.helper = Helper(arguments(*vectors.source), self)
        self.helper.told.connect(self._on_told)
        self.helper.ended.connect(self._on_ended)
        self.changed.emit()

    def cancel(self) -> None:
        """End the import; it leaves nothing behind."""
        helper, self.helper = self.helper, None
        if helper is not None:
            helper.cancel()
        self._jobs.drop(TOPIC)
        if self.vectors is not None:
            self.vectors = None
            self.changed.emit()

    def close(self) -> None:
        """End whatever runs before the window goes."""
        self._closed = True
        self.cancel()
        for helper in self.findChildren(Helper):
            helper.close()

    @property
    def percent(self) -> int:
        """How far it is."""
        return 100 * self.done // self.total if self.total else 0

    def seconds_left(self) -> float | None:
        """Return the time left at the pace so far, or None while it is too early to tell."""
        passed = time.monotonic() - self._begun
        return passed * (self.total - self.done) / self.done if self.done and passed > 1 else None

    def _on_told(self, facts: dict[str, Any]) -> None:
        self.done, self.total = facts["done"], facts["total"]
        self.changed.emit()

    def _on_ended(self, failure: Failure | None) -> None:
        self.helper = None
        if failure is not None:
            self._give_up(failure)
        elif self.vectors is not None and self.vectors.source is not None:
            path, options = self.vectors.source
            work = partial(_open_store, path, options)
            self._jobs.submit("files", work, partial(self._adopt, self.vectors), self._refuse, topic=TOPIC)

    def _adopt(self, vectors: WordVectors, stored: WordVectors) -> None:
        try:
            vectors.adopt(stored)
        except AskewError as error:
            self._refuse(error)
            return
        self.vectors = None
        self.changed.emit()
        self.imported.emit(vectors)

    def _refuse(self, error: Exception) -> None:
        if not isinstance(error, AskewError):
            raise error
        self._give_up(Failure(type(error).__name__, error.what, error.where, error.remedy))

    def _give_up(self, failure: Failure) -> None:
        vectors, self.vectors = self.vectors, None
        self.changed.emit()
        self.failed.emit(vectors, failure)


def arguments(path: Path, options: Options) -> list[str]:
    """Return the arguments of the command that imports a file."""
    flags: list[str] = []
    for name, value in chosen(options).items():
        flag = f"--{name.replace('_', '-')}"
        flags += [flag] if value is True else [f"{flag}={value}"]
    return ["vectors", "import", "--background", *flags, "--", str(path.absolute())]


def _open_store(path: Path, options: Options, _job: Job) -> WordVectors:
    from askew.vectors import open_vectors

    stored = open_vectors(path, **chosen(options))
    if not stored.searchable:
        raise VectorsError(
            tr("the file has changed while it was imported"), where=path.name, remedy=tr("Open it again")
        )
    return stored
