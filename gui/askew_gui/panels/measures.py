"""The measures tab: what each head does in numbers, how the heads differ, and one row in detail."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import shiboken6
from PySide6.QtCore import QPoint, QSize, Qt, QTimer, Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QHBoxLayout, QHeaderView, QMenu, QPushButton, QTableView, QVBoxLayout, QWidget

from askew.measures import diversity, effective_heads
from askew_gui.i18n import tr
from askew_gui.panels.measures_table import MeasuresModel
from askew_gui.panels.row_detail import RowDetail
from askew_gui.widgets.labels import PlainLabel, SectionTitle
from askew_gui.widgets.numbers import plain
from askew_gui.widgets.square_map import SquareMap

if TYPE_CHECKING:
    from PySide6.QtGui import QShowEvent

    from askew.arrays import Float64
    from askew.evaluation import Evaluation
    from askew.experiment import Experiment
    from askew.measures import Measures
    from askew_gui.export.numbers import Kind
    from askew_gui.focus import Focus
    from askew_gui.jobs import Job
    from askew_gui.store import Store

PAUSE_MS = 60
HEIGHT = 250
INLINE_CELLS = 64 * 64 * 16
"""Above as many numbers in all patterns the measures are computed by the worker."""


@dataclass(frozen=True, slots=True, eq=False)
class Summary:
    """What the tab shows of an evaluation."""

    evaluation: Evaluation
    measures: tuple[Measures, ...]
    diversity: Float64
    effective: float | None


def summarize(job: Job | None, *, evaluation: Evaluation) -> Summary:
    """Compute all measures; a job is asked between heads whether they are still wanted."""
    found = []
    for result in evaluation.heads:
        if job is not None:
            job.check()
        found.append(result.measures)
    patterns = evaluation.pattern
    return Summary(evaluation, tuple(found), diversity(patterns), effective_heads(patterns))


class MeasuresPanel(QWidget):
    """Computed only while it can be seen, and after a short pause."""

    def __init__(self, store: Store, focus: Focus, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._store, self._focus = store, focus
        self._shown: Summary | None = None
        self.numbers = MeasuresModel(self)
        self.table = QTableView(self)
        self.copy = QPushButton(tr("Copy"), self)
        self.diversity = SquareMap(self._explain_pair, self)
        self.effective = PlainLabel("", self, tone="muted").shorten()
        self.row = RowDetail(self)
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(PAUSE_MS)
        self._pause.timeout.connect(self.compute)
        self._lay_out()
        self.copy.clicked.connect(self.copy_table)
        self.table.customContextMenuRequested.connect(self._show_menu)
        store.evaluated.connect(self._on_evaluated)
        store.changed.connect(self._on_changed)
        focus.changed.connect(self._on_focus)

    def _lay_out(self) -> None:
        self.table.setModel(self.numbers)
        self.table.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.table.setAccessibleName(tr("Measures of the heads"))
        self.table.setSelectionMode(QTableView.SelectionMode.ContiguousSelection)
        self.table.setHorizontalScrollMode(QTableView.ScrollMode.ScrollPerPixel)
        self.table.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        self.table.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.table.verticalHeader().setDefaultSectionSize(self.fontMetrics().height() + 6)
        self.table.setCornerButtonEnabled(False)
        self.table.setTabKeyNavigation(False)
        self.copy.setAccessibleName(tr("Copy the table"))
        self.copy.setToolTip(tr("Copy all measures, to paste into a spreadsheet"))
        layout = QHBoxLayout(self)
        layout.setContentsMargins(12, 6, 12, 8)
        layout.setSpacing(14)
        middle = QVBoxLayout()
        middle.setSpacing(2)
        middle.addWidget(SectionTitle(tr("Head diversity"), self))
        middle.addWidget(self.effective)
        middle.addWidget(self.diversity, 1)
        self.copy.setParent(self.table)  # in the corner of its headers, where nothing else is
        self.copy.move(3, 3)
        self.table.verticalHeader().setMinimumWidth(self.copy.sizeHint().width() + 6)
        layout.addWidget(self.table, 5)
        layout.addLayout(middle, 2)
        layout.addWidget(self.row, 2)

    def sizeHint(self) -> QSize:
        """Return the size that shows a few heads."""
        return QSize(900, HEIGHT)

    def showEvent(self, event: QShowEvent) -> None:
        """Compute what was put off while hidden."""
        super().showEvent(event)
        self.compute()
        self._show_row()

    @Slot(object)
    def _on_evaluated(self, evaluation: Evaluation) -> None:
        if self.isVisible():
            self._pause.start()
            self._show_row()

    @Slot(object, object)
    def _on_changed(self, old: Experiment, new: Experiment) -> None:
        if self._shown is not None and old.selected != new.selected:
            self.numbers.show_measures(self._shown.measures, new.selected)

    @Slot()
    def _on_focus(self) -> None:
        if self.isVisible():
            self._show_row()

    @Slot()
    def compute(self) -> None:
        """Compute the measures of the present evaluation, if they can be seen and are not yet known."""
        evaluation = self._store.evaluation
        if not self.isVisible() or (self._shown is not None and self._shown.evaluation is evaluation):
            return
        if len(evaluation.heads) * len(evaluation.tokens) ** 2 <= INLINE_CELLS:
            self._show_summary(summarize(None, evaluation=evaluation))
            return
        work = partial(summarize, evaluation=evaluation)
        self.effective.setText(tr("computing …"))
        self._store.jobs.submit("compute", work, self._show_summary, self._fail, topic="measures")

    def _show_summary(self, summary: Summary) -> None:
        if not shiboken6.isValid(self) or summary.evaluation is not self._store.evaluation:
            return
        self._shown = summary
        self.numbers.show_measures(summary.measures, summary.evaluation.experiment.selected)
        count = len(summary.measures)
        self.effective.setText(
            tr("{effective} effective heads of {count}").format(
                effective=plain(summary.effective, 2), count=count
            )
        )
        self.diversity.show_values(summary.diversity, tr("Divergence of every two heads, 0 to 1"))

    def _fail(self, error: Exception) -> None:
        if shiboken6.isValid(self):
            self.effective.setText(tr("the measures could not be computed"))
            self._store.say("error", tr("The measures could not be computed: {}").format(error))

    def _explain_pair(self, row: int, column: int) -> str:
        if self._shown is None:
            return ""
        text = tr("heads {first} and {second}: mean row divergence {value}").format(
            first=row, second=column, value=plain(float(self._shown.diversity[row, column]))
        )
        return text + "\n" + tr("0: the same pattern, 1: nothing in common")

    def _show_row(self) -> None:
        locked, evaluation = self._focus.locked, self._store.evaluation
        if locked is None or not 0 <= locked[0] < len(evaluation.tokens):
            self.row.show_nothing()
        else:
            self.row.show_row(evaluation, locked[0])

    @Slot()
    def copy_table(self) -> None:
        """Put all measures on the clipboard, those of this moment."""
        self.compute()
        QGuiApplication.clipboard().setText(self.numbers.table_text())

    def menu(self) -> QMenu:
        """Return the menu of the table: ways to copy it."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction(tr("&Copy for a spreadsheet"), self.copy_table)
        menu.addAction(tr("Copy as &LaTeX"), partial(self._copy_as, "latex"))
        menu.addAction(tr("Copy as Mark&down"), partial(self._copy_as, "markdown"))
        return menu

    def _show_menu(self, position: QPoint) -> None:
        self.menu().popup(self.table.viewport().mapToGlobal(position))

    def _copy_as(self, kind: Kind) -> None:
        from askew_gui.export.clipboard import copy_text_table

        copy_text_table(self._store.evaluation, "measures", kind)
