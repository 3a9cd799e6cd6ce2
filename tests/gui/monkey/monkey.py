"""Somebody who does anything, in any order, as fast as the window answers."""

from __future__ import annotations

import random
from collections import deque
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QMimeData, QPoint, QPointF, Qt, QTimer, QUrl
from PySide6.QtGui import QDropEvent, QKeySequence, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractSlider, QApplication, QComboBox, QSpinBox, QWidget

from askew_gui import intents

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from askew_gui.window import Window

KEPT = 20
LEFT, RIGHT = Qt.MouseButton.LeftButton, Qt.MouseButton.RightButton
NATIVE = {
    "quit",
    "open",
    "save",
    "save-as",
    "open-vectors",
    "import-weights",
    "save-vectors",
    "export-report",
}
"""Actions that end the program or wait for a dialog of the system."""

TEXTS = (
    "the cat and the dog",
    "The animal did not cross the street because it was too tired",
    "zzyzx qwrtp",
    "\N{THUMBS UP SIGN}\N{EMOJI MODIFIER FITZPATRICK TYPE-5} \N{CAT FACE} ok",
    "\u05e9\u05dc\u05d5\u05dd \u202ethe cat\u202c \u0645\u0631\u062d\u0628\u0627",
    "<b>bold</b> & <s>",
    "\u732b\u306f\u53ef\u611b\u3044 e\u0301\u0301\u0301",
    "",
    "   ",
    "a" * 300,
)
PAGE = " ".join(["the cat sat on the mat while paris slept ,"] * 12)
KEYS = (
    *(Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_Tab, Qt.Key.Key_Escape),
    *(Qt.Key.Key_Return, Qt.Key.Key_Space, Qt.Key.Key_Backspace, Qt.Key.Key_Delete, Qt.Key.Key_Home),
    *(Qt.Key.Key_End, Qt.Key.Key_PageDown, Qt.Key.Key_PageUp, Qt.Key.Key_R, Qt.Key.Key_X, Qt.Key.Key_L),
    *(
        Qt.Key.Key_P,
        Qt.Key.Key_S,
        Qt.Key.Key_C,
        Qt.Key.Key_BracketLeft,
        Qt.Key.Key_BracketRight,
        Qt.Key.Key_1,
    ),
    *(Qt.Key.Key_Minus, Qt.Key.Key_A, Qt.Key.Key_Menu),
)
MODIFIERS = (
    *([Qt.KeyboardModifier.NoModifier] * 5),
    Qt.KeyboardModifier.ShiftModifier,
    Qt.KeyboardModifier.ControlModifier,
    Qt.KeyboardModifier.AltModifier,
)
FORBIDDEN = {QKeySequence(keys).toString() for keys in ("Ctrl+S", "Ctrl+Shift+S", "Ctrl+Q", "Ctrl+O")}


class Monkey:
    """Does one thing after the other to a window; `done` names the last ones."""

    def __init__(self, window: Window, seed: int, files: list[Path]) -> None:
        self.window, self.dice, self.files = window, random.Random(seed), files
        self.done: deque[str] = deque(maxlen=KEPT)
        self._doings: tuple[tuple[Callable[[], str], int], ...] = (
            (self._action, 6),
            (self._key, 6),
            (self._type, 3),
            (self._click, 8),
            (self._drag, 5),
            (self._wheel, 3),
            (self._drop, 3),
            (self._history, 2),
            (self._resize, 1),
            (self._count, 1),
            (self._slide, 3),
            (self._tab, 2),
            (self._paste, 1),
            (self._set_text, 2),
        )
        self._watch = QTimer()
        self._watch.timeout.connect(self.close_boxes)
        self._watch.start(20)

    def act(self) -> None:
        """Do something, and let the window answer."""
        doings, weights = zip(*self._doings, strict=True)
        doing = self.dice.choices(doings, weights)[0]
        self.done.append(f"{doing.__name__}...")
        self.done[-1] = doing()
        self.close_boxes()
        QApplication.processEvents()

    def stop(self) -> None:
        """Close what is open."""
        self._watch.stop()
        self.close_boxes()

    def close_boxes(self) -> None:
        """Close menus and dialogs, which others may wait for."""
        for _ in range(10):
            box = QApplication.activePopupWidget() or QApplication.activeModalWidget()
            if box is None:
                break
            box.close()
        for widget in QApplication.topLevelWidgets():
            if widget is not self.window and widget.isVisible() and widget.isWindow():
                widget.close()

    def _action(self) -> str:
        spec = self.dice.choice([each for each in self.window.actions_table.specs if each.name not in NATIVE])
        self.window.actions_table[spec.name].trigger()
        return f"action {spec.name}"

    def _key(self) -> str:
        key, modifiers = self.dice.choice(KEYS), self.dice.choice(MODIFIERS)
        pressed = QKeySequence(key.value | modifiers.value).toString()
        if pressed not in FORBIDDEN:
            target = QApplication.focusWidget() or self.window
            QTest.keyClick(target, key, modifiers)
            return f"key {pressed} on {_name(target)}"
        return "no key"

    def _type(self) -> str:
        text = self.dice.choice(("the cat ", "x", "-1.5e3", "zz ", "9", "nan", "1e39", "k,;"))
        target = QApplication.focusWidget() or self.window
        QTest.keyClicks(target, text)
        return f"type {text!r} on {_name(target)}"

    def _place(self, *kinds: type[QWidget]) -> tuple[QWidget, QPoint]:
        """Return a widget that can be seen and a point inside."""
        widgets = [w for w in self.window.findChildren(QWidget) if w.isVisible() and not w.size().isEmpty()]
        if kinds:
            widgets = [w for w in widgets if isinstance(w, kinds)] or widgets
        elif self.dice.random() < 0.3:
            widgets = [self.window.maps]
        widget = self.dice.choice(sorted(widgets, key=_name))
        return widget, self._point(widget)

    def _point(self, widget: QWidget) -> QPoint:
        return QPoint(self.dice.randrange(widget.width()), self.dice.randrange(widget.height()))

    def _click(self) -> str:
        widget, point = self._place()
        button = RIGHT if self.dice.random() < 0.15 else LEFT
        modifiers = self.dice.choice(MODIFIERS)
        click = QTest.mouseDClick if self.dice.random() < 0.2 else QTest.mouseClick
        click(widget, button, modifiers, point)
        return f"click {button.name} {point.toTuple()} on {_name(widget)}"

    def _drag(self) -> str:
        widget, point = self._place()
        modifiers = self.dice.choice(MODIFIERS)
        name = _name(widget)
        QTest.mousePress(widget, LEFT, modifiers, point)
        for _ in range(self.dice.randint(1, 6)):
            QTest.mouseMove(widget, self._point(widget))
            QApplication.processEvents()
        if self.dice.random() < 0.1:
            QTest.keyClick(self.window, Qt.Key.Key_Escape)
        QTest.mouseRelease(widget, LEFT, modifiers, self._point(widget))
        return f"drag from {point.toTuple()} on {name} with {modifiers.name}"

    def _wheel(self) -> str:
        widget, point = self._place()
        turn, modifiers = self.dice.choice((-360, -120, 120, 360)), self.dice.choice(MODIFIERS)
        where, phase = widget.mapToGlobal(point), Qt.ScrollPhase.NoScrollPhase
        buttons = Qt.MouseButton.NoButton
        event = QWheelEvent(
            QPointF(point), QPointF(where), QPoint(), QPoint(0, turn), buttons, modifiers, phase, False
        )
        QApplication.sendEvent(widget, event)
        return f"wheel {turn} on {_name(widget)}"

    def _drop(self) -> str:
        file = self.dice.choice(self.files)
        data = QMimeData()
        data.setUrls([QUrl.fromLocalFile(str(file))])
        point, buttons = QPointF(self._point(self.window)), LEFT
        event = QDropEvent(
            point, Qt.DropAction.CopyAction, data, buttons, Qt.KeyboardModifier.NoModifier, QEvent.Type.Drop
        )
        QApplication.sendEvent(self.window, event)
        return f"drop {file.name}"

    def _history(self) -> str:
        store, steps = self.window.store, self.dice.randint(1, 12)
        step = self.dice.choice((store.undo, store.redo))
        for _ in range(steps):
            step()
        return f"{step.__name__} {steps} times"

    def _resize(self) -> str:
        width, height = self.dice.randint(900, 1600), self.dice.randint(560, 1000)
        self.window.resize(width, height)
        return f"resize {width} x {height}"

    def _count(self) -> str:
        count = self.dice.choice((1, 2, 3, 5, 8, 12, 64))
        intents.set_shape(self.window.store, count=count)
        return f"{count} heads"

    def _slide(self) -> str:
        widget, _ = self._place(QAbstractSlider, QSpinBox, QComboBox)
        name = _name(widget)
        if isinstance(widget, QAbstractSlider):
            widget.setValue(self.dice.randint(widget.minimum(), widget.maximum()))
        elif isinstance(widget, QSpinBox):
            widget.setValue(self.dice.randint(widget.minimum(), min(widget.maximum(), 64)))
        elif isinstance(widget, QComboBox) and widget.count():
            widget.setCurrentIndex(self.dice.randrange(widget.count()))
        return f"slide {name}"

    def _tab(self) -> str:
        tabs = self.window.tabs
        place = tabs.bar.tabRect(self.dice.randrange(len(tabs.names))).center()
        QTest.mouseClick(tabs.bar, LEFT, pos=place)
        return f"tab {tabs.current}"

    def _paste(self) -> str:
        text = self.dice.choice((PAGE, "1\t2\n3\t4\n", "a;b\n", *TEXTS))
        QApplication.clipboard().setText(text)
        QTest.keyClick(QApplication.focusWidget() or self.window, Qt.Key.Key_V, MODIFIERS[-2])
        return f"paste {text[:20]!r}"

    def _set_text(self) -> str:
        text = self.dice.choice((*TEXTS, PAGE))
        self.window.sentence.edit.setFocus()
        self.window.sentence.edit.selectAll()
        self.window.sentence.edit.insert(text)
        return f"sentence {text[:20]!r}"


def _name(widget: QWidget) -> str:
    """Return what a widget is, the same in every run."""
    above = widget.parentWidget()
    return f"{type(widget).__name__} {widget.objectName()} in {type(above).__name__}"
