"""Zip files of sessions: the same bytes each time, limits that hold before anything is unpacked."""

from __future__ import annotations

import io
import struct
import zipfile
import zlib
from typing import IO, TYPE_CHECKING

from askew.session_errors import SessionError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

MAX_FILE = 1 << 31
MAX_UNPACKED = 5 << 29
"""Bytes that all of a file may be when unpacked, members within members counted as well."""
FREE = 1 << 26
RATIO = 200
"""Above `FREE` bytes, so many times the size of the file is all that it may unpack to."""
MAX_MEMBERS = 50_000
MAX_DIRECTORY = 1 << 22

_END = struct.Struct("<4s4H2LH")
_LEVEL = 1  # 8 times as fast as the usual 6 on trained weights, for files 3 % larger
_DATE = (1980, 1, 1, 0, 0, 0)
_DAMAGED = "Open a copy of it that is whole"
_BROKEN = (
    zipfile.BadZipFile,
    zlib.error,
    struct.error,
    EOFError,
    NotImplementedError,
    OverflowError,
    RuntimeError,
    UnicodeError,
    ValueError,
)


class Budget:
    """How many bytes a file may still unpack to."""

    def __init__(self, size: int) -> None:
        self.left = min(max(FREE, RATIO * size), MAX_UNPACKED)

    def spend(self, size: int, where: str) -> None:
        """Take `size` bytes, or raise before they are made."""
        if size > self.left:
            raise SessionError(
                f"it unpacks to {size:,} bytes, more than a session of this size can hold",
                where=where,
                remedy="Do not trust this file",
            )
        self.left -= size


def packed(members: Mapping[str, bytes], *, compressed: Iterable[str] = ()) -> bytes:
    """Return a zip file of these members; the same members give the same bytes."""
    small = set(compressed)
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", allowZip64=False) as archive:
        for name, content in members.items():
            info = zipfile.ZipInfo(name, _DATE)
            info.create_system = 3
            info.external_attr = 0o644 << 16
            info.compress_type = zipfile.ZIP_DEFLATED if name in small else zipfile.ZIP_STORED
            archive.writestr(info, content, compresslevel=_LEVEL)
    return target.getvalue()


class Archive:
    """The members of a zip file that is not trusted.

    Parameters
    ----------
    file
        The whole file, which can be sought in.
    where
        Of the file, for messages.
    budget
        What it may unpack to.
    """

    def __init__(self, file: IO[bytes], where: str, budget: Budget) -> None:
        self._where = where
        self._budget = budget
        _check_end(file, where)
        try:
            self._zip = zipfile.ZipFile(file)
        except _BROKEN as error:
            raise _damaged(where) from error
        self._members: dict[str, zipfile.ZipInfo] = {}
        for info in self._zip.infolist():
            if info.filename in self._members:
                raise SessionError(f"'{_short(info.filename)}' is in it twice", where=where, remedy=_DAMAGED)
            self._members[info.filename] = info

    @property
    def names(self) -> frozenset[str]:
        """The names of all members, not to be trusted."""
        return frozenset(self._members)

    def check_names(self, known: Iterable[str]) -> None:
        """Raise for a member that is not one of those known."""
        strange = sorted(self.names - set(known))
        if strange:
            raise SessionError(
                f"it holds '{_short(strange[0])}', which is no part of a session",
                where=self._where,
                remedy="It may be damaged, or made by a newer Askew",
            )

    def read(self, name: str, where: str, most: int = MAX_UNPACKED) -> bytes:
        """Return a member, never more bytes than it declares.

        Raises
        ------
        SessionError
            If it is not there, too large, encrypted or damaged.
        """
        info = self._members.get(name)
        if info is None:
            raise SessionError(f"there is no '{name}' in it", where=self._where, remedy=_DAMAGED)
        if info.flag_bits & 1:
            raise SessionError("it is encrypted", where=where, remedy="Sessions are never encrypted")
        if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            raise SessionError("it is packed in a way that sessions never are", where=where, remedy=_DAMAGED)
        if info.file_size > most:
            raise SessionError(
                f"it declares {info.file_size:,} bytes, more than the {most:,} it can have",
                where=where,
                remedy="Do not trust this file",
            )
        self._budget.spend(info.file_size, where)
        try:
            with self._zip.open(info) as member:
                content = member.read(info.file_size + 1)
        except _BROKEN as error:
            raise _damaged(where) from error
        if len(content) != info.file_size:
            raise _damaged(where)
        return content


def _check_end(file: IO[bytes], where: str) -> None:
    """Raise unless the file ends as a zip file of few members does, which is told before they are listed."""
    size = file.seek(0, io.SEEK_END)
    if size == 0:
        raise SessionError("the file is empty", where=where, remedy=_DAMAGED)
    start = max(0, size - _END.size - 20)
    file.seek(start)
    tail = file.read()
    end = tail[-_END.size :]
    if len(end) < _END.size or not end.startswith(b"PK\x05\x06"):
        raise SessionError("the file is cut short", where=where, remedy=_DAMAGED)
    _, disk, first, here, count, directory, offset, comment = _END.unpack(end)
    large = 0xFFFFFFFF in (directory, offset) or tail[: -_END.size].startswith(b"PK\x06\x07")
    if large or disk or first or here != count or comment or offset + directory > size:
        raise _damaged(where)
    if count > MAX_MEMBERS or directory > MAX_DIRECTORY:
        raise SessionError(
            f"it declares {count:,} parts, more than a session has",
            where=where,
            remedy="Do not trust this file",
        )
    file.seek(0)


def _damaged(where: str) -> SessionError:
    return SessionError("it is damaged", where=where, remedy=_DAMAGED)


def _short(text: str) -> str:
    """Return a name that fits in a message."""
    return text if len(text) <= 60 else f"{text[:60]}…"
