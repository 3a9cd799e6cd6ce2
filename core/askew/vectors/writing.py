"""Vectors as files that other programs read: word2vec text and binary, safetensors."""

from __future__ import annotations

import json
from itertools import islice
from typing import TYPE_CHECKING

from askew.errors import VectorsError
from askew.files import replacing
from askew.word_forms import shown

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Iterator
    from typing import IO

    from askew.arrays import Float32
    from askew.vectors.streams import Progress
    from askew.vectors.table import WordVectors

_ROWS = 4096
_ALIGNED = 8


def write_vectors(
    vectors: WordVectors, path: str | os.PathLike[str], form: str, progress: Progress | None = None
) -> None:
    """Write a whole table; the file appears when all of it is written.

    Parameters
    ----------
    form
        A name of `FORMS`.
    progress
        Called with words done and words in all; may raise `Cancelled`.

    Raises
    ------
    VectorsError
        If the table is not ready, or the form cannot hold one of its words.
    WriteError
        If the file cannot be written.
    """
    if form not in FORMS:
        raise VectorsError(f"vectors cannot be written as '{form}'", remedy=f"Choose of: {', '.join(FORMS)}")
    if not vectors.searchable:
        raise VectorsError("the vectors are not ready yet", remedy="Wait until the file is imported")
    with replacing(path) as file:
        FORMS[form](vectors, file, progress or _no_progress)


def _no_progress(done: int, total: int) -> None:
    """Tell nobody."""


def _blocks(vectors: WordVectors, progress: Progress) -> Iterator[tuple[list[str], Float32]]:
    words, done = iter(vectors), 0
    while block := list(islice(words, _ROWS)):
        yield block, vectors.vectors(block)
        done += len(block)
        progress(done, len(vectors))


def _text(vectors: WordVectors, file: IO[bytes], progress: Progress) -> None:
    """Header, then a word and its numbers a line, with the fewest digits that give the float32 back."""
    file.write(f"{len(vectors)} {vectors.dim}\n".encode())
    for words, matrix in _blocks(vectors, progress):
        for word, row in zip(words, matrix, strict=True):
            if not word or word != word.strip(" \t\r") or "\n" in word:
                raise _cannot_hold(word, "word2vec text")
            file.write(f"{word} {' '.join(map(str, row))}\n".encode("utf-8", "replace"))


def _binary(vectors: WordVectors, file: IO[bytes], progress: Progress) -> None:
    """Header, then word, blank, float32 numbers and a newline, as Google's program writes it."""
    file.write(f"{len(vectors)} {vectors.dim}\n".encode())
    for words, matrix in _blocks(vectors, progress):
        for word, row in zip(words, matrix, strict=True):
            if not word or " " in word or word.startswith("\n"):
                raise _cannot_hold(word, "word2vec binary")
            file.write(word.encode("utf-8", "replace") + b" " + row.astype("<f4").tobytes() + b"\n")


def _safetensors(vectors: WordVectors, file: IO[bytes], progress: Progress) -> None:
    """Write the words joined by newlines and the float32 matrix, as the bundled vectors are."""
    if any("\n" in word for word in vectors):
        raise _cannot_hold(next(word for word in vectors if "\n" in word), "safetensors")
    text = "\n".join(vectors).encode("utf-8", "replace")
    first = 4 * len(vectors) * vectors.dim
    header = {
        "__metadata__": {"format": "askew-vectors-1", "name": vectors.name},
        "vectors": {"dtype": "F32", "shape": [len(vectors), vectors.dim], "data_offsets": [0, first]},
        "vocab_utf8": {"dtype": "U8", "shape": [len(text)], "data_offsets": [first, first + len(text)]},
    }
    encoded = json.dumps(header).encode()
    encoded += b" " * (-len(encoded) % _ALIGNED)
    file.write(len(encoded).to_bytes(8, "little") + encoded)
    for _, matrix in _blocks(vectors, progress):
        file.write(matrix.astype("<f4").tobytes())
    file.write(text)


def _cannot_hold(word: str, form: str) -> VectorsError:
    return VectorsError(
        f"{form} cannot hold the word '{shown(word)}', for its blanks or ends of lines",
        remedy="Choose another form",
    )


FORMS: dict[str, Callable[[WordVectors, IO[bytes], Progress], None]] = {
    "word2vec-text": _text,
    "word2vec-binary": _binary,
    "safetensors": _safetensors,
}
