"""The import of a big file into the cache, by a process of its own that the window starts and ends."""

from __future__ import annotations

import json
import sys
import time
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, QProcess, QTimer, Signal

from askew.errors import AskewError, VectorsError
from askew_gui.i18n import tr
from askew_gui.opening import chosen

if TYPE_CHECKING:
    from pathlib import Path

    from askew.vectors.options import Options
    from askew.vectors.table import WordVectors
    from askew_gui.jobs import Job, Jobs

TOPIC = "import"
PATIENCE = 1500  # ms that the process gets to tidy up before it is ended


@dataclass(frozen=True, slots=True)
class Failure:
    """Why an import came to nothing: the kind of error as the process named it, and what to say."""

    kind: str
    what: str
    where: str = ""
    remedy: str = ""


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
        self._process: QProcess | None = None
        self._failure: Failure | None = None
        self._closed = False
        self.vectors: WordVectors | None = None
        self.done = self.total = 0
        self._begun = 0.0

    def start(self, vectors: WordVectors) -> None:
        """Begin with a table, unless it needs none or is being imported already."""
        if self._closed or vectors.source is None or vectors is self.vectors:
            return
        self.cancel()
        self.vectors, self._failure = vectors, None
        self.done = self.total = 0
        self._begun = time.monotonic()
        process = QProcess(self)
        process.setProgram(sys.executable)
        process.setArguments(arguments(*vectors.source))
        process.readyReadStandardOutput.connect(partial(self._read, process))
        process.finished.connect(partial(self._on_finished, process))
        process.errorOccurred.connect(partial(self._on_error, process))
        self._process = process
        process.start()
        self.changed.emit()

    def cancel(self) -> None:
        """End the import; it leaves nothing behind."""
        process, self._process = self._process, None
        if process is not None:
            process.closeWriteChannel()
            QTimer.singleShot(PATIENCE, process, process.kill)
        self._jobs.drop(TOPIC)
        if self.vectors is not None:
            self.vectors = None
            self.changed.emit()

    def close(self) -> None:
        """End whatever runs before the window goes."""
        self._closed = True
        self.cancel()
        for process in self.findChildren(QProcess):
            if not process.waitForFinished(PATIENCE // 3):
                process.kill()
                process.waitForFinished(PATIENCE // 3)

    @property
    def percent(self) -> int:
        """How far it is."""
        return 100 * self.done // self.total if self.total else 0

    def seconds_left(self) -> float | None:
        """Return the time left at the pace so far, or None while it is too early to tell."""
        passed = time.monotonic() - self._begun
        return passed * (self.total - self.done) / self.done if self.done and passed > 1 else None

    def _read(self, process: QProcess) -> None:
        while process.canReadLine():
            told = _facts(bytes(process.readLine().data()))
            if process is not self._process:
                continue
            if "error" in told:
                self._failure = Failure(**told["error"])
            elif "done" in told:
                self.done, self.total = told["done"], told["total"]
                self.changed.emit()

    def _on_finished(self, process: QProcess, code: int, status: QProcess.ExitStatus) -> None:
        self._read(process)
        process.deleteLater()
        if process is not self._process or self.vectors is None:
            return
        self._process = None
        if code == 0 and status == QProcess.ExitStatus.NormalExit and self.vectors.source is not None:
            path, options = self.vectors.source
            work = partial(_open_store, path, options)
            self._jobs.submit("files", work, partial(self._adopt, self.vectors), self._refuse, topic=TOPIC)
            return
        said = bytes(process.readAllStandardError().data()).decode("utf-8", "replace").strip()
        last = said.splitlines()[-1] if said else tr("it was ended from outside")
        self._give_up(self._failure or Failure("", tr("the import stopped: {}").format(last)))

    def _on_error(self, process: QProcess, error: QProcess.ProcessError) -> None:
        if error == QProcess.ProcessError.FailedToStart and process is self._process:
            self._process = None
            process.deleteLater()
            self._give_up(Failure("", tr("the import cannot be started: {}").format(process.errorString())))

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
    """Return what the program is started with to import a file; a frozen one is the command itself."""
    program = [] if getattr(sys, "frozen", False) else ["-m", "askew_gui"]
    flags: list[str] = []
    for name, value in chosen(options).items():
        flag = f"--{name.replace('_', '-')}"
        flags += [flag] if value is True else [f"{flag}={value}"]
    return [*program, "vectors", "import", "--background", *flags, "--", str(path.absolute())]


def _facts(line: bytes) -> dict[str, Any]:
    try:
        told = json.loads(line)
    except ValueError:
        return {}
    return told if isinstance(told, dict) else {}


def _open_store(path: Path, options: Options, _job: Job) -> WordVectors:
    from askew.vectors import open_vectors

    stored = open_vectors(path, **chosen(options))
    if not stored.searchable:
        raise VectorsError(
            tr("the file has changed while it was imported"), where=path.name, remedy=tr("Open it again")
        )
    return stored
