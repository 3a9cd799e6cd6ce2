"""What the example on view shows, and what to try with it: two lines that can be closed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtWidgets import QFrame, QGridLayout, QSizePolicy, QToolButton, QWidget

from askew.examples import EXAMPLES
from askew_gui import theme
from askew_gui.i18n import tr
from askew_gui.widgets.labels import PlainLabel

if TYPE_CHECKING:
    from askew.experiment import Experiment
    from askew_gui.store import Store


class ExampleStrip(QFrame):
    """Two quiet lines over the maps, from the moment an example is shown until it is something else.

    Which example that is follows from the undo stack, so that undo and redo bring the right lines back.
    Other words, edits and draws leave it there; other vectors or another shape of the heads do not.
    """

    def __init__(self, store: Store, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._store = store
        self._first: tuple[str, Experiment] | None = None
        self._closed: Experiment | None = None
        self._name = ""
        self._away = False
        self._labels = {tr("example {}").format(name): name for name in EXAMPLES}
        self.look = PlainLabel("", self).shorten()
        self.tries = PlainLabel("", self).shorten()
        self.close_button = QToolButton(self)
        self._lay_out()
        self.close_button.clicked.connect(self._dismiss)
        store.changed.connect(self._follow)
        self.hide()

    def _lay_out(self) -> None:
        self.setAccessibleName(tr("About this example"))
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.close_button.setAutoRaise(True)
        self.close_button.setIconSize(QSize(12, 12))
        self.close_button.setToolTip(tr("Close these lines"))
        self.close_button.setAccessibleName(tr("Close the lines about the example"))
        self.close_button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._tint()
        grid = QGridLayout(self)
        grid.setContentsMargins(16, 6, 8, 2)
        grid.setHorizontalSpacing(10)
        grid.setVerticalSpacing(1)
        grid.setColumnStretch(1, 1)
        for line, (name, label) in enumerate(((tr("Look"), self.look), (tr("Try"), self.tries))):
            grid.addWidget(PlainLabel(name, self, tone="muted"), line, 0)
            grid.addWidget(label, line, 1)
        grid.addWidget(self.close_button, 0, 2, 2, 1, Qt.AlignmentFlag.AlignTop)

    def begin(self, name: str) -> None:
        """Take the experiment on view for an example; what the program shows at its very first start."""
        self._first = (name, self._store.experiment)
        self._follow()

    def open_again(self) -> None:
        """Show the lines although they were closed: the same example was asked for once more."""
        self._closed = None
        self._follow()

    def keep_away(self, away: bool) -> None:
        """Hide the lines where the maps alone are to be seen, or let them come back."""
        self._away = away
        self._follow()

    @property
    def example(self) -> str:
        """Name of the example that the lines are about; empty where none is shown."""
        return "" if self.isHidden() else self._name

    def _follow(self, _old: object = None, _new: object = None) -> None:
        name, start = self._origin()
        now = self._store.experiment
        shown = start is not None and start is not self._closed and _belongs(now, start)
        self._name = name
        if shown:
            self.look.setText(tr(EXAMPLES[name].look))
            self.tries.setText(tr(EXAMPLES[name].tries))
        self.setVisible(shown and not self._away)

    def _origin(self) -> tuple[str, Experiment | None]:
        """Return the example that was shown last, and how it began."""
        stack = self._store.undo_stack
        if self._first and not stack.count() and self._store.experiment is not self._first[1]:
            self._first = None  # a session was opened, which is no step of undo
        for index in range(stack.index() - 1, -1, -1):
            name = self._labels.get(stack.text(index))
            if name is not None:
                return name, cast("Any", stack.command(index)).after
        return self._first or ("", None)

    def _dismiss(self) -> None:
        self._closed = self._origin()[1]
        self.hide()

    def _tint(self) -> None:
        self.close_button.setIcon(theme.icon("close", theme.tokens(self.palette()).muted))

    def changeEvent(self, event: QEvent) -> None:
        """Follow the theme."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._tint()


def _belongs(now: Experiment, start: Experiment) -> bool:
    """Tell whether vectors, number of heads and their sizes are still those of an example."""
    shapes = [(len(e.heads), e.heads[0].w_q.shape, e.heads[0].d_v) for e in (now, start)]
    return shapes[0] == shapes[1] and (now.vectors, now.embedding) == (start.vectors, start.embedding)
