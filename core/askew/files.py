"""Writing files so that a failure leaves the old one whole."""

from __future__ import annotations

import errno
import os
import secrets
import time
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, TYPE_CHECKING

from askew.errors import AskewError

if TYPE_CHECKING:
    from collections.abc import Iterator


_IN_USE = (32, 33)  # codes of Windows: shared or locked by another program
_PART = ".part"
_OLD = 60.0  # seconds without a write after which what no process holds was left by a killed one


class WriteError(AskewError):
    """A file cannot be written; what was there before still is."""

    def __init__(self, path: str | os.PathLike[str], error: OSError) -> None:
        reason, remedy = (error.strerror or str(error)).lower(), "Choose another place or name"
        if getattr(error, "winerror", None) in _IN_USE:
            reason, remedy = "open in another program", "Close it there, or choose another name"
        elif error.errno == errno.ENOSPC:
            remedy = "Make room, or choose another place"
        super().__init__(f"cannot write {os.fspath(path)}: {reason}", remedy=remedy)


@contextmanager
def replacing(path: str | os.PathLike[str]) -> Iterator[IO[bytes]]:
    """Open a file beside `path` for writing; it takes the place of `path` when all went well.

    It is flushed to the disk first. Where anything fails, within the block too, the old file is as it was and
    nothing is left beside it. Links are followed, permissions of the old file are kept.

    Raises
    ------
    WriteError
        If the place cannot be written.
    """
    try:
        if Path(path).exists() and not Path(path).is_file():
            with _special(Path(path)) as file:
                yield file
            return
        target = Path(os.path.realpath(path))
        # Replacing would go around a file's own protection, so that is asked first.
        if target.exists() and not os.access(target, os.W_OK):
            raise PermissionError(errno.EACCES, "it is read-only")
        part = target.with_name(f"{_beginning(target)}{secrets.token_hex(4)}{_PART}")
        try:
            with part.open("xb") as file:
                _claim(file)
                yield file
                file.flush()
                os.fsync(file.fileno())
            if target.exists():
                part.chmod(target.stat().st_mode & 0o777)
            part.replace(target)
        finally:
            part.unlink(missing_ok=True)
    except OSError as error:
        raise WriteError(path, error) from error


def write_bytes(path: str | os.PathLike[str], content: bytes) -> None:
    """Write a whole file, or leave the old one as it was.

    Raises
    ------
    WriteError
        If the place cannot be written.
    """
    with replacing(path) as file:
        file.write(content)


def remove_leftovers(path: str | os.PathLike[str]) -> None:
    """Remove what killed processes left beside a file they were writing, and nothing that is in use."""
    target = Path(os.path.realpath(path))
    with suppress(OSError):
        for part in target.parent.iterdir():
            random = part.name.removeprefix(_beginning(target)).removesuffix(_PART)
            if len(part.name) - len(random) == len(_beginning(target) + _PART) and len(random) == 8:
                _remove_dead(part)


def _beginning(target: Path) -> str:
    """Return how the names of the files begin that are written beside `target`."""
    return f".{target.name[:32]}."


def _remove_dead(part: Path) -> None:
    """Remove a file that nobody has written to for a while and no process holds."""
    with suppress(OSError):
        if time.time() - part.stat().st_mtime < _OLD:
            return
        with part.open("rb") as file:
            free = _claim(file)
        if free:
            part.unlink()


def _claim(file: IO[bytes]) -> bool:
    """Lock a file for as long as it is open, and tell whether it was free."""
    try:
        import fcntl
    except ImportError:  # Windows, where an open file cannot be removed
        return True
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def _special(path: Path) -> IO[bytes]:
    """Open what is no plain file: a pipe or a device is written to, never replaced."""
    if path.is_dir():
        raise IsADirectoryError(errno.EISDIR, "it is a folder")
    return path.open("wb")
