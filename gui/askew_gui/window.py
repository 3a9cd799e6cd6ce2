"""The window: lays the panels out and wires them."""

from __future__ import annotations

from functools import cached_property, partial
from operator import attrgetter
from typing import TYPE_CHECKING, cast

from PySide6.QtCore import QEvent, QObject, Qt, QTimer
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QWheelEvent
from PySide6.QtWidgets import QApplication, QMainWindow, QSplitter, QToolTip, QWidget

from askew_gui import theme
from askew_gui.actions import Actions
from askew_gui.context_menus import add_cache_size, add_recent_menu, show_grid_menu, show_maps_menu
from askew_gui.field_keys import FieldKeys
from askew_gui.focus import Focus
from askew_gui.fonts import ui_font
from askew_gui.i18n import tr
from askew_gui.maps.grid import HeadGrid
from askew_gui.maps.view import MapsView
from askew_gui.messages import MessageBar
from askew_gui.panels.example_strip import ExampleStrip
from askew_gui.panels.sentence import SentencePanel
from askew_gui.progress import ProgressStrip
from askew_gui.session_files import SessionFiles
from askew_gui.tabs import FoldingTabs
from askew_gui.topbar import ActionButton, MenuButton, TopBar
from askew_gui.window_layout import COLUMNS, WindowLayout
from askew_gui.window_parts import Slot, dropped_file, rule, stacked, text_step

if TYPE_CHECKING:
    from PySide6.QtGui import QCloseEvent, QKeyEvent, QResizeEvent, QShowEvent

    from askew.experiment import Experiment
    from askew_gui.panels.heads import HeadsPanel
    from askew_gui.panels.inspector import Inspector
    from askew_gui.panels.weights import WeightsPanel
    from askew_gui.recovery import Recovery
    from askew_gui.settings import Settings
    from askew_gui.store import Store
    from askew_gui.theme import ThemeName
    from askew_gui.vector_files import VectorFiles

SMALLEST = (900, 560)
PRESENTING_SCALE = 1.5
_TOKENS = attrgetter(
    "text", "edits", "unknown", "vectors", "specials", "embedding"
)  # what decides which rows there are
A_MOMENT = 10  # ms in which the first picture comes to the screen before more is made


class Window(QMainWindow):
    """Sentence on top, heads at the left, maps in the middle, inspector at the right, tabs below.

    Sentence and maps are painted first; the other panels are made right after, or when asked for.
    """

    def __init__(self, store: Store, settings: Settings, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.store = store
        self.settings = settings
        self.focus = Focus(self)
        self.sessions = SessionFiles(self)
        self.presenting = False
        self.filled = self._closed = False
        self.setMinimumSize(*SMALLEST)
        self.setAcceptDrops(True)
        self.sentence = SentencePanel(store, self.focus)
        self.messages = MessageBar()
        self.progress = ProgressStrip(store.jobs)
        self.maps = MapsView(store, self.focus)
        self.grid = HeadGrid(store)
        self.example_strip = ExampleStrip(store)
        self.tabs = FoldingTabs()
        self.topbar = TopBar(self)
        self.actions_table = Actions(self)
        self._build_topbar()
        self._build_body()
        self._connect()
        self.arrangement.restore()
        self.refresh_actions()
        self.sentence.edit.setFocus()
        self.maps.installEventFilter(self)

    @cached_property
    def recovery(self) -> Recovery:
        """What keeps the session as one works, and offers what a crash has left."""
        from askew_gui.recovery import Recovery

        return Recovery(self)

    @cached_property
    def vector_files(self) -> VectorFiles:
        """What opens, reports on and imports vector files."""
        from askew_gui.vector_files import VectorFiles

        return VectorFiles(self.store, self.settings, self.messages, self)

    @cached_property
    def heads(self) -> HeadsPanel:
        """The panel at the left."""
        from askew_gui.panels.heads import HeadsPanel
        from askew_gui.panels.vectors_status import VectorsStatus

        panel = HeadsPanel(self.store)
        panel.add_below_vectors(VectorsStatus(self.vector_files))
        return panel

    @cached_property
    def inspector(self) -> Inspector:
        """The panel at the right, or in the tabs."""
        from askew_gui.panels.inspector import Inspector

        return Inspector(self.store, self.focus)

    @property
    def weights(self) -> WeightsPanel | None:
        """The weights panel, once it was opened."""
        return cast("WeightsPanel | None", self.tabs.panel("weights"))

    # Building

    def _build_topbar(self) -> None:
        actions = self.actions_table
        actions.fill(self.topbar.menus)
        add_recent_menu(self, actions.menu("File"))
        add_cache_size(self, actions.menu("Vectors"))
        undo = ActionButton(actions["undo"], self.topbar, icon="undo")
        redo = ActionButton(actions["redo"], self.topbar, icon="redo", bare=True)
        show = MenuButton(tr("Show"), actions.menu("View/Show"), self.topbar)
        compare = MenuButton(tr("Compare"), actions.menu("View/Compare"), self.topbar)
        randomize = ActionButton(actions["randomize"], self.topbar, primary=True)
        export = ActionButton(actions["export"], self.topbar)
        for button in (undo, redo, show, compare, randomize, export):
            self.topbar.add(button)
        self.setMenuWidget(self.topbar)

    def _build_body(self) -> None:
        self.upper = stacked(self.example_strip, self.maps, rule(), self.grid, growing=self.maps)
        self.upper.setProperty("surface", "canvas")
        self.tabs.add("weights", tr("Weights"), partial(_make_weights, self.store))
        self.tabs.add("measures", tr("Measures"), partial(_make_measures, self.store, self.focus))
        self.centre = QSplitter(Qt.Orientation.Vertical)
        self.centre.addWidget(self.upper)
        self.centre.addWidget(self.tabs)
        self.left, self.right = Slot(COLUMNS[0]), Slot(COLUMNS[2])
        self.body = QSplitter(Qt.Orientation.Horizontal)
        for widget in (self.left, self.centre, self.right):
            self.body.addWidget(widget)
        for splitter in (self.centre, self.body):
            splitter.setChildrenCollapsible(False)
            splitter.setHandleWidth(1)
        self.centre.setStretchFactor(0, 1)
        self.body.setStretchFactor(1, 1)
        self.arrangement = WindowLayout(self)
        self.arrangement.scale_columns()
        above = (rule(), self.sentence, self.messages, self.progress, rule())
        self.setCentralWidget(stacked(*above, self.body, growing=self.body))

    def fill(self) -> None:
        """Make the panels that do not belong to the first picture."""
        if self.filled:
            return
        self.filled = True
        from askew_gui.completion import Completion

        self.completion = Completion(self.sentence.edit, self.store, self)
        _ = self.recovery  # keeps the session from now on
        self.messages.rescue = (tr("Save a copy of the session…"), self.sessions.save_copy)
        self.maps.removeEventFilter(self)
        self.left.put(self.heads)
        if not self.arrangement.narrow:
            self.right.put(self.inspector)
        self.tabs.start()
        self.topbar.tint()
        if self.windowHandle() is not None:
            self.windowHandle().installEventFilter(self)

    def _connect(self) -> None:
        self.store.said.connect(self.messages.say)
        self.store.refused.connect(self.messages.stand)
        self.store.offered.connect(self.messages.offer)
        self.store.stale_changed.connect(self.refresh_actions)
        self.store.head_copied.connect(self.refresh_actions)
        self.store.changed.connect(self._on_changed)
        self.store.evaluated.connect(self._on_evaluated)
        self.store.undo_stack.indexChanged.connect(self.refresh_actions)
        to_maps = partial(self.maps.setFocus, Qt.FocusReason.ShortcutFocusReason)  # by key: with a ring
        self.sentence.edit.finished.connect(to_maps)
        self.maps.menu_requested.connect(partial(show_maps_menu, self))
        self.grid.menu_requested.connect(partial(show_grid_menu, self))
        app = cast("QApplication", QApplication.instance())
        app.focusChanged.connect(self._on_focus_changed)
        self.sessions.changed.connect(self._name)
        self._name()
        self._field_keys = FieldKeys(app, self)

    # What changed

    def _name(self) -> None:
        """Show the name of the session, with a star while no file holds what is shown."""
        if self._closed:
            return
        self.setWindowTitle(tr("{}[*] — Askew").format(self.sessions.name.replace("[*]", "[*][*]")))
        self.setWindowModified(self.sessions.modified)
        self.refresh_actions()

    def refresh_actions(self, _what: object = None) -> None:
        """Set texts, ticks and what can be done in menus and buttons."""
        if not self._closed:  # signals still come while the program ends and the store is gone
            self.actions_table.refresh()

    def _on_changed(self, old: Experiment, new: Experiment) -> None:
        if _TOKENS(old) != _TOKENS(new):
            self.focus.hover(None)
            self.focus.lock(None)

    def _on_evaluated(self, _evaluation: object) -> None:
        QToolTip.hideText()  # what it says may no longer be so

    def _on_focus_changed(self, _old: QWidget | None, _new: QWidget | None) -> None:
        self.refresh_actions()

    def open_file(self, path: str) -> None:
        """Open any file that was chosen, dropped or named."""
        from askew_gui.opening_any import open_any

        open_any(self, path)

    def open_recent(self, path: str) -> None:
        """Open a file again, vectors as they were read last."""
        from askew_gui.opening_any import open_recent

        open_recent(self, path)

    # Look

    def set_theme(self, name: ThemeName) -> None:
        """Dress the program and remember it."""
        self.settings.theme = name
        self._dress()

    def set_text_scale(self, scale: float) -> None:
        """Set the size of text and remember it."""
        self.settings.text_scale = round(min(2.5, max(0.6, scale)), 3)
        self._dress()

    def _dress(self) -> None:
        scale = self.settings.text_scale * (PRESENTING_SCALE if self.presenting else 1.0)
        QApplication.setFont(ui_font(scale))
        # The style sheet keeps the fonts it has set until it is set again.
        theme.apply_theme(cast("QApplication", QApplication.instance()), self.settings.theme_name)
        self.topbar.fit()
        self.arrangement.scale_columns()
        if not self.presenting:
            self.arrangement.fold()
        self.refresh_actions()

    def set_presenting(self, presenting: bool) -> None:
        """Fill the screen with the sentence and the maps in large type, or go back."""
        self.presenting = presenting
        self._dress()
        for widget in (self.left, self.tabs, self.topbar):
            widget.setVisible(not presenting)
        self.arrangement.clear()
        self.right.setVisible(not presenting and not self.arrangement.narrow)
        self.setWindowState(self.windowState() ^ Qt.WindowState.WindowFullScreen)

    # Events

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if not self.presenting:
            self.arrangement.fold()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if not event.spontaneous():
            self.arrangement.first_shown()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self.maps and event.type() == QEvent.Type.Paint and not self.filled:
            QTimer.singleShot(A_MOMENT, self, self.fill)
        # Before any widget gets it: a field would take a dropped file for text, a list would scroll.
        if isinstance(event, QWheelEvent) and self._scales_text(event):
            return True
        if isinstance(event, QDragEnterEvent | QDropEvent) and dropped_file(event):
            self._take_drop(event)
            return True
        return super().eventFilter(watched, event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        if not self._scales_text(event):
            super().wheelEvent(event)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        self._take_drop(event)

    def dropEvent(self, event: QDropEvent) -> None:
        self._take_drop(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self.presenting:
            self.set_presenting(False)
            self.refresh_actions()
        else:
            super().keyPressEvent(event)

    def closeEvent(self, event: QCloseEvent) -> None:
        if not self._closed and not self.sessions.may_close():
            event.ignore()
            return
        closed, self._closed = self._closed, True  # whatever goes wrong from here on
        if not closed:
            self.recovery.close()
        self.arrangement.save()
        if "vector_files" in vars(self):
            self.vector_files.close()
        self.store.jobs.close(timeout=0)
        super().closeEvent(event)

    def end(self) -> None:
        """Close without a question, and end the program: what is not saved is there at the next start."""
        self.sessions.unattended = True
        self.close()
        QApplication.exit(0)

    def _scales_text(self, event: QWheelEvent) -> bool:
        step = text_step(event)
        if step:
            self.actions_table["larger" if step > 0 else "smaller"].trigger()
            event.accept()
        return bool(step)

    def _take_drop(self, event: QDropEvent) -> None:
        path = dropped_file(event)
        if not path:
            event.ignore()
            return
        event.acceptProposedAction()
        if event.type() == QEvent.Type.Drop:
            QTimer.singleShot(0, self, partial(self.open_file, path))  # the sender waits until this returns


def _make_weights(store: Store) -> QWidget:
    from askew_gui.panels.weights import WeightsPanel

    return WeightsPanel(store)


def _make_measures(store: Store, focus: Focus) -> QWidget:
    from askew_gui.panels.measures import MeasuresPanel

    return MeasuresPanel(store, focus)
