"""The last line of defence: what nobody caught is logged, told in the window, and the program goes on."""

from __future__ import annotations

import sys
import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from askew_gui.fault_log import FaultLog, trace

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import TracebackType

LONGEST_TEXT = 200


@dataclass(frozen=True, slots=True)
class Caught:
    """An error that nobody caught.

    Parameters
    ----------
    text
        One line.
    details
        The traceback, for a report.
    place
        Its kind and where it came from: the same for the same mistake.
    count
        How often it has come so far.
    """

    text: str
    details: str
    place: str
    count: int = 1


class ErrorCatcher(QObject):
    """Turns an exception nobody caught, in whatever thread, into a signal of the GUI thread.

    Signals
    -------
    caught(caught)
        An error came, for the message bar.
    """

    caught = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._old = (sys.excepthook, threading.excepthook, sys.unraisablehook)
        self._log = FaultLog()
        self._early: list[Caught] | None = []
        self._telling = threading.local()

    def install(self) -> None:
        """Catch from now on; errors are still written to stderr."""
        sys.excepthook = self._on_error
        threading.excepthook = self._on_thread_error
        sys.unraisablehook = self._on_unraisable

    def remove(self) -> None:
        """Put the old hooks back."""
        sys.excepthook, threading.excepthook, sys.unraisablehook = self._old

    def tell(self, hear: Callable[[Caught], object]) -> None:
        """Tell `hear` from now on, and first what was caught before there was anybody to tell."""
        self.caught.connect(hear)
        early, self._early = self._early or [], None
        for each in early:
            self.caught.emit(each)

    def _on_error(self, kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        if issubclass(kind, KeyboardInterrupt) or self._note(error):
            self._old[0](kind, error, trace)

    def _on_thread_error(self, hook: threading.ExceptHookArgs) -> None:
        if hook.exc_value is None or self._note(hook.exc_value):
            self._old[1](hook)

    def _on_unraisable(self, hook: sys.UnraisableHookArgs) -> None:
        if hook.exc_value is None or self._note(hook.exc_value):
            self._old[2](hook)

    def _note(self, error: BaseException) -> bool:
        """Log an error and tell of it; return whether it is worth telling, which the many next are not."""
        if getattr(self._telling, "now", False):  # an error in telling of an error
            return bool(self._log.note(error))
        self._telling.now = True
        try:
            count = self._log.note(error)
            if count:
                self._tell(described(error, count))
        finally:
            self._telling.now = False
            _let_go(error)
        return bool(count)

    def _tell(self, caught: Caught) -> None:
        if self._early is not None:
            self._early.append(caught)
        else:
            self.caught.emit(caught)


def described(error: BaseException, count: int = 1) -> Caught:
    """Return an error in one line, and with all that helps to mend it."""
    import platform
    import traceback

    try:
        text = f"{type(error).__name__}: {error}".rstrip(": ")
        details = "".join(traceback.format_exception(error))
    except Exception:  # its own text is what fails
        text, details = type(error).__name__, "".join(traceback.format_tb(error.__traceback__))
    if len(text) > LONGEST_TEXT:
        text = f"{text[:LONGEST_TEXT]}…"
    about = f"Python {platform.python_version()}, {platform.platform()}\n"
    return Caught(" ".join(text.split()), about + details, "\n".join(trace(error)), count)


def _let_go(error: BaseException) -> None:
    """End what the broken functions were holding: Qt crashes on a painter that outlives its paint event."""
    import traceback

    cause: BaseException | None = error
    while cause is not None:
        traceback.clear_frames(cause.__traceback__)
        cause = cause.__cause__
