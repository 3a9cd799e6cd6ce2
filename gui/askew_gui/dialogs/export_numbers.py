"""Exporting numbers: which, as what, and where to."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, cast

from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QPushButton,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from askew.number_files import suggested_name
from askew_gui.dialogs.where import ask_where
from askew_gui.export.numbers import OF_ALL, OF_TABLES, SUFFIXES, NumbersSpec, numbers_content
from askew_gui.export.writing import write_in_background
from askew_gui.i18n import tr
from askew_gui.maps.views import heads_title
from askew_gui.widgets.fields import Choice
from askew_gui.widgets.labels import PlainLabel

if TYPE_CHECKING:
    from PySide6.QtWidgets import QFileDialog

    from askew_gui.export.numbers import Kind, What
    from askew_gui.settings import Settings
    from askew_gui.store import Store

MOST_DIGITS = 9


def kinds() -> dict[Kind, tuple[str, str]]:
    """Return the kinds of files by name: in a word or two, and what is in one."""
    return {
        "csv": (tr("CSV"), tr("Every digit; Askew and other programs read the very numbers back.")),
        "excel": (tr("CSV for Excel"), tr("The same with the mark by which Excel knows UTF-8.")),
        "npz": (tr("NumPy"), tr("Arrays named like heads/0/pattern; float32, exact.")),
        "json": (tr("JSON"), tr("What askew compute writes; every digit.")),
        "latex": (tr("LaTeX"), tr("A table with a caption, rounded.")),
        "markdown": (tr("Markdown"), tr("A table with a line that says what it is, rounded.")),
    }


class ExportNumbersDialog(QDialog):
    """What, as what, and then where; the file is written in the background."""

    def __init__(self, store: Store, settings: Settings, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._store, self._settings = store, settings
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(tr("Export numbers"))
        self.setMinimumWidth(440)
        self.what = Choice(self._whats(), self)
        self.kind = Choice((), self)
        self.digits = QSpinBox(self)
        self.digits.setRange(0, MOST_DIGITS)
        self.digits.setValue(NumbersSpec("head", "latex").digits)
        self.booktabs = QCheckBox(tr("&Rules of booktabs"), self)
        self.text = PlainLabel("", self, tone="muted")
        self.text.setWordWrap(True)
        self.save = QPushButton(tr("Save as…"), self)
        self._lay_out()
        self.what.activated.connect(self._on_what)
        self.kind.activated.connect(self._on_kind)
        self._on_what()

    def _whats(self) -> list[tuple[str, str]]:
        experiment = self._store.evaluation.experiment
        names = {"pattern": tr("pattern"), "scores": tr("scores"), "cosine": tr("cosine")}
        shown = names[experiment.quantity]
        return [
            ("numbers", tr("All numbers of all heads")),
            ("head", tr("{}: {}").format(heads_title(experiment.selected), shown)),
            ("raw", tr("Raw: {}").format(shown)),
            ("difference", tr("Difference: {}").format(shown)),
            ("measures", tr("Measures of all heads")),
        ]

    def _lay_out(self) -> None:
        form = QFormLayout()
        form.addRow(tr("&What"), self.what)
        form.addRow(tr("&Format"), self.kind)
        form.addRow(tr("&Decimals"), self.digits)
        form.addRow("", self.booktabs)
        self.save.setProperty("primary", True)
        self.save.setDefault(True)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel, self)
        buttons.addButton(self.save, QDialogButtonBox.ButtonRole.AcceptRole)
        buttons.accepted.connect(self.ask_where)
        buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(16, 14, 16, 14)
        layout.setSpacing(12)
        layout.addLayout(form)
        layout.addWidget(self.text)
        layout.addStretch(1)
        layout.addWidget(buttons)

    def _on_what(self, _index: int = 0) -> None:
        offered = OF_ALL if self.what.name == "numbers" else OF_TABLES
        before = self.kind.name
        with QSignalBlocker(self.kind):
            self.kind.clear()
            for name in offered:
                self.kind.addItem(f"{kinds()[name][0]} ({SUFFIXES[name]})", name)
        self.kind.show_name(before if before in offered else offered[0])
        self._on_kind()

    def _on_kind(self, _index: int = 0) -> None:
        kind = self.spec().kind
        self.text.setText(kinds()[kind][1])
        self.digits.setEnabled(kind in ("latex", "markdown"))
        self.booktabs.setEnabled(kind == "latex")

    def spec(self) -> NumbersSpec:
        """Return what was chosen."""
        what, kind = cast("What", self.what.name), cast("Kind", self.kind.name)
        return NumbersSpec(what, kind, self.digits.value(), self.booktabs.isChecked())

    def ask_where(self) -> QFileDialog:
        """Ask where, then write; return the question."""
        spec = self.spec()
        suffix = SUFFIXES[spec.kind]
        name = suggested_name(self._store.evaluation, spec.what)
        start = Path(self._settings.export_folder) / f"{name}{suffix}"
        filters = [f"{kinds()[spec.kind][0]} (*{suffix})"]
        return ask_where(self, tr("Export numbers"), start, filters, suffix, self.write)

    def write(self, path: str) -> None:
        """Write what was chosen in the background, and say so."""
        self._settings.export_folder = str(Path(path).parent)
        content = partial(numbers_content, self._store.evaluation, self.spec())
        write_in_background(self.parentWidget(), self._store, content, path)
        self.accept()


def ask_and_export(parent: QWidget, store: Store, settings: Settings) -> ExportNumbersDialog:
    """Ask what, as what and where, then write; return the question."""
    dialog = ExportNumbersDialog(store, settings, parent)
    dialog.open()
    return dialog
