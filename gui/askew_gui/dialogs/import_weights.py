"""Importing weights: what is in the file, what it becomes, and where it goes, before anything changes."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QGuiApplication, QPalette
from PySide6.QtWidgets import (
    QAbstractItemView,
    QCheckBox,
    QDialog,
    QDialogButtonBox,
    QHeaderView,
    QPushButton,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from askew.edits import Change
from askew.errors import AskewError
from askew.inputs import check
from askew.weights import Imported, Needs
from askew.weights.applying import bring, check_fits, with_needs
from askew.weights.model_folder import ModelFolder
from askew_gui.dialogs import import_weights_texts as texts
from askew_gui.dialogs.import_weights_form import ImportForm
from askew_gui.dialogs.import_weights_plan import read
from askew_gui.i18n import tr
from askew_gui.widgets.error_line import ErrorLine
from askew_gui.widgets.labels import PlainLabel, plain_tooltip

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from askew.weights import Choice, Plan, WeightsFile
    from askew_gui.dialogs.import_weights_plan import Found, Reading
    from askew_gui.jobs import Job
    from askew_gui.store import Store

SIZE = (720, 620)
ROWS_IN_SIGHT = 3  # at least, of the table
USUAL_LINE = 18  # pixels of a line of text at its usual size
TOPIC = "import weights"


class ImportWeightsDialog(QDialog):
    """A preview; nothing changes before Import, and then in one step of undo.

    Signals
    -------
    file_wanted()
        Another file is to be chosen.
    brought(vectors)
        The weights are in place; `vectors` are the words of the model they came with, or None.
    """

    file_wanted = Signal()
    brought = Signal(object)

    def __init__(self, store: Store, found: Found, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._store, self._found = store, found
        self._reading: Reading | None = None
        self._job: Job | None = None
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(tr("Import weights"))
        self.title = PlainLabel(found.name, self, bold=True)
        self.headline = PlainLabel("", self, tone="muted")
        self.form = ImportForm(store.experiment.selected[-1], len(store.experiment.heads), self)
        self.table = _table(self)
        self.outcome = PlainLabel("", self)
        self.notes = PlainLabel("", self, tone="muted")
        self.needs = {name: QCheckBox(self) for name in ("scoring", "mask", "positions")}
        self.error = ErrorLine(self)
        self.import_button = QPushButton(tr("Import"), self)
        self.other = QPushButton(tr("Choose another file…"), self)
        self._lay_out()
        self._connect()
        if found.file is not None:
            self.headline.setText(texts.headline(found.file))
            self.form.begin(found.file, has_words=found.folder is not None)
        self.refresh()
        if found.file is not None:
            self.resize(self._wanted())

    def _wanted(self) -> QSize:
        """Return the size at first: larger in large type, as high as what is shown, never off the screen."""
        scale = max(1.0, self.fontMetrics().height() / USUAL_LINE)
        height = min(round(SIZE[1] * scale), self.sizeHint().height())
        return QSize(round(SIZE[0] * scale), height).boundedTo(self.screen().availableSize() * 0.9)

    def _lay_out(self) -> None:
        for label in (self.title, self.headline):
            label.shorten()
        self.import_button.setProperty("primary", True)
        self.import_button.setDefault(True)
        self.outcome.setWordWrap(True)
        self.notes.setWordWrap(True)
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel, self)
        self.buttons.addButton(self.import_button, QDialogButtonBox.ButtonRole.AcceptRole)
        self.buttons.addButton(self.other, QDialogButtonBox.ButtonRole.ResetRole)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(16, 14, 16, 14)
        layout.setSpacing(10)
        ticks = self.needs.values()
        above: tuple[QWidget, ...] = (self.title, self.headline, self.form, self.table)
        below: tuple[QWidget, ...] = (self.outcome, self.notes, *ticks, self.error, self.buttons)
        for widget in above + below:
            layout.addWidget(widget, 1 if widget is self.table else 0)
        layout.insertStretch(layout.indexOf(self.error))

    def _connect(self) -> None:
        self.form.changed.connect(self.refresh)
        self.buttons.accepted.connect(self.bring)
        self.buttons.rejected.connect(self.reject)
        self.other.clicked.connect(self._on_other)

    # What would happen

    def refresh(self) -> None:
        """Show what the present answers come to."""
        file = self._found.file
        shown: tuple[QWidget, ...] = (self.headline, self.form, self.table, self.outcome, self.notes)
        for widget in shown:
            widget.setVisible(file is not None)
        if file is None:
            self._show_needs(None)
            self._refuse(self._found.error)
            self.adjustSize()
            return
        self._reading = reading = self._read(file)
        self.form.ask(reading, self._default(file, reading))
        _fill(self.table, texts.rows(file, reading.plan))
        self._show_plan(reading)
        self._refuse(reading.error or self._misfit(reading))

    def _read(self, file: WeightsFile, picked: dict[str, str] | None = None) -> Reading:
        experiment = self._store.experiment
        picked = self.form.picked if picked is None else picked
        if self.form.as_example:
            return read(file, picked, None)
        return read(file, picked, experiment.d_model, experiment.heads[0], experiment.vectors.name)

    def _default(self, file: WeightsFile, reading: Reading) -> Plan | None:
        """Return what would happen without a choice of the orientation."""
        if not self.form.picked["orientation"]:
            return reading.plan
        return self._read(file, {**self.form.picked, "orientation": ""}).plan

    def _misfit(self, reading: Reading) -> AskewError | None:
        """Return why the weights do not fit where they are to go."""
        if self.form.as_example or reading.plan is None:
            return None
        try:
            check_fits(self._store.experiment, reading.plan, self.form.target, self._found.name)
        except AskewError as error:
            return error
        return None

    def _show_plan(self, reading: Reading) -> None:
        plan = reading.plan
        self.outcome.setText(texts.result(plan) if plan is not None else "")
        self.outcome.setVisible(bool(self.outcome.whole_text))
        lines = texts.notes(reading, self._faithful(plan))
        self.notes.setText("\n".join(f"· {line}" for line in lines))
        self.notes.setVisible(bool(lines))
        self._show_needs(plan.needs if plan is not None else None)

    def _faithful(self, plan: Plan | None) -> bool | None:
        """Return whether the model opens as it runs; None if only weights are brought."""
        if not self.form.as_example or plan is None:
            return None
        return self._found.faithful and plan.layer in (0, None)

    def _show_needs(self, needs: Needs | None) -> None:
        """Offer what a scheme needs, ticked; it is for all heads, so not where only one is brought."""
        whole = self.form.as_example or self.form.target.what == "all"
        offered = texts.need_texts(needs) if needs is not None and whole else {}
        for name, tick in self.needs.items():
            if name in offered and tick.text() != offered[name]:
                tick.setText(offered[name])
                tick.setChecked(True)
            tick.setVisible(name in offered)

    def _refuse(self, error: AskewError | None) -> None:
        self.error.say(error)
        self.import_button.setEnabled(error is None)

    # Doing it

    def bring(self) -> None:
        """Read what is needed, and put it where it goes."""
        file, reading = self._found.file, self._reading
        if file is None or reading is None or reading.plan is None or not self.import_button.isEnabled():
            return
        work: Callable[[Job], Imported | ModelFolder]
        if self.form.as_example and self._found.folder is not None:
            work = partial(_open_model, self._found.folder, reading.choice, self._store.experiment.text)
        else:
            work = partial(_load, file, reading.plan)
        self._set_busy(True)
        label = tr("Reading {}").format(self._found.name)
        self._job = self._store.jobs.submit("files", work, self._put, self._fail, topic=TOPIC, label=label)

    def _put(self, brought: Imported | ModelFolder) -> None:
        self._set_busy(False)
        name, store = self._found.name, self._store
        model = brought if isinstance(brought, ModelFolder) else None
        try:
            change = self._heads(brought) if isinstance(brought, Imported) else self._model(brought)
            check(change.experiment, store.vectors if model is None else model.vectors)
        except AskewError as error:
            self._refuse(error)
            return
        store.apply(change.experiment, tr("import of weights from {}").format(name))
        store.say("info", change.message or tr("Brought from {}").format(name))
        self.brought.emit(None if model is None else model.vectors)
        self.accept()

    def _heads(self, imported: Imported) -> Change:
        change = bring(self._store.experiment, imported, self.form.target, self._found.name)
        return replace(change, experiment=with_needs(change.experiment, self._chosen(imported.needs)))

    def _model(self, model: ModelFolder) -> Change:
        self._store.register(model.vectors)
        return Change(with_needs(model.experiment, self._chosen(model.needs)))

    def _fail(self, error: Exception) -> None:
        self._set_busy(False)
        if not isinstance(error, AskewError):
            raise error
        self._refuse(error)

    def _set_busy(self, busy: bool) -> None:
        self.form.setEnabled(not busy)
        self.other.setEnabled(not busy)
        self.import_button.setEnabled(not busy)

    def _chosen(self, needs: Needs) -> Needs:
        """Return the needs that are ticked."""
        ticked = {name for name, tick in self.needs.items() if not tick.isHidden() and tick.isChecked()}
        return Needs(**{name: getattr(needs, name) for name in ticked})

    def _on_other(self) -> None:
        self.reject()
        self.file_wanted.emit()

    def done(self, result: int) -> None:
        self._store.jobs.drop(TOPIC)
        super().done(result)


def _load(file: WeightsFile, plan: Plan, _job: Job) -> Imported:
    from askew.weights import load

    return load(file, plan)


def _open_model(folder: Path, choice: Choice, text: str, _job: Job) -> ModelFolder:
    from askew.weights.model_folder import open_model_folder

    return open_model_folder(folder, choice, text)


def _table(parent: QWidget) -> QTableWidget:
    """Return the table of what is in the file."""
    table = QTableWidget(0, 4, parent)
    table.setHorizontalHeaderLabels([tr("In the file"), tr("Shape"), tr("Type"), tr("Becomes")])
    table.setAccessibleName(tr("Arrays in the file"))
    table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
    table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
    table.setTextElideMode(Qt.TextElideMode.ElideMiddle)
    table.setWordWrap(False)
    table.setShowGrid(False)
    table.setTabKeyNavigation(False)
    table.verticalHeader().hide()
    header = table.horizontalHeader()
    header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
    header.setHighlightSections(False)
    header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
    header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
    return table


def _fill(table: QTableWidget, rows: Sequence[tuple[str, ...]]) -> None:
    """Show tensors; those that become nothing are quiet."""
    quiet = QGuiApplication.palette().color(QPalette.ColorRole.PlaceholderText)
    table.setRowCount(len(rows))
    for row, texts_of_row in enumerate(rows):
        for column, text in enumerate(texts_of_row):
            item = QTableWidgetItem(text)
            if not texts_of_row[-1]:
                item.setForeground(quiet)
            if not column:
                item.setToolTip(plain_tooltip(text))
            table.setItem(row, column, item)
    height = table.fontMetrics().height() + 6
    table.verticalHeader().setDefaultSectionSize(height)
    table.setMinimumHeight(height * min(len(rows) + 1, ROWS_IN_SIGHT + 1))
    table.setMaximumHeight(height * (len(rows) + 2))
