"""One BLAS thread at a time; several heads at once where there is much to do.

BLAS threads wait for each other at every product, which costs 10 to 100 times more than it saves as soon as
the machine has something else to do. So products run in one thread, and large work is shared out head by head
among threads that wait only once, for the last head.
"""

from __future__ import annotations

import os
from contextlib import contextmanager
from functools import cache
from itertools import count
from typing import TYPE_CHECKING, TypeVar

from threadpoolctl import LibController, ThreadpoolController

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from concurrent.futures import ThreadPoolExecutor

Task = TypeVar("Task")
Result = TypeVar("Result")

MOST_THREADS = 4
"""More only compete for memory."""


@contextmanager
def one_thread() -> Iterator[None]:
    """Run what follows, or a whole function, with one BLAS thread; it costs some two microseconds."""
    before = [library.get_num_threads() for library in _libraries()]
    for library in _libraries():
        library.set_num_threads(1)
    try:
        yield
    finally:
        for library, threads in zip(_libraries(), before, strict=True):
            library.set_num_threads(threads)


def share_out(work: Callable[[Task], Result], tasks: Sequence[Task]) -> list[Result]:
    """Return the result of each task, worked on by this thread and by those that have time to help."""
    results: dict[int, Result] = {}
    places = count()

    def take_turns() -> None:
        while (place := next(places)) < len(tasks):
            results[place] = work(tasks[place])

    helpers = [_helpers().submit(take_turns) for _ in range(min(threads(), len(tasks)) - 1)]
    try:
        take_turns()
    finally:
        for helper in helpers:
            if not helper.cancel():
                helper.result()
    return [results[place] for place in range(len(tasks))]


@cache
def threads() -> int:
    """Return how many threads work on large tasks, this one included."""
    usable = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return max(1, min(usable or 1, MOST_THREADS))


@cache
def _helpers() -> ThreadPoolExecutor:
    """Return the threads that help; started, and their module imported, only for large work."""
    from concurrent.futures import ThreadPoolExecutor

    return ThreadPoolExecutor(max_workers=MOST_THREADS, thread_name_prefix="askew-heads")


@cache
def _libraries() -> tuple[LibController, ...]:
    """Return the BLAS libraries in use."""
    return tuple(ThreadpoolController().select(user_api="blas").lib_controllers)
