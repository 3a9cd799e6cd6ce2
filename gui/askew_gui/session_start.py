"""What a start shows: the last session, and what is offered of sessions that a crash has left."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from askew.errors import AskewError
from askew_gui import kept_sessions

if TYPE_CHECKING:
    from askew_gui.kept_sessions import About, Kept
    from askew_gui.session_opened import Opened
    from askew_gui.store import Store
    from askew_gui.window import Window


@dataclass(frozen=True, slots=True)
class Beginning:
    """What was there when the program started.

    Parameters
    ----------
    kept
        The place of the last session, which this window takes over; None on the very first day.
    opened
        The last session; None if there is none or it cannot be read.
    path, modified
        Of the last session.
    left
        Sessions to offer, the latest first.
    error
        Why the last session, or its file, cannot be read.
    """

    kept: Kept | None = None
    opened: Opened | None = None
    path: str = ""
    modified: bool = False
    left: tuple[Kept, ...] = ()
    error: AskewError | None = None

    def store(self) -> Store | None:
        """Return the store of the last session; None if there is none."""
        if self.opened is None:
            return None
        from askew_gui.store import Store

        store = Store(self.opened.session.experiment, self.opened.table)
        if len(self.opened.session.variants) > 1 or self.opened.session.title:
            store.replace_session(self.opened.session, self.opened.tables)
        return store

    def show_in(self, window: Window) -> None:
        """Say what the session is, before the first picture."""
        if self.opened is not None:
            window.sessions.resume(self.path, modified=self.modified)

    def follow_in(self, window: Window, report: Path | None = None) -> None:
        """Open the vectors and offer what was left, after the first picture; `report` is that of a crash."""
        window.recovery.adopt(self.kept)
        if self.opened is not None:
            window.sessions.tell(self.opened)
        if self.error is not None:
            window.store.fail(self.error)
        window.recovery.offer(self.left, report)


def beginning(*, show_last: bool = True) -> Beginning:
    """Return what there is; with `show_last` False the last session is left for another start."""
    left = kept_sessions.left()
    last = next((kept for kept in left if _was_ended(kept.about)), None)
    offered = []
    for kept in left:
        if kept is last:
            continue
        if kept.about.modified:
            offered.append(kept)
        else:
            kept.discard()
    if last is None or not show_last:
        if last is not None:
            last.release()
        return Beginning(left=tuple(offered))
    return _begun(last, tuple(offered))


def _was_ended(about: About) -> bool:
    """Tell whether nothing of a session would be lost if it was shown without a question."""
    return about.closed or not about.modified


def _begun(last: Kept, offered: tuple[Kept, ...]) -> Beginning:
    from askew.session_errors import NewerSessionError
    from askew_gui.session_opened import opened, read

    about, error = last.about, None
    path = Path(about.path) if about.path else None
    if path is not None and not about.modified and path.exists():
        try:
            return Beginning(last, read(about.path, about.vectors), about.path, False, offered)
        except AskewError as problem:
            error = problem
    try:
        modified = about.modified or path is not None  # the file is not there, or is not what it was
        found = opened(last.load(), path, about.vectors)
        return Beginning(last, found, about.path, modified, offered, error)
    except AskewError as problem:
        if isinstance(problem, NewerSessionError):
            last.release()  # it waits for that newer version
        else:
            last.discard()
        return Beginning(left=offered, error=error or problem)
