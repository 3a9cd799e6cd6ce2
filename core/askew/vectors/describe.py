"""What a vector file holds, as plain data."""

from __future__ import annotations

from dataclasses import asdict
from itertools import islice
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

    from askew.vectors.table import WordVectors

_FIRST = 10


def information(vectors: WordVectors) -> dict[str, Any]:
    """Return what `askew vectors info --json` prints.

    Returns
    -------
    dict
        ``{"format", "container" (outermost last), "member", "words" (how many usable), "dim", "first_words",
        "header", "problems": [{"kind", "line", "word", "message"}]}``.
    """
    origin = vectors.origin
    return {
        "format": origin.format,
        "container": list(origin.container),
        "member": origin.member,
        "words": len(vectors),
        "dim": vectors.dim,
        "first_words": list(islice(vectors, _FIRST)),
        "header": origin.header,
        "problems": [asdict(problem) for problem in vectors.report],
    }


def numbers(vectors: WordVectors, words: Sequence[str]) -> dict[str, list[float] | None]:
    """Return the vector of each word, looked up exactly as given, or None.

    The numbers have the fewest digits that give the float32 back.
    """
    found = {word: vectors.get(word) for word in words}
    return {
        word: None if vector is None else [float(str(value)) for value in vector]
        for word, vector in found.items()
    }


def words_promised(vectors: WordVectors) -> int | None:
    """Return how many words the header of the file promises, None without one."""
    counts = (vectors.origin.header or "").split()
    return int(counts[0]) if len(counts) == 2 and counts[0].isdecimal() else None
