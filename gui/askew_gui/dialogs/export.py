"""Asking for a picture: what, how wide, on which ground, and where to."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, cast

from PySide6.QtCore import Qt
from PySide6.QtGui import QPixmap
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QFormLayout,
    QPushButton,
    QSizePolicy,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from askew.errors import AskewError
from askew_gui.export.pages import NARROWEST, WIDEST, Theme
from askew_gui.export.png import VIEWS, View, render_view, save_png
from askew_gui.i18n import tr
from askew_gui.widgets.labels import PlainLabel

if TYPE_CHECKING:
    from PySide6.QtGui import QImage

    from askew.experiment import Evaluation
    from askew_gui.settings import Settings
    from askew_gui.store import Store


def view_names() -> dict[View, str]:
    """Return what can be exported, by name, in words."""
    return {
        "maps": tr("The three maps"),
        "grid": tr("The head grid"),
        "raw": tr("Raw alone"),
        "pattern": tr("Pattern of the head shown"),
        "scores": tr("Scores of the head shown"),
        "difference": tr("Difference alone"),
        "weights": tr("Weights of the head shown"),
    }


class ExportDialog(QDialog):
    """What to export and how; the choices are remembered when it is accepted."""

    def __init__(self, evaluation: Evaluation, settings: Settings, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._evaluation = evaluation
        self._settings = settings
        self.setWindowTitle(tr("Export a picture"))
        self.view = QComboBox(self)
        for name in VIEWS:
            self.view.addItem(view_names()[name], name)
        self.pixels = QSpinBox(self)
        self.pixels.setRange(NARROWEST, WIDEST)
        self.pixels.setSuffix(tr(" px"))
        self.pixels.setSingleStep(100)
        self.pixels.setValue(settings.export_width)
        self.dark = QCheckBox(tr("on dark ground instead of white"), self)
        self.preview = PlainLabel("", self)
        self.preview.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.preview.setFixedSize(420, 190)
        self.preview.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.preview.setAccessibleName(tr("Preview"))
        self.size_line = PlainLabel("", self, tone="muted")
        self._lay_out()
        self.view.currentIndexChanged.connect(self._show_preview)
        self.pixels.valueChanged.connect(self._show_preview)
        self.dark.toggled.connect(self._show_preview)
        self._show_preview()

    def _lay_out(self) -> None:
        form = QFormLayout()
        form.addRow(tr("&Picture"), self.view)
        form.addRow(tr("&Width"), self.pixels)
        form.addRow("", self.dark)
        save = QPushButton(tr("Save as…"), self)
        save.setProperty("primary", True)
        save.setDefault(True)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel, self)
        buttons.addButton(save, QDialogButtonBox.ButtonRole.AcceptRole)
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(16, 14, 16, 14)
        layout.setSpacing(12)
        layout.addLayout(form)
        layout.addWidget(self.preview)
        layout.addWidget(self.size_line)
        layout.addWidget(buttons)

    def image(self, width: int | None = None) -> QImage:
        """Return the picture as chosen, or as a preview so wide."""
        theme: Theme = "dark" if self.dark.isChecked() else "light"
        name = cast("View", self.view.currentData())
        return render_view(self._evaluation, name, width or self.pixels.value(), theme)

    def accept(self) -> None:
        self._settings.export_width = self.pixels.value()
        super().accept()

    def _show_preview(self, _what: object = None) -> None:
        room = self.preview.size()
        width = min(self.pixels.value(), 2 * room.width())
        image = self.image(width)
        scaled = image.scaled(
            room, Qt.AspectRatioMode.KeepAspectRatio, Qt.TransformationMode.SmoothTransformation
        )
        self.preview.setPixmap(QPixmap.fromImage(scaled))
        height = round(image.height() * self.pixels.value() / width)
        self.size_line.setText(tr("PNG, {} × {} pixels").format(self.pixels.value(), height))


def ask_and_export(parent: QWidget, store: Store, settings: Settings) -> bool:
    """Ask what and where, write the file, and say so; return whether a file was written."""
    dialog = ExportDialog(store.evaluation, settings, parent)
    try:
        accepted = dialog.exec() == QDialog.DialogCode.Accepted
        path = _ask_where(parent, settings, str(dialog.view.currentData())) if accepted else ""
        if not path:
            return False
        save_png(dialog.image(), path)
    except AskewError as error:
        store.fail(error)
        return False
    finally:
        dialog.deleteLater()
    store.say("info", tr("{} was written").format(Path(path).name))
    return True


def _ask_where(parent: QWidget, settings: Settings, name: str) -> str:
    suggestion = str(Path(settings.export_folder) / f"askew-{name}.png")
    while True:
        title, kind = tr("Save picture"), tr("PNG picture (*.png)")
        path, _ = QFileDialog.getSaveFileName(parent, title, suggestion, kind)
        if not path:
            return ""
        whole = path if Path(path).suffix else f"{path}.png"
        if whole == path or not Path(whole).exists():
            settings.export_folder = str(Path(path).parent)
            return whole
        suggestion = whole  # nobody was asked whether to replace this one
