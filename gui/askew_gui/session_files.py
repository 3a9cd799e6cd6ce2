"""The session in the window and its file: new, open, save, the mark of what is not saved."""

from __future__ import annotations

from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from askew.errors import AskewError
from askew_gui.i18n import tr
from askew_gui.retrying import offer_retry

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from PySide6.QtWidgets import QFileDialog

    from askew.session import Session
    from askew.vectors.options import Options
    from askew.vectors.table import WordVectors
    from askew_gui.jobs import Job
    from askew_gui.session_opened import Opened
    from askew_gui.session_vectors import SessionVectors
    from askew_gui.window import Window

    Then = Callable[[], object]
    Places = Mapping[str, tuple[Path, Options]]
    Stamp = tuple[int, int] | None

SAVING = "saving the session"
FINISH = 0.8  # seconds that closing waits for a save to end


class SessionFiles(QObject):
    """Knows the file of the session on show, and whether it holds what is shown.

    Signals
    -------
    changed()
        Name, file or mark are others.
    """

    changed = Signal()

    def __init__(self, window: Window) -> None:
        super().__init__(window)
        self._window = window
        self._store, self._settings = window.store, window.settings
        self.path = ""
        self._stamp: Stamp = None  # of the file as it was read or written last
        self._nowhere = False  # what is shown was never saved, although no step of undo tells so
        self._saving = False
        self._discarding = False
        self.unattended = False  # nobody is there to be asked: what is not saved is kept for the next start
        self._store.undo_stack.cleanChanged.connect(self._on_clean_changed)

    @property
    def name(self) -> str:
        """What the session is called."""
        return self._store.session.title or Path(self.path).stem or tr("Untitled")

    @property
    def modified(self) -> bool:
        """Whether there are changes that no file holds."""
        return self._saving or self._nowhere or not self._store.undo_stack.isClean()

    @property
    def discarded(self) -> bool:
        """Whether the person said that the changes are not wanted."""
        return self._discarding

    @cached_property
    def vectors(self) -> SessionVectors:
        """What finds the vectors of an opened session."""
        from askew_gui.session_vectors import SessionVectors

        return SessionVectors(self._window)

    def _on_clean_changed(self, _clean: bool) -> None:
        self.changed.emit()

    # New and open

    def new(self) -> None:
        """Begin anew with the first example; asks first what becomes of unsaved changes."""
        self.ask_first(self._begin_anew)

    def _begin_anew(self) -> None:
        from askew_gui.app import FIRST_EXAMPLE
        from askew_gui.session_opened import first_example

        self.show(first_example(), "")
        self._window.example_strip.begin(FIRST_EXAMPLE)

    def open(self, path: str) -> None:
        """Open a session, or a picture that carries one; asks first what becomes of unsaved changes."""
        self.ask_first(partial(self._open, path))

    def _open(self, path: str) -> None:
        from askew_gui.opening import TOPIC

        self._store.jobs.submit(
            "files",
            partial(_read, path, tuple(self._settings.recent)),
            partial(self._on_read, path),
            partial(self._on_unreadable, path),
            topic=TOPIC,
            label=tr("Opening {}").format(Path(path).name),
        )

    def _on_read(self, path: str, opened: Opened) -> None:
        from askew.session_file import kind_of

        path = str(Path(path).absolute())
        self._settings.remember_file(path)
        self.show(opened, path if kind_of(path) == "session" else "")
        self._window.recovery.offer_of(path)

    def _on_unreadable(self, path: str, error: Exception) -> None:
        if not isinstance(error, AskewError):
            raise error
        choices = self._window.recovery.choices_of(str(Path(path).absolute()))
        self._store.offer(error, error.remedy, choices)

    def show(self, opened: Opened, path: str, *, modified: bool = False) -> None:
        """Show a session that was read; `path` is the file that it will be saved to, "" for none."""
        self._store.replace_session(opened.session, opened.tables)
        self.resume(path, modified=modified)
        self.tell(opened)

    def tell(self, opened: Opened) -> None:
        """Say what a person must know of an opened session, and look for its vectors."""
        if opened.notes:
            self._store.say("warning", " ".join(opened.notes))
        if opened.missing:
            self.vectors.follow(opened.missing)

    def resume(self, path: str, *, modified: bool) -> None:
        """Take what is shown for the session of a file, "" for none."""
        self.path, self._stamp = path, _stamp_of(path)
        self._nowhere = modified
        self.changed.emit()

    # Save

    def save(self, then: Then | None = None) -> QFileDialog | None:
        """Save to the file of the session, or ask for one; `then` is called when all went well."""
        if not self.path:
            return self.save_as(then)
        now = _stamp_of(self.path)
        if now is not None and self._stamp is not None and now != self._stamp:
            self._offer_to_replace(then)
        else:
            self._save_to(self.path, then)
        return None

    def _offer_to_replace(self, then: Then | None) -> None:
        """Say that the file is no longer the one that was opened, and offer what can be done."""
        error = AskewError(
            tr("the file was changed by another window or program since it was opened or saved here"),
            where=Path(self.path).name,
            remedy=tr("Save over it, or under another name"),
        )
        over, elsewhere = partial(self._save_to, self.path, then), partial(self.save_as, then)
        self._store.offer(error, error.remedy, ((tr("Save over it"), over), (tr("Save as…"), elsewhere)))

    def save_as(self, then: Then | None = None) -> QFileDialog:
        """Ask where to save, and do it; return the question."""
        from askew_gui.dialogs.session_dialogs import ask_where_to_save

        chosen = partial(self._save_to, then=then)
        return ask_where_to_save(self._window, self._suggestion(), chosen, tr("Save the session"))

    def save_copy(self) -> QFileDialog:
        """Ask where to save a copy; the session stays that of its own file. Return the question."""
        from askew_gui.dialogs.session_dialogs import ask_where_to_save

        title = tr("Save a copy of the session")
        return ask_where_to_save(self._window, self._suggestion(tr(" copy")), self._copy_to, title)

    def _suggestion(self, added: str = "") -> Path:
        place = Path(self.path) if self.path else Path(self._settings.folder, self.name)
        return place.with_name(f"{place.stem}{added}.askew")

    def _save_to(self, path: str, then: Then | None = None) -> None:
        self._store.jobs.finish(SAVING, FINISH)  # a save to another file, say, that the next would replace
        self._saving = True
        self._store.undo_stack.setClean()  # what comes from now on is not in the file
        self.changed.emit()
        saved, refused = partial(self._on_saved, path, then), partial(self._on_not_saved, path, then)
        self._submit(path, SAVING, saved, refused)

    def _copy_to(self, path: str) -> None:
        again = partial(self._copy_to, path)
        said = partial(self._store.say, "info", tr("A copy was saved as {}").format(Path(path).name))
        refused = partial(offer_retry, self._store, again, self.save_copy)
        self._submit(path, f"{SAVING} as a copy", partial(_without_value, said), refused)

    def _submit(
        self, path: str, topic: str, done: Callable[[None], None], failed: Callable[[Exception], None]
    ) -> None:
        session, tables, places = self.snapshot()
        work = partial(_write, path, session, tables, places)
        label = tr("Saving {}").format(Path(path).name)
        self._store.jobs.submit("saving", work, done, failed, topic=topic, label=label)

    def _on_saved(self, path: str, then: Then | None, _nothing: None) -> None:
        self.path = str(Path(path).absolute())
        self._stamp = _stamp_of(self.path)
        self._saving = self._nowhere = False
        self._settings.folder = str(Path(self.path).parent)
        self._settings.remember_file(self.path)
        self.changed.emit()
        if then is not None:
            then()

    def _on_not_saved(self, path: str, then: Then | None, error: Exception) -> None:
        self._saving = False
        self._store.undo_stack.resetClean()
        self._nowhere = True
        self.changed.emit()
        again, elsewhere = partial(self._save_to, path, then), partial(self.save_as, then)
        offer_retry(self._store, again, elsewhere, error)

    def snapshot(self) -> tuple[Session, dict[str, WordVectors], Places]:
        """Return what a file of this moment holds: nothing of it changes any more."""
        tables = {table.fingerprint: table for table in self._store.tables}
        return self._store.session, tables, self._window.vector_files.places()

    # What is not saved

    def ask_first(self, go_on: Then) -> None:
        """Go on, after asking what becomes of unsaved changes if there are any."""
        if not self.modified:
            go_on()
            return
        from askew_gui.dialogs.session_dialogs import ask_about_changes

        ask_about_changes(self._window, self.name, partial(self.save, go_on), go_on)

    def may_close(self) -> bool:
        """Tell whether the window may close now; where it must be asked, closing goes on by itself.

        Changes of a session that has no file are not asked for: they are there again at the next start.
        """
        self._store.jobs.finish(SAVING, FINISH)
        if self.unattended or self._discarding or not self.path or not self.modified or self._saving:
            return True
        from askew_gui.dialogs.session_dialogs import ask_about_changes

        close = self._window.close
        ask_about_changes(self._window, self.name, partial(self.save, close), self._discard_and_close)
        return False

    def _discard_and_close(self) -> None:
        self._discarding = True
        self._window.close()


def _stamp_of(path: str) -> Stamp:
    """Return what tells one state of a file from another; None where there is none."""
    try:
        found = Path(path).stat() if path else None
    except OSError:
        return None
    return (found.st_mtime_ns, found.st_size) if found is not None else None


def _read(path: str, also: tuple[str, ...], _job: Job) -> Opened:
    from askew_gui.session_opened import read

    return read(path, also)


def _write(path: str, session: Session, tables: Mapping[str, WordVectors], places: Places, _job: Job) -> None:
    from askew.session_file import save

    save(path, session, tables, places=places)


def _without_value(call: Then, _value: object) -> None:
    call()
