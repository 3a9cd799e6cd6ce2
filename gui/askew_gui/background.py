"""A command as the quiet helper of a window: gives way, tells its progress, ends when the window does.

It imports no Qt. What it tells is one JSON object a line on stdout: ``{"done", "total"}`` as it goes, at last
``{"error": {"kind", "what", "where", "remedy"}}`` if it failed.
"""

from __future__ import annotations

import json
import os
import sys
import threading
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

from askew.errors import AskewError, Cancelled

if TYPE_CHECKING:
    from collections.abc import Iterator

REPORT_EVERY = 0.1  # seconds between two lines
NICENESS = 10
GRACE = 1.0  # seconds to tidy up in after the window has gone
_BELOW_NORMAL = 0x4000  # BELOW_NORMAL_PRIORITY_CLASS of Windows


class Told:
    """Progress as lines on stdout; raises `Cancelled` once nobody listens any more."""

    def __init__(self) -> None:
        self._last = 0.0
        self._gone = threading.Event()

    def __call__(self, done: int, total: int) -> None:
        """Tell how far the work is."""
        if self._gone.is_set():
            raise Cancelled
        now = time.monotonic()
        if now - self._last >= REPORT_EVERY or done >= total:
            self._last = now
            say(done=done, total=total)

    def end_with_stdin(self) -> None:
        """Wait for the end of stdin, which comes when the window cancels or goes in whatever way."""
        try:
            while os.read(0, 4096):
                continue
        except OSError:
            pass
        self._gone.set()
        time.sleep(GRACE)
        os._exit(1)


@contextmanager
def helping_a_window() -> Iterator[Told]:
    """Do the work of the block in the background of a window; failures are told, and exit with code 1."""
    give_way()
    told = Told()
    threading.Thread(target=told.end_with_stdin, daemon=True).start()
    try:
        yield told
    except Cancelled:
        sys.exit(1)
    except AskewError as error:
        kind = type(error).__name__
        say(error={"kind": kind, "what": error.what, "where": error.where, "remedy": error.remedy})
        sys.exit(1)


def say(**facts: object) -> None:
    """Write one line; if the reader has gone, nobody needs it."""
    try:
        sys.stdout.write(json.dumps(facts) + "\n")
        sys.stdout.flush()
    except OSError:
        raise Cancelled from None


def give_way() -> None:
    """Let everything else on the machine go first."""
    if sys.platform == "win32":
        import ctypes

        kernel = ctypes.windll.kernel32
        kernel.SetPriorityClass(kernel.GetCurrentProcess(), _BELOW_NORMAL)
    else:
        os.nice(NICENESS)
