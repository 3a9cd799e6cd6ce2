"""Writing word vectors as files that Askew and others read."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import numpy as np

from askew.errors import VectorsError
from askew.files import replacing

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Iterator
    from typing import IO

    from askew.arrays import Float32
    from askew.vectors.streams import Progress
    from askew.vectors.table import WordVectors

    Blocks = Iterator[tuple[list[str], Float32]]

_BLOCK = 4096


def write_vectors(
    vectors: WordVectors, path: str | os.PathLike[str], kind: str, progress: Progress | None = None
) -> None:
    """Write all words of a table; the file is there whole or not at all.

    Parameters
    ----------
    kind
        A name of `WRITERS`. Text has the fewest digits that give each float32 back.
    progress
        Called with words done and words in all; may raise `Cancelled`.

    Raises
    ------
    VectorsError
        If there is no such kind, it has no place for one of the words, or the table is only indexed so far.
    WriteError
        If the place cannot be written.
    """
    if kind not in WRITERS:
        raise VectorsError(f"vectors cannot be written as '{kind}'", remedy=f"Choose: {', '.join(WRITERS)}")
    if not vectors.searchable:
        raise VectorsError(f"{vectors.name} is not read in full yet", remedy="Wait until it is imported")
    with replacing(path) as file:
        WRITERS[kind](vectors, file, _blocks(vectors, progress))


def _blocks(vectors: WordVectors, progress: Progress | None) -> Blocks:
    count = len(vectors)
    for start in range(0, count, _BLOCK):
        words = [vectors.word(row) for row in range(start, min(start + _BLOCK, count))]
        yield words, np.ascontiguousarray(vectors.vectors(words), dtype="<f4")
        if progress is not None:
            progress(start + len(words), count)


def _write_text(vectors: WordVectors, file: IO[bytes], blocks: Blocks) -> None:
    file.write(f"{len(vectors)} {vectors.dim}\n".encode())
    for words, matrix in blocks:
        for word, row in zip(words, matrix, strict=True):
            if "\r" in word or word != word.rstrip(" \t"):
                what = "a carriage return" if "\r" in word else "a blank at its end"
                raise VectorsError(
                    f"{word!r} has {what}, which word2vec text has no place for",
                    remedy="Save as safetensors",
                )
            file.write(f"{_in_a_line(word)} {' '.join(map(str, row))}\n".encode("utf-8", "surrogatepass"))


def _write_binary(vectors: WordVectors, file: IO[bytes], blocks: Blocks) -> None:
    file.write(f"{len(vectors)} {vectors.dim}\n".encode())
    for words, matrix in blocks:
        for word, row in zip(words, matrix, strict=True):
            if " " in word:
                raise VectorsError(
                    f"'{word}' has a blank, which word2vec binary has no place for", remedy="Save as text"
                )
            file.write(_in_a_line(word).encode("utf-8", "surrogatepass") + b" " + row.tobytes() + b"\n")


def _write_safetensors(vectors: WordVectors, file: IO[bytes], blocks: Blocks) -> None:
    text = "\n".join(_in_a_line(word) for word in vectors).encode("utf-8", "surrogatepass")
    size = 4 * len(vectors) * vectors.dim
    header = {
        "vectors": {"dtype": "F32", "shape": [len(vectors), vectors.dim], "data_offsets": [0, size]},
        "vocab_utf8": {"dtype": "U8", "shape": [len(text)], "data_offsets": [size, size + len(text)]},
    }
    head = json.dumps(header, separators=(",", ":")).encode()
    head += b" " * (-len(head) % 8)  # so that the numbers are aligned
    file.write(len(head).to_bytes(8, "little") + head)
    for _, matrix in blocks:
        file.write(matrix.data)
    file.write(text)


def _in_a_line(word: str) -> str:
    if "\n" in word:
        raise VectorsError(f"{word!r} has a line end in it, which no file of vectors has a place for")
    return word


WRITERS: dict[str, Callable[[WordVectors, IO[bytes], Blocks], None]] = {
    "word2vec-text": _write_text,
    "word2vec-binary": _write_binary,
    "safetensors": _write_safetensors,
}
