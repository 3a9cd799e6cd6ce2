"""Reports of crashes that no Python code survives: written by faulthandler, one file a running program."""

from __future__ import annotations

import contextlib
import faulthandler
import os
import sys
import time
from pathlib import Path
from typing import IO

from askew_gui import paths

KEPT = 5  # reports of earlier crashes


class CrashReport:
    """The file that gets a trace of all threads if this process crashes; gone if it ends as it should."""

    def __init__(self) -> None:
        self._file: IO[bytes] | None = None
        self._path = Path()

    def begin(self) -> Path | None:
        """Watch from now on; return the newest report that was left since the last start, if any."""
        try:
            found = _collect()
            self._path = folder() / f"{os.getpid()}.running"
            self._file = self._path.open("wb", buffering=0)
            faulthandler.enable(self._file)
        except OSError:  # nothing can be written there: the program works all the same
            return None
        return found

    def end(self) -> None:
        """Watch no more."""
        if self._file is None:
            return
        faulthandler.disable()
        self._file.close()
        self._file = None
        with contextlib.suppress(OSError):
            self._path.unlink()


def folder() -> Path:
    """Return the folder of the reports."""
    place = paths.state_dir() / "crashes"
    place.mkdir(exist_ok=True)
    return place


def _collect() -> Path | None:
    """Name what processes that are gone have written, forget the oldest; return the newest new one."""
    new = []
    for running in folder().glob("*.running"):
        if _is_running(running.stem):
            continue
        time_of = running.stat().st_mtime
        if running.stat().st_size == 0:  # killed from outside: there is nothing to tell
            running.unlink(missing_ok=True)
            continue
        name = f"{time.strftime('%Y-%m-%d %H%M%S', time.localtime(time_of))} {running.stem}.txt"
        new.append(running.replace(folder() / name))
    for old in sorted(folder().glob("*.txt"))[:-KEPT]:
        old.unlink(missing_ok=True)
    return max(new, default=None)


def _is_running(name: str) -> bool:
    """Tell whether a process of this number runs; on Windows its file could not be moved anyway."""
    if not name.isdecimal() or int(name) == os.getpid() or sys.platform == "win32":
        return False
    try:
        os.kill(int(name), 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True
