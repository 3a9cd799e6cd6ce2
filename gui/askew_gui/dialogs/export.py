"""Asking for a picture: what, how large, how it looks, and where to."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, QTimer
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QHBoxLayout,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from askew.captions import caption
from askew.errors import AskewError
from askew.number_files import suggested_name
from askew_gui.dialogs.export_caption import CaptionBox
from askew_gui.dialogs.export_form import ExportForm
from askew_gui.dialogs.export_names import filters
from askew_gui.dialogs.export_preview import Preview
from askew_gui.export.carrying import can_carry, carried_session
from askew_gui.export.choices import from_plain, to_plain
from askew_gui.export.pages import height_in_pixels, picture_page
from askew_gui.export.picture_file import format_of, painted
from askew_gui.export.png import checked_page, image_of
from askew_gui.export.spec import FORMATS, check_size
from askew_gui.export.writing import write_in_background
from askew_gui.i18n import tr
from askew_gui.widgets.labels import PlainLabel

if TYPE_CHECKING:
    from askew.experiment import Evaluation
    from askew_gui.export.carrying import Carried
    from askew_gui.export.pages import Page
    from askew_gui.export.spec import Format, PictureSpec
    from askew_gui.settings import Settings
    from askew_gui.store import Store

PATIENCE = 80  # milliseconds without another choice before the preview is painted


class ExportDialog(QDialog):
    """What to export and how; the choices are remembered when it is accepted."""

    def __init__(self, evaluation: Evaluation, settings: Settings, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._evaluation = evaluation
        self._settings = settings
        self._carried: Carried | None = None
        self.setWindowTitle(tr("Export a picture"))
        spec, file_format = from_plain(settings.export_picture)
        self.form = ExportForm(spec, file_format, self)
        self.caption = CaptionBox(self)
        self.carry = QCheckBox(tr("Carry the e&xperiment in the picture"), self)
        self.carry.setChecked(spec.carry)
        self.carry_line = PlainLabel("", self, tone="muted")
        self.carry_line.setWordWrap(True)
        self.preview = Preview(self)
        self.size_line = PlainLabel("", self, tone="muted").shorten()
        self.save = QPushButton(tr("Save as…"), self)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(PATIENCE)
        self._timer.timeout.connect(self.refresh)
        self._lay_out()
        self.resize(self._first_size())
        self.form.changed.connect(self._timer.start)
        self.caption.changed.connect(self._timer.start)
        self.carry.toggled.connect(self._say_what_is_carried)
        self.refresh()

    def _lay_out(self) -> None:
        self.save.setProperty("primary", True)
        self.save.setDefault(True)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel, self)
        buttons.addButton(self.save, QDialogButtonBox.ButtonRole.AcceptRole)
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        left = QVBoxLayout()
        left.setSpacing(10)
        left.addWidget(self.form)
        left.addStretch(1)
        left.addWidget(self.carry)
        left.addWidget(self.carry_line)
        right = QVBoxLayout()
        right.setSpacing(8)
        right.addWidget(self.preview, 1)
        right.addWidget(self.size_line)
        right.addWidget(self.caption)
        columns = QHBoxLayout()
        columns.setSpacing(18)
        columns.addLayout(left, 4)
        columns.addLayout(right, 7)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(16, 14, 16, 14)
        layout.setSpacing(12)
        layout.addLayout(columns, 1)
        layout.addWidget(buttons)

    def _first_size(self) -> QSize:
        """Return nearly the size of the window it belongs to, so that the preview is large."""
        parent = self.parentWidget()
        most = parent.window().size() - QSize(80, 60) if parent else QSize(1000, 640)
        return most.boundedTo(QSize(1120, 760)).expandedTo(self.minimumSizeHint())

    def spec(self) -> PictureSpec:
        """Return the picture asked for."""
        carry = self.carry.isChecked() and can_carry(self.form.file_format)
        return replace(self.form.spec(), caption=self.caption.text, carry=carry)

    def session(self, file_format: Format) -> bytes | None:
        """Return what a file of that format is to carry."""
        return self._carriable().session if self.carry.isChecked() and can_carry(file_format) else None

    def accept(self) -> None:
        """Remember the choices."""
        spec = replace(self.form.spec(), carry=self.carry.isChecked())
        self._settings.export_picture = to_plain(spec, self.form.file_format)
        super().accept()

    def refresh(self) -> None:
        """Paint the preview and say what the file will be like."""
        self._timer.stop()
        spec, file_format = self.form.spec(), self.form.file_format
        self.caption.write(caption(self._evaluation, spec.view, all_heads=spec.all_heads))
        self._timer.stop()
        spec = self.spec()
        try:
            page = self._page(spec, file_format)
            width = min(spec.pixels, self.preview.finest)
            seen = picture_page(self._evaluation, spec, width) if file_format == "png" else page
            image = image_of(seen, width)
        except AskewError as error:
            self.preview.show_reason(str(error))
            self.size_line.setText("")
            self.save.setEnabled(False)
        else:
            self.preview.show_image(image)
            self.size_line.setText(_size_text(page, spec, file_format))
            self.save.setEnabled(True)
        self._say_what_is_carried()

    def _page(self, spec: PictureSpec, file_format: Format) -> Page:
        if file_format == "png":
            return checked_page(self._evaluation, spec)
        check_size(spec, file_format)
        return picture_page(self._evaluation, spec, None)

    def _carriable(self) -> Carried:
        if self._carried is None:
            self._carried = carried_session(self._evaluation)
        return self._carried

    def _say_what_is_carried(self, _on: bool = False) -> None:
        able = can_carry(self.form.file_format)
        reason = self._carriable().why_not if able else tr("A PDF carries no experiment.")
        self.carry.setEnabled(not reason)
        if not reason:
            reason = tr("Open the file with Askew and the experiment is back. It names files, no paths.")
        self.carry_line.setText(reason)


def _size_text(page: Page, spec: PictureSpec, file_format: Format) -> str:
    wide, high = spec.millimetres, spec.millimetres * page.height / page.width
    paper = tr("{} × {} mm").format(f"{wide:.4g}", f"{high:.4g}")
    if file_format != "png":
        return f"{file_format.upper()}, {paper}"
    pixels = tr("{} × {} pixels").format(spec.pixels, height_in_pixels(page, spec.pixels))
    return tr("PNG, {}, {} at {} per inch").format(pixels, paper, spec.resolution * spec.scale)


def ask_and_export(parent: QWidget, store: Store, settings: Settings) -> bool:
    """Ask what and where, and write the file; return whether one is being written."""
    dialog = ExportDialog(store.evaluation, settings, parent)
    try:
        if dialog.exec() != QDialog.DialogCode.Accepted:
            return False
        name = suggested_name(store.evaluation, dialog.spec().view)
        path = _ask_where(parent, settings, name, dialog.form.file_format)
        if not path:
            return False
        export(parent, store, store.evaluation, dialog.spec(), dialog.session(format_of(path)), path)
    except AskewError as error:
        store.fail(error)
        return False
    finally:
        dialog.setParent(None)  # else PySide may keep it, and the evaluation with it
        dialog.deleteLater()
    return True


def export(
    parent: QWidget | None,
    store: Store,
    evaluation: Evaluation,
    spec: PictureSpec,
    session: bytes | None,
    path: str,
) -> None:
    """Paint a picture, then make its file and write it in the background.

    Raises
    ------
    AskewError
        If it cannot be painted.
    """
    file_format = format_of(path)
    QGuiApplication.setOverrideCursor(Qt.CursorShape.WaitCursor)
    try:
        content = painted(evaluation, spec, file_format, session)
    finally:
        QGuiApplication.restoreOverrideCursor()
    carries = session is not None and can_carry(file_format)
    said = tr("Wrote {}, with the experiment in it") if carries else tr("Wrote {}")
    write = partial(export, parent, store, evaluation, spec, session)
    write_in_background(parent, store, content, path, said, write)


def _ask_where(parent: QWidget, settings: Settings, name: str, file_format: Format) -> str:
    """Ask for a file; its ending decides the format, or is given by the kind chosen."""
    suggestion = str(Path(settings.export_folder) / f"{name}.{file_format}")
    kinds = filters()
    while True:
        title, every = tr("Save picture"), ";;".join(kinds.values())
        path, kind = QFileDialog.getSaveFileName(parent, title, suggestion, every, kinds[file_format])
        if not path:
            return ""
        file_format = next((known for known, text in kinds.items() if text == kind), file_format)
        known = Path(path).suffix.lower().removeprefix(".") in FORMATS
        whole = path if known else f"{path}.{file_format}"
        if whole == path or not Path(whole).exists():
            settings.export_folder = str(Path(path).parent)
            return whole
        suggestion = whole  # nobody was asked whether to replace this one
