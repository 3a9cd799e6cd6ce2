"""Work outside the GUI thread; the only module that knows threads."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING, Any, Literal

from PySide6.QtCore import QCoreApplication, QEvent, QObject, Qt, Signal, SignalInstance

from askew.errors import Cancelled

if TYPE_CHECKING:
    from collections.abc import Callable
    from concurrent.futures import Future, ThreadPoolExecutor

Lane = Literal["compute", "files", "saving"]

REPORT_EVERY = 0.05  # seconds between two reports of progress: more than a screen can show is noise


class Job:
    """One piece of work, touched from both sides; the worker gets it as its only argument."""

    def __init__(
        self, lane: Lane, topic: str, label: str, told: SignalInstance, handed: SignalInstance
    ) -> None:
        self.lane = lane
        self.topic = topic
        self.label = label
        self.begun = time.monotonic()
        self.done = 0
        self.total = 0
        self._told = told
        self._handed = handed
        self._told_at = 0.0
        self._stop = threading.Event()

    @property
    def cancelled(self) -> bool:
        """True once the result is no longer wanted."""
        return self._stop.is_set()

    def cancel(self) -> None:
        """Ask the worker to stop at its next report; its result is dropped in any case."""
        self._stop.set()

    def check(self) -> None:
        """Raise `Cancelled` if the result is no longer wanted."""
        if self._stop.is_set():
            raise Cancelled

    def report(self, done: int, total: int) -> None:
        """Tell how far the work is, from the worker; raises `Cancelled` where it should stop."""
        self.check()
        self.done, self.total = done, total
        now = time.monotonic()
        if now - self._told_at >= REPORT_EVERY:
            self._told_at = now
            self._told.emit(self)

    def hand_over(self, part: object) -> None:
        """Give a first part of the result to whoever waits for it, from the worker."""
        self.check()
        self._handed.emit(self, part)

    def seconds_left(self) -> float | None:
        """Return the time left at the pace so far, or None while it is too early to tell."""
        passed = time.monotonic() - self.begun
        if passed < 0.5 or not 0 < self.done <= self.total:
            return None
        return passed * (self.total - self.done) / self.done


class Jobs(QObject):
    """Three workers: for computing, for files, and for saving, which must not wait for what is read.

    Results arrive in the GUI thread.

    A new job of a topic makes the older ones of that topic stale: they are cancelled and what they still
    deliver is dropped.

    Signals
    -------
    started(job), progressed(job), ended(job)
        For what shows progress; `ended` also comes for cancelled and failed jobs.
    """

    started = Signal(object)
    progressed = Signal(object)
    ended = Signal(object)
    _posted = Signal(object, object, object)
    _handed = Signal(object, object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._pools: dict[Lane, ThreadPoolExecutor] = {}
        self._waiting: dict[Job, tuple[Callable[[Any], None], Callable[[Exception], None]]] = {}
        self._parts: dict[Job, Callable[[Any], None]] = {}
        self._futures: dict[Job, Future[None]] = {}
        self._closed = False
        self._posted.connect(self._deliver, Qt.ConnectionType.QueuedConnection)
        self._handed.connect(self._deliver_part, Qt.ConnectionType.QueuedConnection)

    @property
    def idle(self) -> bool:
        """True while nothing is running or about to be delivered."""
        return not self._futures

    def submit(
        self,
        lane: Lane,
        work: Callable[[Job], Any],
        done: Callable[[Any], None],
        failed: Callable[[Exception], None],
        *,
        topic: str,
        label: str = "",
        partly: Callable[[Any], None] | None = None,
    ) -> Job:
        """Run `work(job)` in the lane's worker; then `done(result)` or `failed(error)` in the GUI thread.

        `partly` gets what the work hands over before its end. `work` must hold no widget: Python may end it
        in the worker's thread. A job with a label is shown while it runs.
        """
        self.drop(topic)
        job = Job(lane, topic, label, self.progressed, self._handed)
        if self._closed:
            job.cancel()
            return job
        self._waiting[job] = (done, failed)
        if partly is not None:
            self._parts[job] = partly
        self._futures[job] = self._pool(lane).submit(_run, job, work, self._posted)
        self.started.emit(job)
        return job

    def drop(self, topic: str) -> None:
        """Cancel whatever runs under this topic."""
        for job in list(self._waiting):
            if job.topic == topic:
                job.cancel()

    def finish(self, topic: str, timeout: float) -> bool:
        """Wait for what runs under this topic and deliver it now; return False if it takes longer."""
        futures = [future for job, future in self._futures.items() if job.topic == topic]
        if futures:
            from concurrent.futures import wait

            if wait(futures, timeout=timeout).not_done:
                return False
            QCoreApplication.sendPostedEvents(self, QEvent.Type.MetaCall.value)
        return True

    def close(self, timeout: float = 1.5) -> bool:
        """Cancel everything and wait for the workers; return False if one would not stop in time.

        Nothing is delivered any more, and nothing new is begun. May be called again to wait longer.
        """
        self._closed = True
        self._waiting.clear()
        self._parts.clear()
        for job in self._futures:
            job.cancel()
        for pool in self._pools.values():
            pool.shutdown(wait=False, cancel_futures=True)
        if not self._futures:
            return True
        from concurrent.futures import wait

        return not wait(list(self._futures.values()), timeout=timeout).not_done

    def _pool(self, lane: Lane) -> ThreadPoolExecutor:
        if lane not in self._pools:
            from concurrent.futures import ThreadPoolExecutor  # on first use: it costs 10 ms of the start

            self._pools[lane] = ThreadPoolExecutor(max_workers=1, thread_name_prefix=f"askew-{lane}")
        return self._pools[lane]

    def _deliver_part(self, job: Job, part: object) -> None:
        call = self._parts.get(job)
        if call is not None and not job.cancelled:
            call(part)

    def _deliver(self, job: Job, value: object, error: Exception | None) -> None:
        self._futures.pop(job, None)
        self._parts.pop(job, None)
        calls = self._waiting.pop(job, None)
        if calls is None:
            return
        self.ended.emit(job)
        if job.cancelled or isinstance(error, Cancelled):
            return
        if error is None:
            calls[0](value)
        else:
            calls[1](error)


def _run(job: Job, work: Callable[[Job], Any], posted: SignalInstance) -> None:
    value, error = None, None
    try:
        job.check()
        value = work(job)
    except Exception as problem:
        error = problem
    try:
        posted.emit(job, value, error)
    except RuntimeError:  # the window went while the work was running; nobody waits for the result
        return
