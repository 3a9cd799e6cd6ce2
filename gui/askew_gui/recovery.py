"""Keeps the session as one works, gives it back at the next start, and offers what a crash has left."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer

from askew.errors import AskewError
from askew_gui.i18n import tr
from askew_gui.kept_sessions import About, Kept, now

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from askew.experiment import Experiment
    from askew.session import Session
    from askew.vectors.table import WordVectors
    from askew_gui.jobs import Job
    from askew_gui.messages import Choice
    from askew_gui.window import Window

TOPIC = "keeping the session"
PAUSE = 3.0  # seconds without a change after which the session is kept
LONGEST = 20.0  # seconds of changes without such a pause after which it is kept all the same
FINISH = 0.4  # seconds that closing waits for the last keeping


class Recovery(QObject):
    """Keeps the session of one window in the user's state folder, and offers those that others left."""

    def __init__(self, window: Window) -> None:
        super().__init__(window)
        self._window = window
        self._store, self._sessions = window.store, window.sessions
        self._kept: Kept | None = None
        self._offered: list[Kept] = []
        self._last: Session | None = None
        self._waiting_since = 0.0
        self._failed = False
        self.pause = QTimer(self)
        self.pause.setSingleShot(True)
        self.pause.timeout.connect(self.keep)
        self._store.changed.connect(self._keep_soon)
        self._sessions.changed.connect(self._keep_soon)

    # Keeping

    def adopt(self, kept: Kept | None) -> None:
        """Go on in the place of a session that is shown again."""
        self._kept = kept
        self._last = self._store.session

    def _keep_soon(self, _old: Experiment | None = None, _new: Experiment | None = None) -> None:
        time = now()
        if not self.pause.isActive():
            self._waiting_since = time
        left = LONGEST - (time - self._waiting_since)
        self.pause.start(round(1000 * max(0.0, min(PAUSE, left))))

    def keep(self) -> None:
        """Keep the session now, in the background."""
        self.pause.stop()
        try:
            self._kept = self._kept or Kept.new()
        except OSError as error:
            self._on_not_kept(error)
            return
        session, tables, _ = self._sessions.snapshot()
        work = partial(_keep, self._kept, self._about(), session, tables)
        done = partial(self._on_kept, session)
        self._store.jobs.submit("saving", work, done, self._on_not_kept, topic=TOPIC)

    def _about(self) -> About:
        _, _, places = self._sessions.snapshot()
        files = [str(path) for path, _ in places.values()]
        sessions = self._sessions
        modified = sessions.modified and not sessions.discarded
        return About(sessions.path, modified, vectors=files, saved_at=now())

    def _on_kept(self, session: Session, _nothing: None) -> None:
        self._last, self._failed = session, False

    def _on_not_kept(self, error: Exception) -> None:
        if not isinstance(error, AskewError | OSError):
            raise error
        if not self._failed:  # said once, not every few seconds
            self._failed = True
            text = tr("the session cannot be kept for the next start ({})").format(str(error).rstrip("."))
            self._store.say("warning", text, tr("Save it where you can"))

    def close(self) -> None:
        """Keep the session as it was last for the next start, and let go of what was offered."""
        self.pause.stop()
        for kept in self._offered:
            kept.release()
        self._offered = []
        sessions, present = self._sessions, self._store.session
        untouched = not sessions.path and not sessions.modified and self._kept is None
        if not untouched:
            if present is not self._last:
                self.keep()
            if self._store.jobs.finish(TOPIC, FINISH) and self._kept is not None:
                self._tell_closed(self._kept)
        if self._kept is not None:
            self._kept.release()

    def _tell_closed(self, kept: Kept) -> None:
        try:
            kept.tell(replace(self._about(), closed=True))
        except (AskewError, OSError):
            return  # what was kept before is offered as after a crash: nothing is lost

    # Offering what was left

    def offer(self, kept: Sequence[Kept], report: Path | None = None) -> None:
        """Offer sessions that programs left which ended without saving them; `report` is that of a crash."""
        self._offered = [*self._offered, *kept]
        for each in reversed(kept):
            self._offer(each, report)
        if report is not None and not kept:
            text = tr("Askew ended unexpectedly last time")
            self._window.messages.say("warning", text, _where_report_lies(report))

    def offer_of(self, path: str) -> None:
        """Offer what was left of a file, if anything was: it may be newer than the file."""
        for kept in self._of(path):
            self._offer(kept)

    def choices_of(self, path: str) -> tuple[Choice, ...]:
        """Return the ways to what was kept of a file that cannot be read."""
        text = tr("Restore what was kept {}")
        return tuple((text.format(when(kept.about)), partial(self.restore, kept)) for kept in self._of(path))

    def _of(self, path: str) -> list[Kept]:
        return [kept for kept in self._offered if kept.about.path == path]

    def _offer(self, kept: Kept, report: Path | None = None) -> None:
        about = kept.about
        name = f"“{about.name}”" if about.name else tr("an untitled session")
        if about.closed:
            text = tr("{} of another window was not saved").format(name)
        else:
            text = tr("Askew ended before {} was saved").format(name)
        choices = (
            (tr("Restore"), partial(self.restore, kept)),
            (tr("Discard"), partial(self.discard, kept)),
        )
        remedy = tr("It was kept {}").format(when(about))
        if report is not None:
            remedy = f"{remedy}. {_where_report_lies(report)}"
        self._window.messages.offer(text, remedy, choices, "warning")

    def restore(self, kept: Kept) -> None:
        """Show what was kept; asks first what becomes of unsaved changes."""
        self._sessions.ask_first(partial(self._restore, kept))

    def _restore(self, kept: Kept) -> None:
        from askew_gui.session_opened import opened

        about = kept.about
        try:
            path = Path(about.path) if about.path else None
            found = opened(kept.load(), path, about.vectors)
        except AskewError as error:
            self._store.fail(error)
            return
        self.pause.stop()
        if self._kept is not None and self._store.jobs.finish(TOPIC, FINISH):
            self._kept.discard()
        self._offered = [each for each in self._offered if each is not kept]
        self._sessions.show(found, about.path, modified=True)
        self.adopt(kept)

    def discard(self, kept: Kept) -> None:
        """Remove what was kept."""
        self._offered = [each for each in self._offered if each is not kept]
        kept.discard()


def when(about: About) -> str:
    """Return when a session was kept, as people say it."""
    time = datetime.fromtimestamp(about.saved_at)
    today = time.date() == datetime.now().date()
    return tr("at {}").format(f"{time:%H:%M}") if today else tr("on {}").format(f"{time:%Y-%m-%d %H:%M}")


def _where_report_lies(report: Path) -> str:
    return tr("A report of the crash, without your text, is {}").format(report)


def _keep(kept: Kept, about: About, session: Session, tables: Mapping[str, WordVectors], _job: Job) -> None:
    from askew.session_file import to_bytes

    # Drawn and bundled numbers go in as recipe and hash, so that this takes no time.
    kept.write(about, to_bytes(session, tables, limit=1 << 40))
