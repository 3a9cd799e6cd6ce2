"""The hash by which spaCy refers to words: MurmurHash64A of their UTF-8, seed 1 (Appleby, 2008)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    UInt64 = npt.NDArray[np.uint64]

_M = np.uint64(0xC6A4A7935BD1E995)
_R = np.uint64(47)
_SEED = np.uint64(1)


def hashes_of(words: Sequence[bytes]) -> UInt64:
    """Return the hash of each word, all at once; that of the empty word is 0, as in spaCy."""
    lengths = np.fromiter(map(len, words), dtype=np.int64, count=len(words))
    starts = np.cumsum(lengths) - lengths
    text = np.frombuffer(b"".join(words) + b"\0" * 8, dtype=np.uint8)
    result = _SEED ^ (lengths.astype(np.uint64) * _M)
    for place in range(int(lengths.max(initial=0)) // 8):
        here = np.flatnonzero(lengths >= 8 * (place + 1))
        key = _eight(text, starts[here] + 8 * place) * _M
        key = (key ^ (key >> _R)) * _M
        result[here] = (result[here] ^ key) * _M
    tails = np.flatnonzero(lengths % 8)
    rest = (lengths[tails] % 8).astype(np.uint64)
    kept = (np.uint64(1) << (rest * np.uint64(8))) - np.uint64(1)
    last = _eight(text, starts[tails] + lengths[tails] // 8 * 8) & kept
    result[tails] = (result[tails] ^ last) * _M
    result = (result ^ (result >> _R)) * _M
    result = result ^ (result >> _R)
    result[lengths == 0] = 0
    return result


def _eight(text: npt.NDArray[np.uint8], starts: npt.NDArray[np.int64]) -> UInt64:
    """Return the eight bytes from each start on as one number."""
    rows: UInt64 = text[starts[:, None] + np.arange(8)].view("<u8").reshape(-1)
    return rows
