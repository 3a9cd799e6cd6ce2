"""Sessions as the program keeps them for itself: one file a running window, locked while it runs.

A file is a line of JSON and, after it, a session. Those of programs that run are never touched; one that was
not closed is what a crash has left.
"""

from __future__ import annotations

import json
import os
import secrets
import time
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QLockFile

from askew.files import write_bytes
from askew_gui import paths

if TYPE_CHECKING:
    from askew.session_file import Loaded

SUFFIX = ".kept"
MAX_LINE = 1 << 20
LATEST = 32503680000.0  # the year 3000: what is later is no time that can be told


@dataclass(frozen=True, slots=True)
class About:
    """What is known of a kept session.

    Parameters
    ----------
    path
        The file it was opened from or saved to, "" for none.
    modified
        Whether it is not the same as that file, or has none and was worked on.
    closed
        Whether its window was closed as it should be.
    vectors
        Paths of the files of its vectors.
    saved_at
        When it was kept, in seconds since 1970.
    """

    path: str = ""
    modified: bool = False
    closed: bool = False
    vectors: list[str] = field(default_factory=list)
    saved_at: float = 0.0

    @property
    def name(self) -> str:
        """The name of its file without the ending, "" for none."""
        return Path(self.path).stem

    @classmethod
    def read(cls, line: bytes) -> About:
        """Return what a line says; what is not as it should be counts as not said."""
        try:
            told: Any = json.loads(line)
        except (ValueError, RecursionError):
            return cls()
        usual = asdict(cls())
        if not isinstance(told, dict):
            return cls()
        known = {name: told[name] for name in usual if type(told.get(name)) is type(usual[name])}
        known["vectors"] = [each for each in known.get("vectors", []) if _is_path(each)]
        if not _is_path(known.get("path", "")):
            del known["path"]
        if not 0 <= known.get("saved_at", 0.0) < LATEST:  # not a number is in no range, either
            del known["saved_at"]
        return cls(**known)


class Kept:
    """One file of a kept session, in whose place it is until `release`."""

    def __init__(self, file: Path, lock: QLockFile) -> None:
        self.file = file
        self._lock = lock

    @classmethod
    def new(cls) -> Kept:
        """Return a place for the session of this window, locked."""
        while True:
            file = folder() / f"{secrets.token_hex(6)}{SUFFIX}"
            lock = _lock(file)
            if not file.exists() and lock.tryLock(0):
                return cls(file, lock)

    @classmethod
    def taken(cls, file: Path) -> Kept | None:
        """Return a file that no running program holds, locked; None if one does, or it is gone."""
        lock = _lock(file)
        if not lock.tryLock(0):
            return None
        if not file.is_file():
            lock.unlock()
            return None
        return cls(file, lock)

    @property
    def about(self) -> About:
        """What is known of the session."""
        try:
            with self.file.open("rb") as opened:
                return About.read(opened.readline(MAX_LINE))
        except OSError:
            return About()

    def load(self) -> Loaded:
        """Return the session.

        Raises
        ------
        SessionError
            If it cannot be read.
        """
        from askew.session_errors import SessionError
        from askew.session_file import from_bytes

        try:
            with self.file.open("rb") as opened:
                about = About.read(opened.readline(MAX_LINE))
                return from_bytes(opened.read(), about.name or "the kept session")
        except OSError as error:
            raise SessionError(f"cannot read {self.file}: {error.strerror}") from error

    def write(self, about: About, session: bytes) -> None:
        """Keep a session: whole, or the one before stays."""
        write_bytes(self.file, json.dumps(asdict(about)).encode() + b"\n" + session)

    def tell(self, about: About) -> None:
        """Keep the session as it is and what is known of it anew; nothing if none was kept."""
        if self.file.is_file():
            with self.file.open("rb") as opened:
                opened.readline(MAX_LINE)
                session = opened.read()
            self.write(about, session)

    def discard(self) -> None:
        """Remove the file, and let it go."""
        self.file.unlink(missing_ok=True)
        self.release()

    def release(self) -> None:
        """Let the file go: it is no longer that of a running program."""
        self._lock.unlock()


def _is_path(told: object) -> bool:
    return isinstance(told, str) and "\0" not in told


def folder() -> Path:
    """Return the folder of kept sessions."""
    place = paths.state_dir() / "sessions"
    place.mkdir(exist_ok=True)
    return place


def left() -> list[Kept]:
    """Return what programs left that run no more, the latest first; each is locked."""
    found = [kept for kept in map(Kept.taken, _files()) if kept is not None]
    return sorted(found, key=_saved_at, reverse=True)


def now() -> float:
    """Return the time, for `About.saved_at`."""
    return time.time()


def _files() -> list[Path]:
    """Return the files there are; never raises: the program starts where nothing can be kept, too."""
    try:
        return [folder() / name for name in os.listdir(folder()) if name.endswith(SUFFIX)]
    except OSError:
        return []


def _saved_at(kept: Kept) -> float:
    return kept.about.saved_at


def _lock(file: Path) -> QLockFile:
    lock = QLockFile(str(file.with_suffix(".lock")))
    lock.setStaleLockTime(0)  # only that its process has gone makes a lock stale, never its age
    return lock
