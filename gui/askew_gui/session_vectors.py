"""The vectors of an opened session: found where they moved with it, else asked for."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QFileDialog

from askew.errors import AskewError
from askew.session_vectors import VectorsPlace
from askew.vectors.bundled import BUNDLED
from askew_gui.i18n import tr

if TYPE_CHECKING:
    from collections.abc import Sequence

    from askew.session_vectors import SavedVectors
    from askew.vectors.options import Options
    from askew.vectors.table import WordVectors
    from askew_gui.jobs import Job
    from askew_gui.messages import Choice
    from askew_gui.session_opened import Missing
    from askew_gui.window import Window

TOPIC = "vectors of the session"


class SessionVectors(QObject):
    """Opens the files of the vectors in the background; until then the words of the session are shown."""

    def __init__(self, window: Window) -> None:
        super().__init__(window)
        self._window = window
        self._store, self._messages = window.store, window.messages

    def follow(self, missing: Sequence[Missing]) -> None:
        """Open what was found, and ask for what was not."""
        for each in missing:
            source = each.place.source
            if isinstance(source, Path):
                self.open(each.saved, source)
            else:
                self._ask(each.saved, each.place)

    def open(self, saved: SavedVectors, path: Path) -> None:
        """Open a file that may be the one a session was made with."""
        options = saved.options.for_file(path)
        self._store.jobs.submit(
            "files",
            partial(_open, path, options),
            partial(self._on_opened, saved, path),
            partial(self._on_refused, saved, path),
            topic=f"{TOPIC} {saved.fingerprint}",
            label=tr("Opening {}").format(path.name),
        )

    def ask_for_file(self, saved: SavedVectors) -> QFileDialog:
        """Let the file be chosen; return the question."""
        title = tr("Choose the vectors of the session: {}").format(saved.file_name or saved.name)
        dialog = QFileDialog(self._window, title, self._window.settings.folder)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.fileSelected.connect(partial(self._on_chosen, saved))
        dialog.open()
        return dialog

    def _on_chosen(self, saved: SavedVectors, path: str) -> None:
        self.open(saved, Path(path))

    def _on_opened(self, saved: SavedVectors, path: Path, table: WordVectors) -> None:
        if saved.fingerprint not in {each.fingerprint for each in self._store.tables}:
            return  # another session was opened meanwhile
        if table.fingerprint == saved.fingerprint:
            self._window.vector_files.adopt(table, str(path), saved.options.for_file(path))
            return
        reason = tr("'{}' is not the file this session was made with").format(path.name)
        self._ask(saved, VectorsPlace(None, saved.options, reason, path))

    def _on_refused(self, saved: SavedVectors, path: Path, error: Exception) -> None:
        if not isinstance(error, AskewError):
            raise error
        self._ask(saved, VectorsPlace(None, saved.options, str(error).rstrip(".")))

    def _ask(self, saved: SavedVectors, place: VectorsPlace) -> None:
        """Say that only the words of the session are there, with ways out."""
        text = tr("Choose the file…") if place.other is None else tr("Look for another…")
        choices: list[Choice] = [(text, partial(self.ask_for_file, saved))]
        if place.other is not None:
            use = partial(self._window.vector_files.open, str(place.other), place.options)
            choices.append((tr("Use these vectors anyway"), use))
        elif saved.bundled in BUNDLED:
            use = partial(self._window.vector_files.open, saved.bundled)
            choices.append((tr("Use these vectors anyway"), use))
        remedy = tr("Its words are shown from the session; other words are unknown until the file is there")
        self._messages.offer(place.reason, remedy, tuple(choices), "warning")


def _open(path: Path, options: Options, job: Job) -> WordVectors:
    from askew.vectors import open_vectors
    from askew_gui.opening import chosen

    return open_vectors(path, progress=job.report, **chosen(options))
