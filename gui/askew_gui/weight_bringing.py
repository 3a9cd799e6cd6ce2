"""Bringing weights: the one road from a menu, a drop or the clipboard to the preview of an import."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QFileDialog

from askew.errors import AskewError
from askew_gui.i18n import tr

if TYPE_CHECKING:
    from askew.vectors.table import WordVectors
    from askew_gui.dialogs.import_weights import ImportWeightsDialog
    from askew_gui.dialogs.import_weights_plan import Found
    from askew_gui.jobs import Job
    from askew_gui.window import Window

TOPIC = "look at weights"


def ask_for_file(window: Window) -> QFileDialog:
    """Let a file with weights be chosen, and show what is in it; return the question."""
    dialog = QFileDialog(window, tr("Import weights"), window.settings.folder)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
    every = tr("All files (*)")
    dialog.setNameFilters([tr("Weights (*.safetensors *.npz *.npy *.csv *.tsv *.txt)"), every])
    dialog.fileSelected.connect(partial(open_path, window))
    dialog.open()
    return dialog


def open_path(window: Window, path: str) -> None:
    """Look at a file or a model's folder, then show the preview; nothing changes before that says so."""
    label = tr("Looking at {}").format(Path(path).name)
    show, refuse = partial(_show, window), partial(_refuse, window)
    window.store.jobs.submit("files", partial(_look, path), show, refuse, topic=TOPIC, label=label)


def paste(window: Window) -> None:
    """Show the preview of a table on the clipboard."""
    from askew.weights import look_text
    from askew_gui.dialogs.import_weights_plan import Found

    name = tr("Clipboard")
    try:
        show_preview(window, Found(name, look_text(QApplication.clipboard().text(), name)))
    except AskewError as error:
        show_preview(window, Found(name, error=error))


def show_preview(window: Window, found: Found) -> ImportWeightsDialog:
    """Show what was found and what would become of it."""
    from askew_gui.dialogs.import_weights import ImportWeightsDialog

    dialog = ImportWeightsDialog(window.store, found, window)
    dialog.file_wanted.connect(partial(ask_for_file, window))
    dialog.brought.connect(partial(_keep, window, found))
    dialog.open()
    return dialog


def _keep(window: Window, found: Found, vectors: WordVectors | None) -> None:
    """Remember where weights came from, and the words that came with them."""
    from askew.vectors.options import Options

    if vectors is not None:
        window.vector_files.adopt(vectors, str(found.folder), Options())
    elif found.path:
        window.settings.remember_file(str(Path(found.path).resolve()))


def _look(path: str, _job: Job) -> Found:
    from askew.weights import look
    from askew.weights.model_folder import opens_faithfully
    from askew.weights.model_words import files_of, has_words
    from askew_gui.dialogs.import_weights_plan import Found

    place = Path(path)
    folder = place if place.is_dir() else place.parent
    whole = place.is_dir() or place.name == "model.safetensors"
    name = folder.name if whole else place.name
    try:
        file = look(place)
    except AskewError as error:
        return Found(name, error=error)
    if not (whole and has_words(folder)):
        return Found(name, file, path=path)
    try:
        return Found(name, file, path=path, folder=folder, faithful=opens_faithfully(files_of(folder)))
    except AskewError as error:
        return Found(name, error=error)


def _show(window: Window, found: Found) -> None:
    show_preview(window, found)


def _refuse(window: Window, error: Exception) -> None:
    if not isinstance(error, AskewError):
        raise error
    window.store.fail(error)
