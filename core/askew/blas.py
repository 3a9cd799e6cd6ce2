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
from operator import itemgetter
from queue import SimpleQueue
from threading import Thread
from typing import TYPE_CHECKING, TypeVar, cast

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from threadpoolctl import LibController

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
    finished: SimpleQueue[tuple[int, Result | None, BaseException | None]] = SimpleQueue()
    places = count()

    def take_turns() -> None:
        while (place := next(places)) < len(tasks):
            try:
                finished.put((place, work(tasks[place]), None))
            except BaseException as error:  # raised where the tasks were given
                finished.put((place, None, error))

    for _ in range(min(threads(), len(tasks)) - 1):
        _helpers().put(take_turns)
    take_turns()
    results = sorted((finished.get() for _ in tasks), key=itemgetter(0))
    for _, _, error in results:
        if error is not None:
            raise error
    return [cast("Result", result) for _, result, _ in results]


@cache
def threads() -> int:
    """Return how many threads work on large tasks, this one included."""
    usable = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return max(1, min(usable or 1, MOST_THREADS))


@cache
def _helpers() -> SimpleQueue[Callable[[], None]]:
    """Return where threads that help wait for work; a pool of the standard library takes longer to import."""
    waiting: SimpleQueue[Callable[[], None]] = SimpleQueue()
    for number in range(MOST_THREADS - 1):
        Thread(target=_help, args=(waiting,), name=f"askew-heads-{number}", daemon=True).start()
    return waiting


def _help(waiting: SimpleQueue[Callable[[], None]]) -> None:
    while True:
        waiting.get()()


@cache
def _libraries() -> tuple[LibController, ...]:
    """Return the BLAS libraries in use whose threads must be held back.

    Where the environment has asked OpenBLAS for one thread, as the window does before it loads numpy, there
    is nothing to hold back, and looking for the libraries would delay the first picture.
    """
    if os.environ.get("OPENBLAS_NUM_THREADS") == "1":
        return ()
    from threadpoolctl import ThreadpoolController

    return tuple(ThreadpoolController().select(user_api="blas").lib_controllers)
