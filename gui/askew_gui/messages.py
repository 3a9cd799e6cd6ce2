"""What the program has to say: a bar in the window, never a box in the way."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Literal, cast

from PySide6.QtCore import QEvent, Qt, QTimer
from PySide6.QtGui import QGuiApplication, QPalette
from PySide6.QtWidgets import QHBoxLayout, QLabel, QMenu, QPushButton, QSizePolicy, QToolButton, QWidget

from askew_gui import theme
from askew_gui.i18n import tr
from askew_gui.widgets.labels import plain_button_text

if TYPE_CHECKING:
    from collections.abc import Callable

    from askew_gui.faults import Caught

    Choice = tuple[str, Callable[[], object]]

Level = Literal["info", "warning", "error"]

_LOWER = re.compile(r"^[a-z]+(?= )")  # a word, not a name like d_k or mine.txt

INFO_SECONDS = 15  # an information goes by itself; a warning or an error waits for the person
MAX_CAUGHT = 10  # different mistakes of the program that are told of at a time


@dataclass(frozen=True, slots=True)
class Message:
    """What happened, what to do about it, details to copy, and ways out: what a button says and does."""

    level: Level
    text: str
    remedy: str = ""
    details: str = ""
    choices: tuple[Choice, ...] = ()

    @property
    def line(self) -> str:
        """The message in one line, as a sentence."""
        text = _LOWER.sub(lambda word: word[0].capitalize(), self.text, count=1)
        text = text if text.endswith((".", "!", "?")) else f"{text}."
        remedy = f" {self.remedy}" if self.remedy else ""
        return text + (remedy if not remedy or remedy.endswith(".") else f"{remedy}.")


class MessageBar(QWidget):
    """Shows one message at a time, the latest first; hidden while there is none."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._queue: list[Message] = []
        self._standing: Message | None = None
        self._caught: dict[str, Message] = {}  # by the place of the mistake, the latest last
        self.rescue: Choice | None = None  # what is offered where the program made a mistake
        self.setAutoFillBackground(True)
        self._icon = QLabel(self)
        self._label = QLabel(self)
        self._label.setTextFormat(Qt.TextFormat.PlainText)
        self._label.setWordWrap(True)
        self._label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._label.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._more = QLabel(self)
        self._more.setTextFormat(Qt.TextFormat.PlainText)
        self._copy = QPushButton(tr("Copy details"), self)
        self._choose = QPushButton(self)
        self._other = QPushButton(self)
        self._close = QToolButton(self)
        self._close.setAutoRaise(True)
        self._close.setAccessibleName(tr("Dismiss message"))
        self._close.setToolTip(tr("Dismiss"))
        row = QHBoxLayout(self)
        row.setContentsMargins(14, 4, 10, 4)
        row.setSpacing(10)
        row.addWidget(self._icon)
        row.addWidget(self._label, 1)
        for widget in (self._more, self._copy, self._choose, self._other, self._close):
            row.addWidget(widget)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self.dismiss)
        self._close.clicked.connect(self.dismiss)
        self._copy.clicked.connect(self._copy_details)
        self._choose.clicked.connect(self._on_choose_clicked)
        self._other.clicked.connect(self._on_other_clicked)
        self._update()

    @property
    def current(self) -> Message | None:
        """The message on show."""
        return self._queue[0] if self._queue else None

    @property
    def messages(self) -> tuple[Message, ...]:
        """All that wait, the one on show first."""
        return tuple(self._queue)

    def say(self, level: str, text: str, remedy: str = "", details: str = "") -> None:
        """Show a message; the same one twice is shown once, and a newer information replaces an older."""
        self._add(Message(cast("Level", level), text, remedy, details))

    def offer(self, text: str, remedy: str, choices: tuple[Choice, ...], level: Level = "error") -> None:
        """Show a message with buttons for one or two ways out, a menu of more; a choice ends the message."""
        self._add(Message(level, text, remedy, choices=choices))

    def stand(self, text: str, remedy: str) -> None:
        """Say what is wrong with what is on view, in the place of what was before; no text: no longer."""
        if not text and self._standing is None:
            return
        self._queue = [message for message in self._queue if message is not self._standing]
        self._standing = Message("error", text, remedy) if text else None
        if self._standing is not None:
            self._queue.insert(0, self._standing)
        self._update()

    def _add(self, new: Message) -> None:
        kept = [m for m in self._queue if m != new and not (new.level == "info" and m.level == "info")]
        self._queue = [new, *kept]  # what a person has just done is answered at once
        self._update()

    def say_caught(self, caught: Caught) -> None:
        """Say that the program made a mistake, and that nothing is lost; the same mistake has one message."""
        what = tr("Something went wrong inside Askew ({})").format(caught.text)
        if caught.count > 1:
            what = tr("{}, {} times so far").format(what, caught.count)
        remedy = tr("Your experiment is kept; please report this with its details")
        choices = () if self.rescue is None else (self.rescue,)
        new = Message("error", what, remedy, caught.details, choices)
        old = self._caught.pop(caught.place, None)
        self._queue = [message for message in self._queue if message is not old]
        self._caught[caught.place] = new
        while len(self._caught) > MAX_CAUGHT:
            oldest = self._caught.pop(next(iter(self._caught)))
            self._queue = [message for message in self._queue if message is not oldest]
        self._add(new)

    def dismiss(self) -> None:
        """Take the message on show away; the next one follows."""
        del self._queue[:1]
        self._update()

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.PaletteChange and self._queue:
            QTimer.singleShot(0, self, self._dress)
        super().changeEvent(event)

    def _update(self) -> None:
        message = self.current
        self._timer.stop()
        self.setVisible(message is not None)
        if message is None:
            return
        if message.level == "info":
            self._timer.start(INFO_SECONDS * 1000)
        self._label.setText(message.line)
        self._label.setAccessibleName(f"{_spoken(message.level)}: {message.line}")
        others = len(self._queue) - 1
        self._more.setText(tr("{} more").format(others))
        self._more.setVisible(others > 0)
        self._copy.setVisible(bool(message.details))
        self._choose.setVisible(bool(message.choices))
        self._other.setVisible(len(message.choices) == 2)
        if message.choices:
            many = len(message.choices) > 2
            self._choose.setText(tr("Choose…") if many else plain_button_text(message.choices[0][0]))
            self._other.setText(plain_button_text(message.choices[-1][0]))
        self._dress()

    def _dress(self) -> None:
        if self.current is None:
            return
        colours, level = theme.tokens(QGuiApplication.palette()), self.current.level
        surface, ink = getattr(colours, f"{level}_surface"), getattr(colours, level)
        palette = QPalette(QGuiApplication.palette())
        palette.setColor(QPalette.ColorRole.Window, surface)
        palette.setColor(QPalette.ColorRole.WindowText, ink)
        if self.palette() != palette:
            self.setPalette(palette)
        for label in (self._label, self._more):
            label.setPalette(palette)
        self._icon.setPixmap(theme.icon(level, ink).pixmap(18, 18))
        self._close.setIcon(theme.icon("close", ink))

    def choice_menu(self) -> QMenu:
        """Return the menu of the ways out of the message on show."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for text, run in self.current.choices if self.current else ():
            menu.addAction(plain_button_text(text)).triggered.connect(partial(self._take, run))
        return menu

    def _on_choose_clicked(self) -> None:
        if self.current is None:
            return
        if len(self.current.choices) <= 2:
            self._take(self.current.choices[0][1])
        else:
            self.choice_menu().popup(self._choose.mapToGlobal(self._choose.rect().bottomLeft()))

    def _on_other_clicked(self) -> None:
        if self.current is not None:
            self._take(self.current.choices[-1][1])

    def _take(self, run: Callable[[], object], _checked: bool = False) -> None:
        self.dismiss()
        run()

    def _copy_details(self) -> None:
        if self.current is not None:
            QGuiApplication.clipboard().setText(self.current.details)


def _spoken(level: Level) -> str:
    """Return how a screen reader begins a message."""
    return {"info": tr("Information"), "warning": tr("Warning"), "error": tr("Error")}[level]
