"""The hash of every byte of a vector file, taken by a thread of its own while the file is read for its words.

The fingerprint of a big file (size, head and tail) is known at once and the same before and after an import:
it is what experiments refer to. This hash is known only once all has been read; it tells whether a store is
still that of its file where the fingerprint cannot: after the time of the file changed, or its middle.
"""

from __future__ import annotations

import hashlib
from queue import Queue
from threading import Thread
from typing import TYPE_CHECKING

from askew.vectors.companions import appended
from askew.vectors.streams import broken

if TYPE_CHECKING:
    from pathlib import Path
    from types import TracebackType

    from askew.vectors.streams import Progress

_CHUNK = 1 << 21
_WAITING = 2  # blocks read that wait for the thread, which is faster than those who read


class ContentHash:
    """Takes the bytes of a file as they are read in order, and reads those that nobody read itself."""

    def __init__(self) -> None:
        self._digest = hashlib.blake2b(digest_size=16)
        self._taken = 0
        self._waiting: Queue[bytes] = Queue(_WAITING)
        self._thread: Thread | None = None

    def __enter__(self) -> ContentHash:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._finish()

    def take(self, place: int, data: bytes) -> None:
        """Take bytes read from a place on, if they are the next; others are read again in the end."""
        if place != self._taken or not data:
            return
        if self._thread is None:
            self._thread = Thread(target=self._work, name="askew-hash", daemon=True)
            self._thread.start()
        self._taken += len(data)
        self._waiting.put(data)

    def _work(self) -> None:
        while data := self._waiting.get():
            self._digest.update(data)

    def _finish(self) -> None:
        if self._thread is not None:
            self._waiting.put(b"")
            self._thread.join()
            self._thread = None

    def of_file(self, path: Path, progress: Progress | None = None) -> str:
        """Return the hash of the whole file, and of those that belong to it by name.

        Raises
        ------
        VectorsError
            If it cannot be read.
        """
        self._finish()
        try:
            self._add(path, self._taken, progress)
            for other in appended(path):
                self._digest.update(f"\0{other.name}\0{other.stat().st_size}\0".encode())
                self._add(other, 0, None)
        except OSError as error:
            raise broken(error, path.name) from error
        return self._digest.hexdigest()

    def _add(self, path: Path, start: int, progress: Progress | None) -> None:
        size = path.stat().st_size
        with path.open("rb", buffering=0) as file:
            file.seek(start)
            while data := file.read(_CHUNK):
                self._digest.update(data)
                if progress is not None:
                    progress(min(file.tell(), size), size)


def content_of(path: Path, progress: Progress | None = None) -> str:
    """Return the hash of all bytes of a file.

    Raises
    ------
    VectorsError
        If it cannot be read.
    Cancelled
        If `progress` raised it.
    """
    return ContentHash().of_file(path, progress)
