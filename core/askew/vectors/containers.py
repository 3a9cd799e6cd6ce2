"""Compressed files and archives around a vector file, unpacked as a stream and never onto the disk."""

from __future__ import annotations

import bz2
import gzip
import tarfile
import zipfile
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import PurePosixPath
from typing import IO, TYPE_CHECKING, cast

from askew.errors import VectorsError
from askew.vectors.companions import stamp
from askew.vectors.detect import sniff_container
from askew.vectors.problems import ChoiceNeededError
from askew.vectors.streams import BROKEN, MOST_MEMORY, Clamped, Counted, Peeked, UnpackedXz, broken

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path
    from typing import BinaryIO

    from askew.vectors.content import ContentHash
    from askew.vectors.streams import Progress

_DEEPEST = 4
_listed: dict[tuple[str, str, tuple[str, ...]], tuple[str, ...]] = {}  # of one file at most


@dataclass(frozen=True, slots=True)
class Unpacked:
    """The innermost file: its bytes, name, size if known, the containers around it (outermost last)."""

    stream: Peeked
    name: str
    size: int | None
    containers: tuple[str, ...] = ()
    member: str | None = None


@contextmanager
def unpack(
    path: Path,
    progress: Progress | None = None,
    member: str | None = None,
    content: ContentHash | None = None,
) -> Iterator[Unpacked]:
    """Open a file and whatever is packed in it, until the block is left.

    Parameters
    ----------
    member
        Which file of an archive; needed where it holds several.
    content
        Takes what is read of the file itself.

    Raises
    ------
    VectorsError
        If it cannot be read or unpacked.
    ChoiceNeededError
        If an archive holds several files and `member` does not say which.
    """
    with ExitStack() as stack:
        try:
            size = path.stat().st_size
            file: BinaryIO = stack.enter_context(path.open("rb"))
        except OSError as error:
            raise broken(error, path.name) from error
        counted = cast("BinaryIO", Counted(file, size, progress, content))
        yield _innermost(Unpacked(Peeked(counted, path.name), path.name, size), path, member, stack, progress)


def _innermost(
    result: Unpacked, path: Path, member: str | None, stack: ExitStack, progress: Progress | None
) -> Unpacked:
    for _ in range(_DEEPEST):
        container = sniff_container(result.stream.peek(512))
        if container is None or (container == "zip" and is_npz(path)):
            return result
        try:
            if container == "tar" and member is None:
                member = _chosen(_tar_names(path, result, progress), None, path.name)
            result = _open(container, result, path, member, stack)
        except BROKEN as error:
            raise broken(error, path.name) from error
    raise VectorsError(f"more than {_DEEPEST} archives inside each other", where=path.name)


def is_npz(path: Path) -> bool:
    """Whether a zip is numpy's, with arrays in it."""
    try:
        with Clamped(path) as file, zipfile.ZipFile(file) as archive:
            names = archive.namelist()
    except BROKEN:
        return False
    return bool(names) and all(name.endswith(".npy") for name in names)


def _open(container: str, outer: Unpacked, path: Path, member: str | None, stack: ExitStack) -> Unpacked:
    stream = cast("BinaryIO", outer.stream)
    around = (container, *outer.containers)
    if container == "zip":
        return replace(_zip_member(outer, path, member, stack), containers=around)
    if container == "tar":
        return replace(_tar_member(outer, path, member, stack), containers=around)
    inner = PurePosixPath(outer.name).stem if PurePosixPath(outer.name).suffix else outer.name
    plain = stack.enter_context(_decompressed(container, stream))
    return Unpacked(Peeked(plain, path.name), inner, None, around, outer.member)


def _decompressed(container: str, stream: BinaryIO) -> BinaryIO:
    if container == "gz":
        return cast("BinaryIO", gzip.GzipFile(fileobj=stream, mode="rb"))
    if container == "bz2":
        return cast("BinaryIO", bz2.BZ2File(stream))
    if container == "xz":
        return cast("BinaryIO", UnpackedXz(stream, MOST_MEMORY))
    from backports.zstd import DecompressionParameter, ZstdFile

    window = MOST_MEMORY.bit_length() - 1
    return cast("BinaryIO", ZstdFile(stream, options={DecompressionParameter.window_log_max: window}))


def _chosen(names: Iterable[str], member: str | None, name: str) -> str:
    """Return which file of an archive to read."""
    real = [
        each
        for each in dict.fromkeys(names)
        if not each.endswith("/") and not each.startswith("__MACOSX/") and not _is_beside(each)
    ]
    if member is not None:
        if member not in real:
            raise ChoiceNeededError(
                f"there is no '{member}' in the archive", flag="--member", choices=tuple(real), where=name
            )
        return member
    if not real:
        raise VectorsError("the archive is empty", where=name)
    if len(real) > 1:
        raise ChoiceNeededError(
            f"the archive holds {len(real)} files", flag="--member", choices=tuple(real), where=name
        )
    return real[0]


def _is_beside(name: str) -> bool:
    last = PurePosixPath(name).name.lower()
    return last.startswith(("readme", "license", "licence", ".")) or last.endswith((".md", ".pdf"))


def _zip_member(outer: Unpacked, path: Path, member: str | None, stack: ExitStack) -> Unpacked:
    if outer.containers:
        raise VectorsError(
            "a zip inside another archive cannot be read", where=path.name, remedy="Unpack the zip first"
        )
    try:
        archive = stack.enter_context(zipfile.ZipFile(stack.enter_context(Clamped(path))))
        name = _chosen(archive.namelist(), member, path.name)
        inner = stack.enter_context(archive.open(name))
    except zipfile.BadZipFile as error:
        what, remedy = "the zip is incomplete or damaged", "Download it again"
        raise VectorsError(what, where=path.name, remedy=remedy) from error
    except RuntimeError as error:
        what, remedy = "the zip is locked by a password", "Unpack it first"
        raise VectorsError(what, where=path.name, remedy=remedy) from error
    size = archive.getinfo(name).file_size
    return Unpacked(Peeked(cast("BinaryIO", inner), path.name), PurePosixPath(name).name, size, member=name)


def _tar_member(outer: Unpacked, path: Path, member: str | None, stack: ExitStack) -> Unpacked:
    """Find the member of a tar, which can be read forwards only."""
    archive = stack.enter_context(tarfile.TarFile.open(fileobj=cast("IO[bytes]", outer.stream), mode="r|"))
    for entry in archive:
        if entry.isfile() and entry.name == member:
            inner = cast("BinaryIO", archive.extractfile(entry))
            return Unpacked(Peeked(inner, path.name), PurePosixPath(member).name, entry.size, member=member)
    raise VectorsError(f"there is no '{member}' in the archive", where=path.name)


def _tar_names(path: Path, outer: Unpacked, progress: Progress | None) -> list[str]:
    """Return the files of a tar, which takes as long as to read all of it where it is packed.

    Those of the file that was looked at last are kept: it is mostly opened, asked about and imported next.
    """
    asked = (str(path.resolve()), stamp(path), outer.containers)
    kept = _listed.get(asked)
    if kept is not None:
        return list(kept)
    names = _read_names(path, outer, progress)
    _listed.clear()
    if stamp(path) == asked[1]:
        _listed[asked] = tuple(names)
    return names


def _read_names(path: Path, outer: Unpacked, progress: Progress | None) -> list[str]:
    with ExitStack() as stack:
        file = stack.enter_context(path.open("rb"))
        stream = cast("BinaryIO", Counted(file, path.stat().st_size, progress))
        for container in reversed(outer.containers):
            stream = stack.enter_context(_decompressed(container, stream))
        with tarfile.open(fileobj=cast("IO[bytes]", stream), mode="r|") as archive:
            return [entry.name for entry in archive if entry.isfile()]
