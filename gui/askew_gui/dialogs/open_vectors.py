"""Asking for a vector file, and how much of it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QLocale, Qt, Signal
from PySide6.QtWidgets import QCheckBox, QFileDialog, QGridLayout, QHBoxLayout, QSpinBox, QWidget

from askew.vectors.options import Options
from askew_gui.i18n import tr

if TYPE_CHECKING:
    from askew_gui.settings import Settings

PATTERNS = "*.txt *.vec *.bin *.kv *.model *.npy *.npz *.safetensors *.gz *.bz2 *.xz *.zst *.zip *.tar *.tgz"
FIRST_WORDS = 100_000


class OpenVectorsDialog(QFileDialog):
    """Any file may be chosen: what it is shows in its content, not in its name.

    It is the toolkit's own dialog, not the system's, which has no room for the number of words.

    Signals
    -------
    chosen(path, options)
        The file to open, and how.
    """

    chosen = Signal(str, object)

    def __init__(self, settings: Settings, parent: QWidget | None = None) -> None:
        super().__init__(parent, tr("Open vectors"), settings.folder)
        self._settings = settings
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setOption(QFileDialog.Option.DontUseNativeDialog)
        self.setOption(QFileDialog.Option.HideNameFilterDetails)
        self.setFileMode(QFileDialog.FileMode.ExistingFile)
        self.setNameFilters([tr("Word vectors ({})").format(PATTERNS), tr("All files (*)")])
        self.only_first = QCheckBox(tr("Only the &first"), self)
        self.count = QSpinBox(self)
        self.count.setRange(1, 2_000_000_000)
        self.count.setLocale(QLocale.c())
        self.count.setGroupSeparatorShown(True)
        self.count.setSingleStep(10_000)
        self.count.setValue(FIRST_WORDS)
        self.count.setSuffix(tr(" words"))
        self.count.setAccessibleName(tr("Number of words"))
        self.count.setToolTip(tr("Files begin with the most frequent words"))
        self.count.setEnabled(False)
        self.only_first.toggled.connect(self.count.setEnabled)
        self.fileSelected.connect(self._choose)
        self._add_row()

    def _add_row(self) -> None:
        row = QHBoxLayout()
        row.addWidget(self.only_first)
        row.addWidget(self.count)
        row.addStretch(1)
        grid = self.layout()
        if isinstance(grid, QGridLayout):
            grid.addLayout(row, grid.rowCount(), 1)

    def _choose(self, path: str) -> None:
        self._settings.folder = str(Path(path).parent)
        limit = self.count.value() if self.only_first.isChecked() else None
        self.chosen.emit(path, Options(limit=limit))
