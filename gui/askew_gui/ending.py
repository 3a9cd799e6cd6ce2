"""The end that comes from outside: a signal closes the window as a person would, but nobody is asked."""

from __future__ import annotations

import os
import signal
import sys
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, QSocketNotifier, Signal

if TYPE_CHECKING:
    from types import FrameType

SIGNALS = ("SIGINT", "SIGTERM", "SIGHUP")


class EndSignals(QObject):
    """Hears the signals that ask a process to end, also while Qt waits for events.

    Signals
    -------
    asked()
        One came.
    """

    asked = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._before: dict[int, Any] = {}
        self._wakeup = -1
        self._pipe: tuple[int, int] | None = None

    def install(self) -> None:
        """Listen from now on; Windows has no such signals for a program with a window."""
        if sys.platform == "win32":
            return
        self._pipe = os.pipe()
        for end in self._pipe:
            os.set_blocking(end, False)
        self._notifier = QSocketNotifier(self._pipe[0], QSocketNotifier.Type.Read, self)
        self._notifier.activated.connect(self._on_woken)
        self._wakeup = signal.set_wakeup_fd(self._pipe[1], warn_on_full_buffer=False)
        for name in SIGNALS:
            number = getattr(signal, name)
            if signal.getsignal(number) != signal.SIG_IGN:  # nohup
                self._before[number] = signal.signal(number, _woken)

    def remove(self) -> None:
        """Leave the signals to whoever had them before."""
        if self._pipe is None:
            return
        signal.set_wakeup_fd(self._wakeup)
        for number, handler in self._before.items():
            signal.signal(number, handler)
        self._notifier.setEnabled(False)
        for end in self._pipe:
            os.close(end)
        self._pipe = None

    def _on_woken(self) -> None:
        if self._pipe is not None and set(os.read(self._pipe[0], 64)) & set(self._before):
            self.asked.emit()


def _woken(_number: int, _frame: FrameType | None) -> None:
    """Do nothing: that the signal came is in the pipe."""
