"""Exporting a report: where to, and then the page is made and written."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFileDialog

from askew.errors import AskewError
from askew.number_files import suggested_name
from askew_gui.dialogs.where import ask_where
from askew_gui.i18n import tr

if TYPE_CHECKING:
    from PySide6.QtWidgets import QFileDialog, QWidget

    from askew_gui.settings import Settings
    from askew_gui.store import Store


def ask_and_export(parent: QWidget, store: Store, settings: Settings) -> QFileDialog:
    """Ask where, then write the report; return the question."""
    start = Path(settings.export_folder) / f"{suggested_name(store.evaluation, 'report')}.html"
    chosen = partial(export, parent, store, settings)
    return ask_where(parent, tr("Export a report"), start, [tr("HTML page (*.html)")], ".html", chosen)


def export(parent: QWidget | None, store: Store, settings: Settings, path: str) -> None:
    """Make the report of what is shown, and write it in the background."""
    from askew_gui.export.report import report_bytes
    from askew_gui.export.writing import write_in_background

    settings.export_folder = str(Path(path).parent)
    QGuiApplication.setOverrideCursor(Qt.CursorShape.WaitCursor)
    try:
        report, why_not = report_bytes(store.evaluation)
    except AskewError as error:
        store.fail(error)
        return
    finally:
        QGuiApplication.restoreOverrideCursor()
    if why_not:
        store.say("warning", tr("The report does not carry its experiment: {}").format(why_not))
    write_in_background(parent, store, report.__bytes__, path)
