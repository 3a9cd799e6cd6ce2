"""A short hash that tells vector files apart without reading all of them."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import TYPE_CHECKING

from askew.vectors.companions import appended

if TYPE_CHECKING:
    from askew.vectors.options import Options

_EDGE = 1 << 16
_SMALL = 1 << 24  # bytes up to which all of a file is hashed, in a hundredth of a second


def edges_of_file(path: Path) -> str:
    """Return a hash of the file's size, first and last 64 KiB."""
    size = path.stat().st_size
    digest = hashlib.blake2b(str(size).encode(), digest_size=16)
    with path.open("rb") as file:
        digest.update(file.read(_EDGE))
        file.seek(max(_EDGE, size - _EDGE))
        digest.update(file.read(_EDGE))
    return digest.hexdigest()


def fingerprint_of_file(path: Path) -> str:
    """Return a hash of all bytes of a small file, of size and edges of a big one."""
    if path.stat().st_size > _SMALL:
        return edges_of_file(path)
    return hashlib.blake2b(path.read_bytes(), digest_size=16).hexdigest()


def fingerprint_of(path: Path, options: Options) -> str:
    """Return the fingerprint of what is read of a file: another member, or fewer words, is another table.

    It is the same before and after an import, on any machine; `ContentHash` covers every byte.
    """
    whole = fingerprint_of_file(path)
    arrays = [fingerprint_of_file(other) for other in appended(path)]
    words = None if options.words is None else fingerprint_of_file(Path(options.words))
    part = (options.limit, options.encoding, options.member, words, options.language, *arrays)
    if not any(part):
        return whole
    return hashlib.blake2b(f"{whole} {part}".encode(), digest_size=16).hexdigest()
