"""The arrays of a .npz: their headers first, the numbers of those that are asked for."""

from __future__ import annotations

import struct
import zipfile
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

from askew.errors import VectorsError
from askew.vectors.formats.npy_header import LONGEST, Array, read_header
from askew.vectors.formats.source import IN_MEMORY, Source
from askew.vectors.streams import BROKEN, Clamped

if TYPE_CHECKING:
    from collections.abc import Iterator

MOST = 1000  # arrays that are looked at
_SMALL = 1 << 22
_ABSURD = 100  # times that numbers or words never shrink by being compressed
# What `zipfile` raises for damage of all kinds, and for compression that it does not know.
_DAMAGE: tuple[type[Exception], ...] = (
    *BROKEN,
    zipfile.BadZipFile,
    RuntimeError,
    NotImplementedError,
    struct.error,
    OverflowError,
    KeyError,
)


class Named(NamedTuple):
    """An array of the archive: its name, its header or what is wrong with it."""

    name: str
    entry: str
    array: Array | None
    error: VectorsError | None = None


def list_arrays(source: Source) -> list[Named]:
    """Return the arrays of an archive.

    Raises
    ------
    VectorsError
        If the archive is damaged.
    """
    with _opened(source) as archive:
        return [_named(archive, info, source) for info in archive.infolist()[:MOST]]


def numbers_of(source: Source, named: Named) -> Source:
    """Return where an array can be read: in memory if it is small, else in the file itself.

    Raises
    ------
    VectorsError
        If it is damaged, or too big to be read while it is compressed.
    """
    shown = f"{source.name}, array '{named.name}'"
    with _opened(source) as archive:
        info = archive.getinfo(named.entry)
        if info.file_size > _SMALL and info.file_size > _ABSURD * info.compress_size:
            raise VectorsError(
                f"{info.compress_size >> 10} KB are said to hold {info.file_size >> 20} MB; "
                "this is no file of vectors",
                where=shown,
            )
        if info.file_size <= IN_MEMORY:
            data = archive.read(info)
            return Source(source.path, shown, len(data), data=data)
        if info.compress_type != zipfile.ZIP_STORED:
            raise VectorsError(
                f"an array of {info.file_size >> 20} MB cannot be read while it is compressed",
                where=shown,
                remedy="Save the file with numpy.savez, which does not compress",
            )
    head = source.read(info.header_offset, 30)
    lengths = struct.unpack("<HH", head[26:30])  # of the name and of what follows it
    start = info.header_offset + 30 + sum(lengths)
    if start + info.file_size > source.size:
        raise _damaged(source)
    return source.part(start, info.file_size, shown)


@contextmanager
def _opened(source: Source) -> Iterator[zipfile.ZipFile]:
    try:
        with Clamped(source.path) as file, zipfile.ZipFile(file) as archive:
            yield archive
    except _DAMAGE as error:
        raise _damaged(source) from error


def _damaged(source: Source) -> VectorsError:
    return VectorsError(
        "the file is damaged or incomplete", where=source.name, remedy="Get the whole file again"
    )


def _named(archive: zipfile.ZipFile, info: zipfile.ZipInfo, source: Source) -> Named:
    name = info.filename.removesuffix(".npy")
    with archive.open(info) as file:
        data = file.read(LONGEST + 12)
    head = Source(source.path, f"{source.name}, array '{name}'", len(data), data=data)
    try:
        return Named(name, info.filename, read_header(head))
    except VectorsError as error:
        return Named(name, info.filename, None, error)
