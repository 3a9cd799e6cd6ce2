"""Nearest words in two steps: among the most frequent words at once, then among all."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from askew_gui.i18n import tr

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from askew.vectors.table import WordVectors
    from askew_gui.jobs import Job, Jobs

    Show = Callable[["Nearest"], None]

FIRST = 50_000
"""Words of the first step: 6 ms for 300 numbers each, so the answer is there in the next frame."""


class Nearest(NamedTuple):
    """For each word asked the nearest ones with their cosines; `among` words were searched, of all or not."""

    words: tuple[list[tuple[str, float]], ...]
    among: int
    is_final: bool


def look_up(
    jobs: Jobs,
    vectors: WordVectors,
    words: Sequence[str],
    n: int,
    topic: str,
    show: Show,
    failed: Callable[[Exception], None],
) -> None:
    """Search in the background; `show` is called once, for a big table twice.

    A later search of the same topic drops this one.
    """
    first = partial(_search, vectors, tuple(words), n, FIRST)
    jobs.submit(
        "compute", first, partial(_go_on, jobs, vectors, words, n, topic, show, failed), failed, topic=topic
    )


def not_yet() -> str:
    """Return what is said while a big file has no store."""
    return tr("nearest words come once the file is imported")


def _go_on(
    jobs: Jobs,
    vectors: WordVectors,
    words: Sequence[str],
    n: int,
    topic: str,
    show: Show,
    failed: Callable[[Exception], None],
    found: Nearest,
) -> None:
    show(found)
    if not found.is_final:
        jobs.submit("compute", partial(_search, vectors, tuple(words), n, None), show, failed, topic=topic)


def _search(vectors: WordVectors, words: tuple[str, ...], n: int, first: int | None, job: Job) -> Nearest:
    job.check()
    among = len(vectors) if first is None else min(first, len(vectors))
    found = vectors.neighbours_of_many(words, n, first=first)
    return Nearest(tuple(found), among, among == len(vectors))
