"""A process of the program's own that works beside the window, and ends with it."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, QProcess, QTimer, Signal

from askew_gui.i18n import tr

if TYPE_CHECKING:
    from collections.abc import Sequence

PATIENCE = 1500  # ms that the process gets to tidy up before it is ended


@dataclass(frozen=True, slots=True)
class Failure:
    """Why the work came to nothing: the kind of error as the process named it, and what to say."""

    kind: str
    what: str
    where: str = ""
    remedy: str = ""

    @property
    def text(self) -> str:
        """What happened, and where."""
        return f"{self.where}: {self.what}" if self.where else self.what


class Helper(QObject):
    """One run of a command with `--background`; it starts at once.

    Signals
    -------
    told(facts)
        The process wrote a line: what it says, as a dict.
    ended(failure)
        It is over; `failure` is None if all went well. Not told of a cancelled one.
    """

    told = Signal(object)
    ended = Signal(object)

    def __init__(self, arguments: Sequence[str], parent: QObject) -> None:
        super().__init__(parent)
        self._failure: Failure | None = None
        self._cancelled = False
        self.process = QProcess(self)
        self.process.setProgram(sys.executable)
        # A frozen program is the command itself.
        program = [] if getattr(sys, "frozen", False) else ["-m", "askew_gui"]
        self.process.setArguments([*program, *arguments])
        self.process.readyReadStandardOutput.connect(self._read)
        self.process.finished.connect(self._on_finished)
        self.process.errorOccurred.connect(self._on_error)
        self.process.start()

    def cancel(self) -> None:
        """End the process: it tidies up by itself, or is killed."""
        self._cancelled = True
        if self.process.state() == QProcess.ProcessState.NotRunning:
            self.deleteLater()
            return
        self.process.closeWriteChannel()
        QTimer.singleShot(PATIENCE, self.process, self.process.kill)

    def close(self) -> None:
        """End the process, and wait until it has ended."""
        self.cancel()
        if not self.process.waitForFinished(PATIENCE // 3):
            self.process.kill()
            self.process.waitForFinished(PATIENCE // 3)

    def _read(self) -> None:
        while self.process.canReadLine():
            facts = _facts(bytes(self.process.readLine().data()))
            if "error" in facts:
                self._failure = Failure(**facts["error"])
            elif facts and not self._cancelled:
                self.told.emit(facts)

    def _on_finished(self, code: int, status: QProcess.ExitStatus) -> None:
        self._read()
        failure = None
        if code != 0 or status != QProcess.ExitStatus.NormalExit:
            failure = self._failure or Failure("", tr("the work stopped: {}").format(self._last_words()))
        self._end(failure)

    def _last_words(self) -> str:
        said = bytes(self.process.readAllStandardError().data()).decode("utf-8", "replace").strip()
        return said.splitlines()[-1] if said else tr("it was ended from outside")

    def _on_error(self, error: QProcess.ProcessError) -> None:
        if error == QProcess.ProcessError.FailedToStart:
            self._end(Failure("", tr("the work cannot be started: {}").format(self.process.errorString())))

    def _end(self, failure: Failure | None) -> None:
        if not self._cancelled:
            self.ended.emit(failure)
        self.deleteLater()


def _facts(line: bytes) -> dict[str, Any]:
    try:
        told = json.loads(line)
    except ValueError:
        return {}
    return told if isinstance(told, dict) else {}
