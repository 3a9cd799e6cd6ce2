"""`arrays.npz`: float32 arrays under the names that `session.json` gives them."""

from __future__ import annotations

import hashlib
import io
import math
import re
from typing import TYPE_CHECKING

import numpy as np

from askew.session_archive import FREE, MAX_MEMBERS, RATIO, Archive, packed
from askew.session_errors import ARRAYS, SessionError, in_arrays, in_document

if TYPE_CHECKING:
    from collections.abc import Mapping

    from askew.arrays import Float32
    from askew.session_archive import Budget

MAX_STORED = 5 << 28
"""Bytes of numbers that a file can hold."""

_HEADER = re.compile(
    rb"\{'descr': '<f4', 'fortran_order': False, 'shape': \((\d{1,12}), ?(\d{1,12})?\), \} *\n"
)
_MAGIC = b"\x93NUMPY\x01\x00"
_START = len(_MAGIC) + 2
_REMEDY = "It may be damaged; open a copy of it that is whole"


def digest(array: Float32) -> str:
    """Return a hash of shape and numbers, bit for bit."""
    hashed = hashlib.blake2b(repr(array.shape).encode(), digest_size=16)
    hashed.update(np.ascontiguousarray(array, dtype="<f4").tobytes())
    return hashed.hexdigest()


def dumped(arrays: Mapping[str, Float32]) -> bytes:
    """Return the bytes of an .npz of these arrays; the same arrays give the same bytes.

    Raises
    ------
    SessionError
        If there are more than can be read back.
    """
    size = sum(array.nbytes for array in arrays.values())
    if size > MAX_STORED or len(arrays) > MAX_MEMBERS:
        raise SessionError(
            f"the session has {size:,} bytes of numbers, more than the {MAX_STORED:,} that a file can hold",
            remedy="Use fewer heads, or smaller ones",
        )
    members = {f"{name}.npy": _npy(array) for name, array in arrays.items()}
    small = packed(members, compressed=members)
    # What unpacks to so much more than it is would be refused, though it may only be zeros.
    return packed(members) if size > FREE // 2 and size > RATIO // 2 * len(small) else small


def loaded(data: bytes, places: Mapping[str, str], name: str, budget: Budget) -> dict[str, Float32]:
    """Return arrays of an .npz, read-only: those that `places` names, with where the document does.

    No others may be in it.

    Raises
    ------
    SessionError
        If one is missing, of another kind, or holds a number that is not finite.
    """
    wanted = {f"{each}.npy": each for each in places}
    archive = Archive(io.BytesIO(data), in_arrays(name), budget)
    for member, each in wanted.items():
        if member not in archive.names:
            raise SessionError(
                f"there is no array '{each}' in {ARRAYS}",
                where=in_document(name, places[each]),
                remedy=_REMEDY,
            )
    archive.check_names(wanted)
    return {
        each: _array(archive.read(member, in_arrays(name, each)), in_arrays(name, each))
        for member, each in wanted.items()
    }


def _npy(array: Float32) -> bytes:
    target = io.BytesIO()
    np.lib.format.write_array(target, np.ascontiguousarray(array, dtype="<f4"), (1, 0), allow_pickle=False)
    return target.getvalue()


def _array(content: bytes, where: str) -> Float32:
    """Return an array; its header is held against the one that is written, and nothing of it evaluated."""
    length = int.from_bytes(content[len(_MAGIC) : _START], "little")
    header = content[_START : _START + length]
    match = _HEADER.fullmatch(header)
    if not content.startswith(_MAGIC) or match is None:
        shown = header[:100].decode("latin-1").strip()
        raise SessionError(f"it is no matrix or list of float32: {shown!r}", where=where, remedy=_REMEDY)
    shape = tuple(int(size) for size in match.groups() if size is not None)
    body = len(content) - _START - length
    if math.prod(shape) * 4 != body or not body:
        raise SessionError(
            f"its shape is {shape}, which does not go with its {body:,} bytes", where=where, remedy=_REMEDY
        )
    array = np.frombuffer(content, "<f4", offset=_START + length).reshape(shape).astype(np.float32)
    if not np.isfinite(array).all():
        place = np.argwhere(~np.isfinite(array))[0] + 1
        row = "" if array.ndim < 2 else f"row {place[0]}, "
        raise SessionError(f"{row}column {place[-1]} is not a finite number", where=where, remedy=_REMEDY)
    array.setflags(write=False)
    return array
