"""The left panel: vectors in use, what the heads are drawn from, and each head as a row."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, QPoint, Qt, Slot
from PySide6.QtWidgets import QFrame, QGridLayout, QScrollArea, QVBoxLayout, QWidget

from askew import measures
from askew.heads import FromFiles, Recipe
from askew.sources import key_groups
from askew_gui import intents
from askew_gui.i18n import tr
from askew_gui.panels.head_list import HeadList, HeadListTitle
from askew_gui.panels.head_menu import head_menu
from askew_gui.panels.head_rows import HeadRow
from askew_gui.panels.heads_form import HeadsForm
from askew_gui.panels.heads_more import MoreForm, not_at_default
from askew_gui.widgets.fold import Fold
from askew_gui.widgets.labels import PlainLabel, SectionTitle

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtWidgets import QMenu

    from askew.experiment import Evaluation, Experiment
    from askew.head_result import HeadResult
    from askew.heads import Head
    from askew_gui.store import Store

PANEL_WIDTH = 242
Bars = tuple[float | None, float | None, float | None]


def origin_text(head: Head) -> str:
    """Return where a head comes from in one or two words."""
    recipe = head.recipe
    if isinstance(recipe, Recipe):
        return tr("seed {}").format(recipe.seed) if recipe.initializer != "zero" else tr("zero")
    if isinstance(recipe, FromFiles):
        return tr("imported")
    return {"edited": tr("edited"), "trained": tr("trained")}[recipe]


class HeadsPanel(QScrollArea):
    """Vectors, heads and their drawing; below, the list of heads with their menus."""

    def __init__(self, store: Store, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._store = store
        self._known: dict[int, tuple[HeadResult, Bars]] = {}
        self._file = PlainLabel(bold=True).shorten()
        self._size = PlainLabel().shorten()
        self.form = HeadsForm(store)
        self.more = Fold(tr("More"), MoreForm(store))
        self.list = HeadList()
        self._lay_out()
        self.list.chosen.connect(self._select)
        self.list.lock_clicked.connect(self._toggle_lock)
        self.list.menu_wanted.connect(self._show_menu)
        self.list.selectionModel().currentChanged.connect(self._scroll_to)
        store.changed.connect(self._on_changed)
        store.evaluated.connect(self._on_evaluated)
        self._show_vectors()
        self._show_more()
        self._show_rows()

    def _lay_out(self) -> None:
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setMinimumWidth(PANEL_WIDTH)
        self.setAccessibleName(tr("Heads panel"))
        self._body = QWidget()
        layout = QVBoxLayout(self._body)
        layout.setContentsMargins(12, 6, 6, 8)
        layout.setSpacing(5)
        layout.addWidget(SectionTitle(tr("Vectors")))
        vectors = QGridLayout()
        vectors.setHorizontalSpacing(6)
        vectors.setVerticalSpacing(3)
        vectors.setColumnStretch(1, 1)
        for line, (name, value) in enumerate(((tr("file"), self._file), (tr("size"), self._size))):
            label = PlainLabel(name, tone="muted")
            label.setMinimumWidth(62)
            vectors.addWidget(label, line, 0)
            vectors.addWidget(value, line, 1)
        layout.addLayout(vectors)
        self._below_vectors = QVBoxLayout()
        layout.addLayout(self._below_vectors)
        layout.addWidget(SectionTitle(tr("Heads")))
        layout.addWidget(self.form)
        layout.addWidget(self.more)
        layout.addSpacing(4)
        layout.addWidget(HeadListTitle(self.list))
        layout.addWidget(self.list)
        layout.addStretch(1)
        self.setWidget(self._body)

    def add_below_vectors(self, widget: QWidget) -> None:
        """Put something under the lines about the vectors in use."""
        self._below_vectors.addWidget(widget)

    @Slot(object, object)
    def _on_changed(self, old: Experiment, new: Experiment) -> None:
        if old.vectors != new.vectors:
            self._show_vectors()
        self._show_more()
        if old.selected != new.selected:
            self._show_rows()

    @Slot(object)
    def _on_evaluated(self, evaluation: Evaluation) -> None:
        self._show_vectors()
        self._show_rows()

    def _show_vectors(self) -> None:
        table = self._store.vectors
        self._file.setText(table.name)
        self._size.setText(f"{len(table):,} × {table.dim}")

    def _show_more(self) -> None:
        said = not_at_default(self._store.experiment)
        self.more.note.setText(tr("not at default: {}").format(said) if said else "")

    def _show_rows(self) -> None:
        evaluation, selected = self._store.evaluation, self._store.experiment.selected
        known: dict[int, tuple[HeadResult, Bars]] = {}
        rows, shared = [], _sharing([result.head for result in evaluation.heads])
        for number, result in enumerate(evaluation.heads):
            held = self._known.get(number)
            bars = held[1] if held and held[0] is result else _bars(result, evaluation)
            known[number] = (result, bars)
            head, shares = result.head, shared.get(number, ())
            origin, files = origin_text(head), str(head.recipe) if isinstance(head.recipe, FromFiles) else ""
            rows.append(HeadRow(number, *bars, origin, head.locked, number in selected, shares, files))
        self._known = known
        self.list.show_rows(rows)
        if len(selected) == 1:  # so that the arrow keys go on from the head that is shown
            self.list.setCurrentIndex(self.list.heads.index(selected[0], 0))

    @Slot(QModelIndex, QModelIndex)
    def _scroll_to(self, index: QModelIndex, before: QModelIndex) -> None:
        if not self.list.hasFocus():
            return
        middle = self.list.mapTo(self._body, self.list.visualRect(index).center())
        self.ensureVisible(middle.x(), middle.y(), 0, 24)

    @Slot(int, bool)
    def _select(self, head: int, extend: bool) -> None:
        if self._exists(head):
            intents.select_head(self._store, head, extend)

    @Slot(int)
    def _toggle_lock(self, head: int) -> None:
        if self._exists(head):
            intents.toggle_lock(self._store, head)

    def _exists(self, head: int) -> bool:
        """Tell whether a head that is on view is still there: the list waits for the evaluation."""
        return head < len(self._store.experiment.heads)

    @Slot(int, QPoint)
    def _show_menu(self, head: int, point: QPoint) -> None:
        if self._exists(head):
            self.menu(head).popup(point)

    def menu(self, head: int) -> QMenu:
        """Return the menu of a head; it goes when it is closed."""
        return head_menu(self._store, head, self)


def _bars(result: HeadResult, evaluation: Evaluation) -> Bars:
    """Return the three measures of a row; the others are computed only where they are shown."""
    return (
        measures.self_weight(result.pattern),
        measures.sharpness(result.pattern, evaluation.mask),
        measures.asymmetry(result.scores),
    )


def _sharing(heads: Sequence[Head]) -> dict[int, tuple[int, ...]]:
    """Return the other heads that hold the same W_k, of each head that does not have it alone."""
    groups = [group for group in key_groups(heads) if len(group) > 1]
    return {h: tuple(other for other in group if other != h) for group in groups for h in group}
