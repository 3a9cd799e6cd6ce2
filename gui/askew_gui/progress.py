"""A strip that shows work in the background: how far, how long still, and a way to stop it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QHBoxLayout, QProgressBar, QPushButton, QSizePolicy, QWidget

from askew_gui.i18n import tr
from askew_gui.widgets.labels import PlainLabel

if TYPE_CHECKING:
    from askew_gui.jobs import Job, Jobs

SHOW_AFTER = 400  # ms: shorter work is over before a strip could be read


class ProgressStrip(QWidget):
    """Shows the labelled job that began last; hidden while there is none or it is quick."""

    def __init__(self, jobs: Jobs, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._job: Job | None = None
        self._label = PlainLabel("", self).shorten()
        self._label.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self._bar = QProgressBar(self)
        self._bar.setTextVisible(False)
        self._bar.setFixedWidth(220)
        self._bar.setAccessibleName(tr("Progress"))
        self._left = PlainLabel("", self, tone="muted")
        self._cancel = QPushButton(tr("Cancel"), self)
        self._cancel.clicked.connect(self.cancel)
        row = QHBoxLayout(self)
        row.setContentsMargins(14, 4, 10, 4)
        row.setSpacing(10)
        row.addWidget(self._label, 1)
        row.addWidget(self._left)
        row.addWidget(self._bar, 0, Qt.AlignmentFlag.AlignVCenter)
        row.addWidget(self._cancel)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._appear)
        jobs.started.connect(self._begin)
        jobs.progressed.connect(self._show_progress)
        jobs.ended.connect(self._end)
        self.hide()

    def cancel(self) -> None:
        """Stop the job on show; what it was to replace stays."""
        if self._job is not None:
            self._job.cancel()
            self._end(self._job)

    def _begin(self, job: Job) -> None:
        if job.label:
            self._job = job
            self._timer.start(SHOW_AFTER)

    def _appear(self) -> None:
        if self._job is not None:
            self._show_progress(self._job)
            self.show()

    def _show_progress(self, job: Job) -> None:
        if job is not self._job:
            return
        self._label.setText(job.label)
        self._bar.setRange(0, 1000 if job.total else 0)
        if job.total:
            self._bar.setValue(min(1000, 1000 * job.done // job.total))
        self._left.setText(progress_text(job.done, job.total, job.seconds_left()))

    def _end(self, job: Job) -> None:
        if job is self._job:
            self._job = None
            self._timer.stop()
            self.hide()


def progress_text(done: int, total: int, seconds: float | None) -> str:
    """Return how far the work is, in megabytes, and the time left."""
    if not total:
        return ""
    text = tr("{} of {} MB").format(f"{done / 1e6:,.0f}", f"{total / 1e6:,.0f}")
    if seconds is None:
        return text
    left = tr("{} s left").format(max(1, round(seconds)))
    if seconds >= 90:
        left = tr("{} min left").format(round(seconds / 60))
    return f"{text} · {left}"
