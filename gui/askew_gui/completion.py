"""Words that begin as the one being typed does, offered under the sentence."""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QPoint, Qt, QTimer
from PySide6.QtGui import QKeyEvent

from askew.errors import AskewError
from askew_gui.panels.completion_popup import CompletionPopup

if TYPE_CHECKING:
    from askew.vectors.table import WordVectors
    from askew_gui.jobs import Job
    from askew_gui.panels.sentence_edit import SentenceEdit
    from askew_gui.store import Store

TOPIC = "completion"
PAUSE_MS = 120  # typing goes on before a list is looked for
LEAST = 2  # letters
MOST = 8  # words
_WORD = re.compile(r"[^\W_][\w'’-]*$")
_INSIDE = re.compile(r"[\w'’-]")


class Completion(QObject):
    """Offers completions while a person types; it takes a key only while its list is open.

    Tab takes the marked word or, if none is, the first; arrows mark one, Enter takes what is marked and
    otherwise does what it always does; Esc closes the list. A whole word stands first, so that Tab never
    changes what is complete.
    """

    def __init__(self, edit: SentenceEdit, store: Store, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._edit, self._store = edit, store
        self._prefix = ""
        self._accepting = False
        self.popup = CompletionPopup(edit.window())
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(PAUSE_MS)
        self._pause.timeout.connect(self._look_up)
        self.popup.chosen.connect(self.accept)
        edit.typed.connect(self._on_typed)
        edit.textChanged.connect(self._on_text_changed)
        edit.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Take the keys of the list while it is open."""
        kind = event.type()
        if kind == QEvent.Type.FocusOut or (kind == QEvent.Type.MouseButtonPress and watched is self._edit):
            self.close()
        elif kind == QEvent.Type.KeyPress and isinstance(event, QKeyEvent) and self.popup.isVisible():
            return self._take_key(event)
        return super().eventFilter(watched, event)

    def close(self) -> None:
        """Close the list, and look for none."""
        self._pause.stop()
        self._store.jobs.drop(TOPIC)
        self.popup.hide()

    def accept(self, word: str) -> None:
        """Put the rest of a word behind what was typed of it."""
        self._accepting = True
        self._edit.insert(word[len(self._prefix) :])
        self._accepting = False
        self.close()

    def _take_key(self, event: QKeyEvent) -> bool:
        key = event.key()
        if key in (Qt.Key.Key_Down, Qt.Key.Key_Up):
            self.popup.step(1 if key == Qt.Key.Key_Down else -1)
            return True
        if key == Qt.Key.Key_Tab and event.modifiers() == Qt.KeyboardModifier.NoModifier:
            self.accept(self.popup.marked or self.popup.first)
            return True
        if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.popup.marked:
            self.accept(self.popup.marked)
            return True
        if key == Qt.Key.Key_Escape:
            self.close()
            return True
        if not event.text() and key not in (Qt.Key.Key_Shift, Qt.Key.Key_Control, Qt.Key.Key_Alt):
            self.close()
        return False

    def _on_text_changed(self, _text: str) -> None:
        self.popup.hide()

    def _on_typed(self, text: str, key: str) -> None:
        self._pause.stop()
        if not self._accepting and key.startswith("type") and self._word():
            self._pause.start()

    def _word(self) -> str:
        return word_before(self._edit.text(), self._edit.cursorPosition())

    def _look_up(self) -> None:
        prefix = self._word()
        if prefix and self._edit.hasFocus():
            work = partial(_completions, self._store.vectors, prefix)
            self._store.jobs.submit("compute", work, partial(self._show, prefix), _ignore, topic=TOPIC)

    def _show(self, prefix: str, words: list[str]) -> None:
        if prefix != self._word() or not self._edit.hasFocus() or words in ([], [prefix]):
            return
        self._prefix = prefix
        rect = self._edit.cursorRect()
        left = rect.left() - self._edit.fontMetrics().horizontalAdvance(prefix)
        place = self._edit.mapTo(self._edit.window(), QPoint(left, self._edit.height() - 2))
        self.popup.show_words(words, place)


def word_before(text: str, cursor: int) -> str:
    """Return what is typed so far of the word that ends at the cursor; "" inside a word or for a letter."""
    if cursor < len(text) and _INSIDE.match(text[cursor]):
        return ""
    found = _WORD.search(text[:cursor])
    return found[0] if found is not None and len(found[0]) >= LEAST else ""


def completed(vectors: WordVectors, prefix: str, most: int = MOST) -> list[str]:
    """Return the prefix itself if it is a word, then the most frequent words that begin so.

    As in the sentence, capitals matter only where the table has them; what was typed stays as it is.
    """
    words = [prefix] if prefix in vectors or prefix.lower() in vectors else []
    for beginning in dict.fromkeys((prefix, prefix.lower())):
        # A few more than needed: some cannot be typed, a file may hold some twice.
        found = vectors.completions(beginning, 2 * most)
        words += [prefix + word[len(beginning) :] for word in found if word.isprintable() and " " not in word]
    return list(dict.fromkeys(words))[:most]


def _completions(vectors: WordVectors, prefix: str, _job: Job) -> list[str]:
    return completed(vectors, prefix)


def _ignore(error: Exception) -> None:
    """Offer nothing; anything but a file that cannot be read is a mistake of ours."""
    if not isinstance(error, AskewError):
        raise error
