"""Nearest words in two steps: among the most frequent words at once, then among all."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from askew_gui.i18n import tr

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from askew.arrays import Float32
    from askew.vectors.table import WordVectors
    from askew_gui.jobs import Job
    from askew_gui.store import Store

FIRST = 50_000
"""Words of the first step: 6 ms for 300 numbers each, so the answer is there in the next frame."""


class Nearest(NamedTuple):
    """For each word asked the nearest ones with their cosines.

    `among` is how many words were searched, the most frequent ones, None for all; `is_final` tells that no
    better answer follows.
    """

    words: tuple[list[tuple[str, float]], ...]
    among: int | None
    is_final: bool


class _Asked(NamedTuple):
    """What is looked for, by which topic, and who waits for it."""

    words: tuple[str, ...]
    n: int
    topic: str
    show: Callable[[Nearest], None]
    failed: Callable[[Exception], None]


def can_search(store: Store) -> bool:
    """Tell whether there are nearest words of the vectors in use, be it among the first words only."""
    return store.vectors.searchable or store.stand_in is not None


def not_yet() -> str:
    """Return what is said while a big file has no store."""
    return tr("nearest words come once the file is imported")


def look_up(
    store: Store,
    words: Sequence[str],
    n: int,
    topic: str,
    show: Callable[[Nearest], None],
    failed: Callable[[Exception], None],
) -> None:
    """Search in the background; `show` is called once, for a big table twice.

    A later search of the same topic drops this one.
    """
    asked, vectors = _Asked(tuple(words), n, topic, show, failed), store.vectors
    if not vectors.searchable and store.stand_in is not None:
        work = partial(_search_stand_in, vectors, store.stand_in, asked)
        store.jobs.submit("compute", work, show, failed, topic=topic)
        return
    first = partial(_search, vectors, asked, FIRST)
    store.jobs.submit("compute", first, partial(_go_on, store, vectors, asked), failed, topic=topic)


def _go_on(store: Store, vectors: WordVectors, asked: _Asked, found: Nearest) -> None:
    asked.show(found)
    if not found.is_final:
        rest = partial(_search, vectors, asked, None)
        store.jobs.submit("compute", rest, asked.show, asked.failed, topic=asked.topic)


def _search(vectors: WordVectors, asked: _Asked, first: int | None, job: Job) -> Nearest:
    job.check()
    found = vectors.neighbours_of_many(asked.words, asked.n, first=first)
    whole = first is None or first >= len(vectors)
    return Nearest(tuple(found), None if whole else first, whole)


def _search_stand_in(vectors: WordVectors, table: WordVectors, asked: _Asked, job: Job) -> Nearest:
    """Search a table of the first words; a word that is not among them is looked for by its vector."""
    job.check()
    queries: list[str | Float32] = []
    for word in asked.words:
        vector = None if word in table else vectors.get(word)
        queries.append(word if vector is None else vector)
    return Nearest(tuple(table.neighbours_of_many(queries, asked.n)), len(table), is_final=True)
