"""Words in arrays: numpy's fixed-width text, or UTF-8 with a newline between words."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

from askew.errors import VectorsError
from askew.vectors.formats.word_list import as_bytes

if TYPE_CHECKING:
    from askew.vectors.formats.source import Source

_TEXT = re.compile(r"[<>|=]?([US])(\d{1,9})")
_BLOCK = 1 << 22


def is_text(kind: str) -> bool:
    """Whether a kind, as numpy writes it, is fixed-width text."""
    return _TEXT.fullmatch(kind) is not None


def fixed_width(source: Source, start: int, count: int, kind: str) -> list[bytes]:
    """Return the texts of an array of numpy's.

    Raises
    ------
    VectorsError
        If the file ends before them, or they are no text.
    """
    match = _TEXT.fullmatch(kind)
    width = 0 if match is None else int(match[2]) * (4 if match[1] == "U" else 1)
    if width == 0:
        return [b""] * count if count <= source.size else []
    if start + count * width > source.size:
        raise VectorsError("the file is incomplete: words are missing", where=source.name)
    words: list[bytes] = []
    step = max(1, _BLOCK // width)
    for first in range(0, count, step):
        size = min(step, count - first)
        data = source.read(start + first * width, size * width)
        try:
            texts = np.frombuffer(data, dtype=kind).tolist()
        except ValueError as error:
            raise VectorsError("the words are damaged: they are not text", where=source.name) from error
        words += [text if isinstance(text, bytes) else as_bytes(text) for text in texts]
    return words


def joined_lines(data: bytes) -> list[bytes]:
    """Return the words of one text with a newline between them."""
    return data.split(b"\n")
