"""Two quiet lines under the vectors in use: problems of the file, and how far its import is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QPushButton, QSizePolicy, QToolButton, QWidget

from askew_gui import theme
from askew_gui.i18n import tr
from askew_gui.panels.vectors_report_texts import count_text
from askew_gui.progress import progress_text
from askew_gui.widgets.labels import PlainLabel

if TYPE_CHECKING:
    from askew_gui.vector_files import VectorFiles

LABEL_WIDTH = 62


class VectorsStatus(QWidget):
    """Hidden while there is nothing to say."""

    def __init__(self, files: VectorFiles, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._files = files
        self._report_label = PlainLabel(tr("report"), self, tone="muted")
        self.report = QPushButton(self)
        self.report.setProperty("flat", True)
        self.report.setToolTip(tr("Show what was found in the file"))
        self.report.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self._part_label = PlainLabel(tr("read"), self, tone="muted")
        self.part = PlainLabel("", self).shorten()
        self._import_label = PlainLabel(tr("nearest"), self, tone="muted")
        self.state = PlainLabel("", self).shorten()
        self.start = QPushButton(tr("Import"), self)
        self.start.setToolTip(tr("Read the whole file, so that nearest words can be had"))
        self.cancel = QToolButton(self)
        self.cancel.setAutoRaise(True)
        self.cancel.setToolTip(tr("Cancel: do without nearest words"))
        self.cancel.setAccessibleName(tr("Cancel the import"))
        self._lay_out()
        self.report.clicked.connect(files.show_report)
        self.start.clicked.connect(files.preparation.begin_again)
        self.cancel.clicked.connect(files.preparation.cancel)
        files.changed.connect(self.refresh)
        self._tint()
        self.refresh()

    def _lay_out(self) -> None:
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(6)
        grid.setVerticalSpacing(3)
        grid.setColumnStretch(1, 1)
        for label in (self._part_label, self._report_label, self._import_label):
            label.setMinimumWidth(LABEL_WIDTH)
        row = QHBoxLayout()
        row.setSpacing(4)
        row.addWidget(self.state, 1)
        row.addWidget(self.start)
        row.addWidget(self.cancel)
        grid.addWidget(self._part_label, 2, 0)
        grid.addWidget(self.part, 2, 1)
        grid.addWidget(self._report_label, 0, 0)
        line = QHBoxLayout()
        line.addWidget(self.report)
        line.addStretch(1)
        grid.addLayout(line, 0, 1)
        grid.addWidget(self._import_label, 1, 0)
        grid.addLayout(row, 1, 1)

    def changeEvent(self, event: QEvent) -> None:
        """Follow the colours."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._tint()

    def _tint(self) -> None:
        colours = theme.tokens(self.palette())
        self.cancel.setIcon(theme.icon("close", colours.muted))
        self.report.setStyleSheet(f"color: {colours.accent_text}; padding: 0;")

    def _import_text(self) -> str:
        percent = self._files.preparation.importer.percent
        return tr("preparing, {} %").format(percent) if percent < 100 else tr("finishing…")

    def refresh(self) -> None:
        """Show the present state."""
        vectors, importer = self._files.vectors, self._files.preparation.importer
        problems = vectors.report
        self.report.setText(count_text(problems))
        for widget in (self._report_label, self.report):
            widget.setVisible(bool(problems))
        part = self._files.part_in_use
        self.part.setText(part)
        for widget in (self._part_label, self.part):
            widget.setVisible(bool(part))
        running = importer.vectors is vectors
        waiting = vectors.source is not None and not running
        self.state.setText(self._import_text() if running else tr("not yet"))
        done = progress_text(importer.done, importer.total, importer.seconds_left())
        self.state.setToolTip(done if running else "")
        self.cancel.setVisible(running)
        self.start.setVisible(waiting)
        for widget in (self._import_label, self.state):
            widget.setVisible(running or waiting)
        self.setVisible(bool(problems or part) or running or waiting)
