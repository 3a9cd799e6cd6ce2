"""The log of mistakes of the program: their kinds and places in the code, never what a person works on."""

from __future__ import annotations

import traceback
from typing import TYPE_CHECKING

from askew_gui import paths

if TYPE_CHECKING:
    from collections.abc import Iterator
    from logging import LogRecord
    from pathlib import Path

MAX_BYTES = 64 << 10
OLD_FILES = 2
MAX_FRAMES = 40  # of one error: a recursion without end has thousands
MAX_CAUSES = 8
MAX_KINDS = 500  # different errors that are counted


class FaultLog:
    """Counts errors by kind and place, and writes them to a file that is turned over when it is full."""

    def __init__(self) -> None:
        self._counts: dict[str, int] = {}

    def note(self, error: BaseException) -> int:
        """Count an error and log it now and then; return how often it has come, 0 for no need to tell.

        It is told the 1st, 2nd, 4th, 8th ... time: a mistake in painting may come sixty times a second.
        """
        text = "\n".join(trace(error))
        if len(self._counts) >= MAX_KINDS:
            self._counts.clear()
        count = self._counts[text] = self._counts.get(text, 0) + 1
        if count & (count - 1):
            return 0
        write(text if count == 1 else f"{text}\n  came {count} times")
        return count


def path() -> Path:
    """Return the file of the log."""
    return paths.state_dir() / "askew.log"


def trace(error: BaseException) -> Iterator[str]:
    """Yield what an error is and where it came from, line by line.

    The text of an error may hold a sentence, a word or the name of a file, and so may a line of code that is
    typed in: only kinds, modules, functions and numbers of lines are given.
    """
    seen: set[int] = set()
    cause: BaseException | None = error
    while cause is not None and id(cause) not in seen and len(seen) < MAX_CAUSES:
        yield f"{'caused by ' if seen else ''}{type(cause).__module__}.{type(cause).__qualname__}"
        seen.add(id(cause))
        frames = list(traceback.walk_tb(cause.__traceback__))
        for frame, line in frames[-MAX_FRAMES:]:
            yield f"  {frame.f_globals.get('__name__', '?')}:{line} {frame.f_code.co_name}"
        cause = cause.__cause__ or (None if cause.__suppress_context__ else cause.__context__)


def write(text: str) -> None:
    """Add an entry; a log that cannot be written is no reason to stop."""
    from logging import INFO, Formatter, makeLogRecord
    from logging.handlers import RotatingFileHandler

    class Handler(RotatingFileHandler):
        def handleError(self, record: LogRecord) -> None:
            """Say nothing: a full disk was not the question."""

    try:
        handler = Handler(path(), maxBytes=MAX_BYTES, backupCount=OLD_FILES, encoding="utf-8")
    except OSError:
        return
    handler.setFormatter(Formatter("%(asctime)s %(message)s"))
    handler.handle(makeLogRecord({"msg": f"askew {_version()} {text}", "levelno": INFO}))
    handler.close()


def _version() -> str:
    from importlib import metadata

    try:
        return metadata.version("askew")
    except metadata.PackageNotFoundError:
        return "?"
