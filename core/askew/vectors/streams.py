"""Streams of bytes: looked at before they are read, counted, turned into UTF-8, with errors fit to show."""

from __future__ import annotations

import codecs
import io
import lzma
import struct
import tarfile
import zipfile
import zlib
from typing import TYPE_CHECKING, cast

from askew.errors import VectorsError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path
    from typing import BinaryIO

    from _typeshed import WriteableBuffer

    from askew.vectors.content import ContentHash

    Progress = Callable[[int, int], None]

MOST_MEMORY = 1 << 27  # bytes that a compressed file may ask for to be unpacked
_CHUNK = 1 << 20
_PACKED = 1 << 16
BROKEN: tuple[type[Exception], ...] = (
    EOFError,
    OSError,
    ValueError,
    NotImplementedError,
    lzma.LZMAError,
    struct.error,
    tarfile.TarError,
    zipfile.BadZipFile,
    zlib.error,
)


class Peeked(io.RawIOBase):
    """A stream whose beginning can be looked at first."""

    def __init__(self, stream: BinaryIO, name: str) -> None:
        self._stream = stream
        self._name = name
        self._ahead = b""

    def readable(self) -> bool:
        """Return True."""
        return True

    def peek(self, size: int) -> bytes:
        """Return the next `size` bytes, fewer only at the end, without passing them."""
        parts = [self._ahead]
        have = len(self._ahead)
        while have < size and (part := self._more(size - have)):
            parts.append(part)
            have += len(part)
        self._ahead = b"".join(parts)
        return self._ahead[:size]

    def read(self, size: int = -1) -> bytes:
        """Return the next `size` bytes, fewer only at the end, or all."""
        if size < 0:
            everything = bytearray(self.peek(_CHUNK))
            self._ahead = b""
            while part := self._more(_CHUNK):
                everything += part
            return bytes(everything)
        result = self.peek(size)
        self._ahead = self._ahead[len(result) :]
        return result

    def _more(self, size: int) -> bytes:
        try:
            return self._stream.read(size)
        except BROKEN as error:
            raise broken(error, self._name) from error
        except Exception as error:
            if type(error).__name__ == "ZstdError":  # its module is imported only for such files
                raise broken(error, self._name) from error
            raise


def broken(error: Exception, name: str) -> VectorsError:
    """Return the error to show where a compressed file cannot be unpacked."""
    cut = isinstance(error, EOFError) or "end-of-stream" in str(error) or "truncated" in str(error).lower()
    if isinstance(error, OSError) and error.errno is not None:
        return VectorsError(f"the file cannot be read: {(error.strerror or str(error)).lower()}", where=name)
    if "memory" in str(error).lower():  # lzma and zstd tell it by their messages alone
        return VectorsError(
            f"the file asks for more memory to be unpacked than the {MOST_MEMORY >> 20} MB that it may have",
            where=name,
            remedy="Unpack it with another program first, and open what was in it",
        )
    return VectorsError(
        "the file is incomplete" if cut else f"the file is damaged and cannot be unpacked ({error})",
        where=name,
        remedy="Download it again",
    )


class Clamped(io.BufferedReader):
    """A file that never makes room for more bytes than it has left, whatever an archive says of itself."""

    def __init__(self, path: Path) -> None:
        super().__init__(io.FileIO(path))
        self._size = path.stat().st_size

    def read(self, size: int | None = -1) -> bytes:
        """Return the next `size` bytes, fewer only at the end, or all."""
        left = max(0, self._size - self.tell())
        return super().read(left if size is None or size < 0 else min(size, left))


class UnpackedXz(io.RawIOBase):
    """What is in an xz file, which may be several streams; `lzma.LZMAFile` takes no limit of memory.

    Raises
    ------
    lzma.LZMAError
        When read, if it is damaged or asks for more than `memory` bytes.
    EOFError
        When read, if it ends too early.
    """

    def __init__(self, stream: BinaryIO, memory: int) -> None:
        self._stream = stream
        self._memory = memory
        self._packed = lzma.LZMADecompressor(memlimit=memory)
        self._waiting = b""

    def readable(self) -> bool:
        """Return True."""
        return True

    def read(self, size: int = -1) -> bytes:
        """Return at most `size` bytes, none only at the end."""
        while True:
            if self._packed.eof and not self._next():
                return b""
            if self._packed.needs_input and not self._waiting:
                self._waiting = self._stream.read(_PACKED)
                if not self._waiting:
                    raise EOFError("the xz stream is incomplete")
            packed, self._waiting = self._waiting, b""
            if data := self._packed.decompress(packed, size):
                return data

    def _next(self) -> bool:
        """Begin the stream that follows, past the zeros that may lie between; False at the end."""
        self._waiting = self._packed.unused_data.lstrip(b"\0")
        while not self._waiting and (more := self._stream.read(_PACKED)):
            self._waiting = more.lstrip(b"\0")
        if self._waiting:
            self._packed = lzma.LZMADecompressor(memlimit=self._memory)
        return bool(self._waiting)


class Counted(io.RawIOBase):
    """A file that tells how far it has been read, and hands on what was read to be hashed."""

    def __init__(
        self, stream: BinaryIO, size: int, progress: Progress | None, content: ContentHash | None = None
    ) -> None:
        self._stream = stream
        self._content = content
        self._size = size
        self._progress = progress
        self._done = 0

    def readable(self) -> bool:
        """Return True."""
        return True

    def read(self, size: int = -1) -> bytes:
        """Return the next `size` bytes, fewer only at the end, or all."""
        data = self._stream.read(size)
        self._count(len(data))
        if self._content is not None:
            self._content.take(self._stream.tell() - len(data), data)
        return data

    def readinto(self, buffer: WriteableBuffer) -> int:
        """Fill a buffer with the next bytes and return how many."""
        count = cast("io.RawIOBase", self._stream).readinto(buffer) or 0
        self._count(count)
        return count

    def _count(self, size: int) -> None:
        self._done += size
        if self._progress is not None and size:
            self._progress(min(self._done, self._size), self._size)

    def seekable(self) -> bool:
        """Return True: archives jump to their table of contents."""
        return True

    def seek(self, offset: int, whence: int = 0) -> int:
        """Go to a place."""
        return self._stream.seek(offset, whence)

    def tell(self) -> int:
        """Return the place."""
        return self._stream.tell()


def known_encoding(name: str) -> str:
    """Return the name of an encoding of text.

    Raises
    ------
    VectorsError
        If there is none of that name.
    """
    try:
        "".encode(name)  # refuses what is no encoding of text, as base64
        return codecs.lookup(name).name
    except (LookupError, ValueError) as error:
        raise VectorsError(
            f"there is no text encoding named '{name}'", remedy="Try utf-8, latin-1, cp1252 or gb18030"
        ) from error


class Recoded(io.RawIOBase):
    """A stream of text in another encoding, read as UTF-8."""

    def __init__(self, stream: BinaryIO, encoding: str) -> None:
        self._stream = stream
        self._decoder = codecs.getincrementaldecoder(known_encoding(encoding))("replace")
        self._ended = False

    def readable(self) -> bool:
        """Return True."""
        return True

    def read(self, size: int = -1) -> bytes:
        """Return about `size` bytes, none only at the end."""
        while not self._ended:
            data = self._stream.read(size if size > 0 else -1)
            self._ended = not data
            text = self._decoder.decode(data, final=self._ended)
            if text:
                return text.encode("utf-8", "replace")
        return b""
