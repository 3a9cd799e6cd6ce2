"""Training vectors on a text: what to ask, how far it is, how the loss falls."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QFileDialog,
    QFormLayout,
    QHBoxLayout,
    QLineEdit,
    QProgressBar,
    QPushButton,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from askew.vectors.training import Recipe
from askew_gui.i18n import tr
from askew_gui.progress import progress_text
from askew_gui.widgets.labels import PlainLabel

if TYPE_CHECKING:
    from PySide6.QtGui import QShowEvent

    from askew_gui.helper import Failure
    from askew_gui.settings import Settings
    from askew_gui.training import Trainer

LARGEST_SEED = 2**31 - 1


class TrainDialog(QDialog):
    """Stands beside the window; closing it does not end a training that runs."""

    def __init__(self, trainer: Trainer, settings: Settings, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._trainer, self._settings = trainer, settings
        self.setWindowTitle(tr("Train vectors from text"))
        self.setModal(False)
        self.setMinimumWidth(460)
        self.path = QLineEdit(self)
        self.path.setPlaceholderText(tr("A text in UTF-8"))
        self.path.setAccessibleName(tr("Text"))
        self.browse = QPushButton(tr("Browse…"), self)
        defaults = Recipe()
        self.dim = self._spin(1, 4096, defaults.dim)
        self.window_size = self._spin(1, 1000, defaults.window)
        self.least = self._spin(1, 1_000_000, defaults.least)
        self.epochs = self._spin(1, 1000, defaults.epochs)
        self.seed = self._spin(0, LARGEST_SEED, defaults.seed)
        self.method = QComboBox(self)
        self.method.addItem(tr("skip-gram: rare words come out better"), True)
        self.method.addItem(tr("CBOW: faster"), False)
        self.lower_case = QCheckBox(tr("Read all words in &lower case"), self)
        self.lower_case.setChecked(defaults.lower)
        self.bar = QProgressBar(self)
        self.bar.setTextVisible(False)
        self.bar.setAccessibleName(tr("Progress"))
        self.state = PlainLabel("", self, tone="muted")
        self.state.setWordWrap(True)
        self.train = QPushButton(tr("Train"), self)
        self.train.setProperty("primary", True)
        self.train.setDefault(True)
        self.stop = QPushButton(tr("Close"), self)
        self._lay_out()
        self._connect()
        self.refresh()

    def showEvent(self, event: QShowEvent) -> None:
        """Let a file be named at once."""
        super().showEvent(event)
        self.activateWindow()
        self.path.setFocus()

    def _spin(self, low: int, high: int, value: int) -> QSpinBox:
        spin = QSpinBox(self)
        spin.setRange(low, high)
        spin.setValue(value)
        return spin

    def _lay_out(self) -> None:
        file = QHBoxLayout()
        file.addWidget(self.path, 1)
        file.addWidget(self.browse)
        form = QFormLayout()
        label = PlainLabel(tr("Text"), self)
        label.setBuddy(self.path)
        form.addRow(label, file)
        form.addRow(tr("&Numbers per word"), self.dim)
        form.addRow(tr("&Window, words to each side"), self.window_size)
        form.addRow(tr("&Times a word must occur"), self.least)
        form.addRow(tr("&Epochs"), self.epochs)
        form.addRow(tr("&Method"), self.method)
        form.addRow(tr("See&d"), self.seed)
        form.addRow("", self.lower_case)
        buttons = QHBoxLayout()
        buttons.addStretch(1)
        buttons.addWidget(self.train)
        buttons.addWidget(self.stop)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(16, 14, 16, 14)
        layout.setSpacing(12)
        layout.addLayout(form)
        layout.addWidget(self.bar)
        layout.addWidget(self.state)
        layout.addLayout(buttons)

    def _connect(self) -> None:
        self.browse.clicked.connect(self._browse)
        self.path.textChanged.connect(self.refresh)
        self.train.clicked.connect(self._start)
        self.stop.clicked.connect(self._stop)
        self._trainer.changed.connect(self.refresh)
        self._trainer.failed.connect(self._show_failure)
        self._trainer.trained.connect(self._on_trained)

    def recipe(self) -> Recipe:
        """Return what was chosen."""
        return Recipe(
            dim=self.dim.value(),
            window=self.window_size.value(),
            least=self.least.value(),
            epochs=self.epochs.value(),
            skip_gram=bool(self.method.currentData()),
            lower=self.lower_case.isChecked(),
            seed=self.seed.value(),
        )

    def _fields(self) -> tuple[QWidget, ...]:
        numbers = (self.dim, self.window_size, self.least, self.epochs, self.seed)
        return (self.path, self.browse, *numbers, self.method, self.lower_case)

    def refresh(self, _what: object = None) -> None:
        """Show how far it is."""
        trainer = self._trainer
        running = trainer.is_running
        for field in self._fields():
            field.setEnabled(not running)
        self.train.setEnabled(not running and bool(self.path.text().strip()))
        self.stop.setText(tr("Cancel") if running else tr("Close"))
        self.bar.setVisible(running)
        if running:
            self.bar.setRange(0, 1000 if trainer.total else 0)
            self.bar.setValue(1000 * trainer.done // trainer.total if trainer.total else 0)
            self.state.setText(self._progress())

    def _progress(self) -> str:
        losses = self._trainer.losses
        parts = [progress_text(self._trainer.done, self._trainer.total, self._trainer.seconds_left())]
        if losses:
            parts.append(tr("epoch {} of {}").format(len(losses), self.epochs.value()))
            parts.append(tr("loss per word {}").format(" → ".join(f"{loss:.3f}" for loss in losses[-4:])))
        return " · ".join(part for part in parts if part) or tr("Starting…")

    def _browse(self) -> None:
        dialog = QFileDialog(self, tr("Text to train on"), self._settings.folder)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.fileSelected.connect(self.path.setText)
        dialog.open()

    def _start(self) -> None:
        path = Path(self.path.text().strip())
        if not path.is_file():
            self.state.setText(tr("There is no file of that name."))
            return
        self._trainer.start(path, self.recipe())

    def _stop(self) -> None:
        if self._trainer.is_running:
            self._trainer.cancel()
            self.state.setText(tr("Cancelled."))
        else:
            self.close()

    def _show_failure(self, failure: Failure) -> None:
        remedy = f" {failure.remedy}." if failure.remedy else ""
        self.state.setText(f"{failure.text}.{remedy}")

    def _on_trained(self, _path: str) -> None:
        self.state.setText("")
        self.close()
