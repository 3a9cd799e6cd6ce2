"""The header of numpy's .npy, read without numpy: nothing but plain numbers and text is accepted."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from askew.errors import VectorsError
from askew.vectors.formats.matrix import StoredMatrix, is_number

if TYPE_CHECKING:
    from askew.vectors.formats.source import Source

_MAGIC = b"\x93NUMPY"
LONGEST = 1 << 16
_DESCR = re.compile(rb"'descr'\s*:\s*(?:'([^'\\]*)'|\[)")
_ORDER = re.compile(rb"'fortran_order'\s*:\s*(True|False)\b")
_SHAPE = re.compile(rb"'shape'\s*:\s*\(([\d, L]*)\)")


@dataclass(frozen=True, slots=True)
class Array:
    """What the header of an array says, and where its numbers begin."""

    kind: str
    shape: tuple[int, ...]
    by_columns: bool
    start: int


def read_header(source: Source) -> Array:
    """Return what the header of a .npy says.

    Raises
    ------
    VectorsError
        If there is none, or the array holds anything but numbers or text.
    """
    head = source.head(12)
    wide = head[6:7] in (b"\x02", b"\x03")
    length = int.from_bytes(head[8:12] if wide else head[8:10], "little")
    start = (12 if wide else 10) + length
    if not head.startswith(_MAGIC) or head[6:7] not in (b"\x01", b"\x02", b"\x03") or length > LONGEST:
        raise VectorsError("this is not a whole .npy file", where=source.name)
    text = source.read(start - length, length)
    descr, order, shape = _DESCR.search(text), _ORDER.search(text), _SHAPE.search(text)
    if descr is None or order is None or shape is None:
        raise VectorsError("the header of the .npy file cannot be read", where=source.name)
    kind = (descr[1] or b"").decode("latin-1")
    if kind[1:2] == "O" or not kind:
        raise VectorsError(
            "the array holds Python objects, not numbers" if kind else "the array has named fields",
            where=source.name,
            remedy="Save it as float32 (array.astype('float32'))",
        )
    sizes = tuple(int(size) for size in re.findall(rb"\d{1,18}", shape[1]))
    return Array(kind, sizes, order[1] == b"True", start)


def stored_matrix(source: Source) -> StoredMatrix:
    """Return the matrix of a .npy.

    Raises
    ------
    VectorsError
        If it holds no matrix of numbers, or is cut short.
    """
    array = read_header(source)
    if len(array.shape) != 2 or not is_number(array.kind):
        raise VectorsError(
            f"the array has shape {array.shape} and type '{array.kind}', not a row of numbers per word",
            where=source.name,
            remedy="Save the vectors as one matrix of float32, a row per word",
        )
    rows, dim = array.shape
    return StoredMatrix(source, array.start, rows, dim, array.kind, array.by_columns)
