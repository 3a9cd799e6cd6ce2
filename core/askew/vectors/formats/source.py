"""Bytes at any place of a file: on disk, or unpacked in memory."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from askew.errors import VectorsError
from askew.vectors.streams import broken

if TYPE_CHECKING:
    from pathlib import Path

    from askew.vectors.streams import Peeked

IN_MEMORY = 1 << 26  # bytes up to which a packed file that is read at many places is held in memory
INCOMPLETE = "It may be an incomplete download; get the whole file again"


@dataclass(frozen=True, slots=True)
class Source:
    """A file that is read at any place.

    Parameters
    ----------
    path
        Where it, or what it is packed in, lies on disk.
    name
        For messages.
    size
        Bytes in all.
    start
        Where it begins in `path`.
    data
        All of its bytes if it was unpacked, else None.
    """

    path: Path
    name: str
    size: int
    start: int = 0
    data: bytes | None = None

    @classmethod
    def of_file(cls, path: Path) -> Source:
        """Return the source of a plain file.

        Raises
        ------
        VectorsError
            If it cannot be read.
        """
        try:
            return cls(path, path.name, path.stat().st_size)
        except OSError as error:
            raise broken(error, path.name) from error

    @classmethod
    def unpacked(cls, stream: Peeked, path: Path, name: str) -> Source:
        """Return the source of a file that comes out of an archive.

        Raises
        ------
        VectorsError
            If it is too big to be held in memory.
        """
        data = stream.peek(IN_MEMORY + 1)
        if len(data) > IN_MEMORY:
            raise VectorsError(
                f"a file of this kind cannot be read while it is packed, beyond {IN_MEMORY >> 20} MB",
                where=name,
                remedy="Unpack it first and open what was in it",
            )
        return cls(path, name, len(data), data=data)

    def part(self, start: int, size: int, name: str) -> Source:
        """Return a part of this source as a source of its own."""
        data = None if self.data is None else self.data[start : start + size]
        return Source(self.path, name, size, self.start + start, data)

    def read(self, start: int, size: int) -> bytes:
        """Return `size` bytes from a place on.

        Raises
        ------
        VectorsError
            If the file ends before them, or cannot be read.
        """
        if size < 0 or start < 0 or start + size > self.size:
            raise VectorsError("the file is incomplete", where=self.name, remedy=INCOMPLETE)
        if self.data is not None:
            return self.data[start : start + size]
        try:
            # Opened anew each time, so that others can replace or remove the file meanwhile.
            with self.path.open("rb", buffering=0) as file:
                file.seek(self.start + start)
                data = file.read(size)
                while len(data) < size and (more := file.read(size - len(data))):
                    data += more
        except OSError as error:
            raise broken(error, self.name) from error
        if len(data) < size:
            raise VectorsError(
                "the file has become shorter while it was in use", where=self.name, remedy="Open it again"
            )
        return data

    def head(self, size: int) -> bytes:
        """Return the first `size` bytes, fewer if there are no more."""
        return self.read(0, min(size, self.size))


def read_beside(path: Path, most: int) -> bytes:
    """Return all bytes of a small file.

    Raises
    ------
    VectorsError
        If it cannot be read or has more than `most` bytes.
    """
    source = Source.of_file(path)
    if source.size > most:
        raise VectorsError(f"the file is too big ({source.size >> 20} MB)", where=path.name)
    return source.read(0, source.size)
