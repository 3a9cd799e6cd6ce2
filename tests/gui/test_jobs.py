"""Work outside the GUI thread: order, progress, cancelling, stale results, closing."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

import pytest

from askew.errors import Cancelled
from askew_gui.jobs import Job, Jobs

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytestqt.qtbot import QtBot


@pytest.fixture
def jobs() -> Iterator[Jobs]:
    jobs = Jobs()
    yield jobs
    jobs.close()


def fail_if_called(what: object) -> None:
    raise AssertionError(f"this should not have arrived: {what}")


def test_the_result_arrives_in_the_gui_thread(jobs: Jobs, qtbot: QtBot) -> None:
    got: list[tuple[object, bool]] = []
    main = threading.current_thread()
    worker: list[bool] = []

    def work(_job: Job) -> int:
        worker.append(threading.current_thread() is main)
        return 42

    def done(value: object) -> None:
        got.append((value, threading.current_thread() is main))

    jobs.submit("compute", work, done, fail_if_called, topic="t")
    qtbot.waitUntil(lambda: bool(got))
    assert got == [(42, True)]
    assert worker == [False]


def test_an_error_arrives_as_an_error(jobs: Jobs, qtbot: QtBot) -> None:
    got: list[Exception] = []

    def work(_job: Job) -> None:
        raise ValueError("no")

    jobs.submit("compute", work, fail_if_called, got.append, topic="t")
    qtbot.waitUntil(lambda: bool(got))
    assert str(got[0]) == "no"


def test_a_later_job_of_the_same_topic_makes_the_earlier_stale(jobs: Jobs, qtbot: QtBot) -> None:
    go = threading.Event()
    got: list[str] = []

    def slow(_job: Job) -> str:
        go.wait(5)
        return "old"

    first = jobs.submit("files", slow, got.append, fail_if_called, topic="t")
    jobs.submit("files", lambda _job: "new", got.append, fail_if_called, topic="t")
    go.set()
    qtbot.waitUntil(lambda: jobs.idle)
    assert got == ["new"]
    assert first.cancelled


def test_topics_do_not_disturb_each_other(jobs: Jobs, qtbot: QtBot) -> None:
    got: list[str] = []
    for topic in ("a", "b"):
        jobs.submit("compute", lambda job: job.topic, got.append, fail_if_called, topic=topic)
    qtbot.waitUntil(lambda: jobs.idle)
    assert got == ["a", "b"]


def test_files_do_not_wait_for_computing(jobs: Jobs, qtbot: QtBot) -> None:
    go = threading.Event()
    got: list[str] = []
    jobs.submit("compute", lambda _job: go.wait(5), lambda _value: None, fail_if_called, topic="a")
    jobs.submit("files", lambda _job: "read", got.append, fail_if_called, topic="b")
    qtbot.waitUntil(lambda: got == ["read"])
    assert not jobs.idle
    go.set()
    qtbot.waitUntil(lambda: jobs.idle)


def test_a_cancelled_job_stops_at_its_next_report_and_delivers_nothing(jobs: Jobs, qtbot: QtBot) -> None:
    reached, stopped = threading.Event(), threading.Event()
    got: list[object] = []

    def work(job: Job) -> None:
        reached.set()
        try:
            while True:
                job.report(1, 10)
        except Cancelled:
            stopped.set()
            raise

    job = jobs.submit("files", work, got.append, got.append, topic="t", label="reading")
    assert reached.wait(5)
    with qtbot.waitSignal(jobs.ended):
        job.cancel()
    assert stopped.wait(5)
    assert got == []


def test_progress_is_told_with_the_time_left(jobs: Jobs, qtbot: QtBot) -> None:
    def work(job: Job) -> None:
        job.report(300, 1000)

    with qtbot.waitSignal(jobs.progressed) as told:
        jobs.submit("files", work, lambda _value: None, fail_if_called, topic="t")
    assert told.args is not None
    job = told.args[0]
    assert (job.done, job.total) == (300, 1000)
    assert job.seconds_left() is None
    job.begun -= 3
    assert job.seconds_left() == pytest.approx(7, abs=0.5)
    qtbot.waitUntil(lambda: jobs.idle)


def test_closing_while_busy_stops_the_work_and_says_so(jobs: Jobs) -> None:
    reached = threading.Event()

    def work(job: Job) -> None:
        reached.set()
        while True:
            job.check()

    jobs.submit("files", work, fail_if_called, fail_if_called, topic="t")
    assert reached.wait(5)
    assert jobs.close(timeout=5)


def test_closing_tells_of_work_that_does_not_stop(jobs: Jobs) -> None:
    reached, go = threading.Event(), threading.Event()

    def work(_job: Job) -> None:
        reached.set()
        go.wait(10)

    jobs.submit("files", work, fail_if_called, fail_if_called, topic="t")
    assert reached.wait(5)
    assert not jobs.close(timeout=0.01)
    go.set()
    assert jobs.close(timeout=5)


def test_after_closing_nothing_is_begun(jobs: Jobs) -> None:
    jobs.close()
    ran: list[Job] = []
    job = jobs.submit("compute", ran.append, fail_if_called, fail_if_called, topic="t")
    assert job.cancelled
    assert ran == []
