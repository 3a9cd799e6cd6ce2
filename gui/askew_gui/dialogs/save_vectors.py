"""Asking where and as what the vectors in use are saved."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog

from askew_gui.i18n import tr
from askew_gui.retrying import ask_elsewhere, offer_retry

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from askew.vectors.table import WordVectors
    from askew_gui.jobs import Job
    from askew_gui.settings import Settings
    from askew_gui.store import Store

TOPIC = "save vectors"
SUFFIXES = {"safetensors": ".safetensors", "word2vec-text": ".txt", "word2vec-binary": ".bin"}


def kinds() -> dict[str, str]:
    """Return the kinds of files by name, as the dialog lists them."""
    return {
        "safetensors": tr("Safetensors (*.safetensors)"),
        "word2vec-text": tr("word2vec text (*.txt *.vec)"),
        "word2vec-binary": tr("word2vec binary (*.bin)"),
    }


def ask_and_save(parent: QWidget, store: Store, settings: Settings) -> QFileDialog:
    """Ask where, then write in the background; return the question."""
    start = Path(settings.folder) / Path(store.vectors.name).stem
    dialog = QFileDialog(parent, tr("Save vectors"), str(start))
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
    dialog.setNameFilters(list(kinds().values()))
    dialog.setDefaultSuffix(SUFFIXES["safetensors"])
    dialog.filterSelected.connect(partial(_follow_kind, dialog))
    dialog.fileSelected.connect(partial(_save_chosen, dialog, store, parent))
    dialog.open()
    return dialog


def _follow_kind(dialog: QFileDialog, text: str) -> None:
    dialog.setDefaultSuffix(SUFFIXES[_kind_of(text)])


def _kind_of(text: str) -> str:
    return next((kind for kind, shown in kinds().items() if shown == text), "safetensors")


def _save_chosen(dialog: QFileDialog, store: Store, parent: QWidget, path: str) -> None:
    save(store, _kind_of(dialog.selectedNameFilter()), parent, path)


def save(store: Store, kind: str, parent: QWidget | None, path: str) -> None:
    """Write the vectors in use in the background, and say so."""
    vectors = store.vectors
    write = partial(save, store, kind, parent)
    store.jobs.submit(
        "files",
        partial(_write, vectors, path, kind),
        partial(_done, store, path),
        partial(offer_retry, store, partial(write, path), partial(ask_elsewhere, parent, path, write)),
        topic=TOPIC,
        label=tr("Saving {}").format(Path(path).name),
    )


def _write(vectors: WordVectors, path: str, kind: str, job: Job) -> None:
    from askew.vectors.writing import write_vectors

    size = 4 * vectors.dim

    def report(done: int, total: int) -> None:
        job.report(size * done, size * total)  # progress is shown in bytes

    write_vectors(vectors, path, kind, report)


def _done(store: Store, path: str, _result: None) -> None:
    store.say("info", tr("Wrote {}").format(Path(path).name))
