"""One BLAS thread for products, several threads for several heads."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

import pytest
from threadpoolctl import threadpool_info, threadpool_limits

from askew import blas

if TYPE_CHECKING:
    from collections.abc import Iterator


def blas_threads() -> list[int]:
    return [library["num_threads"] for library in threadpool_info() if library["user_api"] == "blas"]


@pytest.fixture(autouse=True)
def _look_anew() -> Iterator[None]:
    blas._libraries.cache_clear()  # another test may have brought in a library since
    yield
    blas._libraries.cache_clear()


def test_nothing_is_looked_for_where_the_environment_has_asked_for_one_thread(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("OPENBLAS_NUM_THREADS", "1")
    assert blas._libraries() == ()
    blas._libraries.cache_clear()
    monkeypatch.setenv("OPENBLAS_NUM_THREADS", "2")
    assert len(blas._libraries()) >= 1


def test_products_run_in_one_thread_and_the_number_is_put_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENBLAS_NUM_THREADS")
    with threadpool_limits(2, user_api="blas"):
        before = blas_threads()
        with blas.one_thread():
            assert set(blas_threads()) == {1}
        assert blas_threads() == before
        with pytest.raises(KeyError), blas.one_thread():
            raise KeyError
        assert blas_threads() == before


@pytest.mark.parametrize("count", [0, 1, 2, 50])
def test_every_task_is_done_once_and_results_keep_their_order(count: int) -> None:
    done: list[int] = []

    def work(task: int) -> int:
        done.append(task)
        return task * task

    assert blas.share_out(work, range(count)) == [task * task for task in range(count)]
    assert sorted(done) == list(range(count))


def test_helpers_help(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blas, "threads", lambda: 2)
    both = threading.Barrier(2, timeout=20)

    def meet(_: int) -> int:
        both.wait()  # needs another thread to be at work at the same time
        return threading.get_ident()

    assert len(set(blas.share_out(meet, range(2)))) == 2


def test_an_error_in_a_task_is_raised() -> None:
    def work(task: int) -> float:
        return 1 / (task - 3)

    with pytest.raises(ZeroDivisionError):
        blas.share_out(work, range(8))
