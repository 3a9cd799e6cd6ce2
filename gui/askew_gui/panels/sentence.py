"""The sentence, its tokens as chips, and what can be done to a token."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QMenu, QSizePolicy, QToolTip, QVBoxLayout, QWidget

from askew.errors import AskewError
from askew.tokens import TokenEdit
from askew_gui import intents
from askew_gui.i18n import tr
from askew_gui.maps.labels import drawable
from askew_gui.nearest import can_search, look_up, not_yet
from askew_gui.panels.chip_editor import ChipEditor
from askew_gui.panels.chip_texts import chip_lines, count_line, neighbours_line
from askew_gui.panels.chips import ChipStrip
from askew_gui.panels.sentence_edit import SentenceEdit
from askew_gui.widgets.labels import PlainLabel, plain_tooltip

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtGui import QAction

    from askew.experiment import Evaluation, Experiment
    from askew.tokens import Token
    from askew_gui.focus import Focus
    from askew_gui.nearest import Nearest
    from askew_gui.panels.chip_editor import Purpose
    from askew_gui.store import Store

NEIGHBOURS = 6


class SentencePanel(QWidget):
    """The line to type in, the chips below it, and the count of tokens."""

    def __init__(self, store: Store, focus: Focus, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._store = store
        self._focus = focus
        self._rows: dict[int, int] = {}
        self._shown: object = None
        self._explained: tuple[int, QPoint, list[str]] | None = None
        self.edit = SentenceEdit(self)
        self.chips = ChipStrip(self)
        self.count = PlainLabel("", self, tone="muted")
        self.keep = QCheckBox(self)
        self.editor = ChipEditor(self.chips, self)
        self._edited_index = -1
        self._lay_out()
        self.edit.typed.connect(self._on_typed)
        self.edit.shortened.connect(self._on_shortened)
        self.keep.clicked.connect(self._on_keep_clicked)
        self.editor.finished.connect(self._on_editor_finished)
        self.chips.chosen.connect(self.lock_token)
        self.chips.hovered.connect(self._on_chip_hovered)
        self.chips.removed.connect(self.toggle_left_out)
        self.chips.menu_asked.connect(self._show_menu)
        self.chips.explained.connect(self._explain)
        focus.changed.connect(self._mark_focus)
        store.changed.connect(self._on_changed)
        store.evaluated.connect(self._on_evaluated)
        self.edit.show_text(store.experiment.text)
        self._on_evaluated(store.evaluation)

    def _lay_out(self) -> None:
        self.keep.setText(tr("keep unknown"))
        self.keep.setToolTip(tr("Keep words that were not found as empty rows and columns"))
        self.keep.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.count.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.count.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Preferred)
        line = QHBoxLayout()
        line.setSpacing(10)
        side = QHBoxLayout()
        side.setSpacing(12)
        side.setContentsMargins(0, 3, 0, 0)
        side.addWidget(self.keep)
        side.addWidget(self.count)
        upper = QVBoxLayout()
        upper.addLayout(side)
        upper.addStretch(1)
        line.addWidget(self.chips, 1)
        line.addLayout(upper)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(14, 9, 14, 7)
        layout.setSpacing(7)
        layout.addWidget(self.edit)
        layout.addLayout(line)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)

    # What the person does

    def lock_token(self, index: int) -> None:
        """Lock the row of a token in the maps, or unlock it."""
        row = self._rows.get(index)
        if row is None:
            return
        whole_row = (row, -1)
        self._focus.lock(None if self._focus.locked == whole_row else whole_row)

    def toggle_left_out(self, index: int) -> None:
        """Leave a token out of the maps, or take it in again."""
        token = self.chips.tokens[index]
        if token.special:
            what = tr("{} stands for no text and cannot be left out alone").format(token.text)
            self._store.say("info", what, tr("Choose Without special tokens in its menu"))
            return
        leave_out = TokenEdit(token.start, token.end, "leave-out")
        if token.left_out:
            self._restore(token, leave_out)
        else:
            self._edit_token(leave_out, tr("leaving out {}").format(token.text))

    def start_replacing(self, index: int) -> None:
        """Open the field for another word over a chip."""
        self._open_editor(index, "replace")

    def start_splitting(self, index: int) -> None:
        """Open the field in which a blank says where to split."""
        self._open_editor(index, "split")

    def join_with_next(self, index: int) -> None:
        """Make one token of this and the next."""
        first, second = self.chips.tokens[index : index + 2]
        edit = TokenEdit(first.start, second.end, "join")
        self._edit_token(edit, tr("joining {} and {}").format(first.text, second.text))

    def undo_edits(self, index: int) -> None:
        """Take back what was done to a token."""
        token = self.chips.tokens[index]
        self._drop_edits(token)

    def menu_for(self, index: int) -> QMenu:
        """Return the menu of a chip; the caller shows and ends it."""
        token = self.chips.tokens[index]
        menu = QMenu(self)
        if token.special:
            menu.addAction(tr("Without special tokens")).triggered.connect(self._drop_specials)
            return menu
        single = not token.left_out
        leave = tr("Take in again") if token.left_out else tr("Leave out")
        self._add(menu, leave, self.toggle_left_out, index)
        self._add(menu, tr("Replace…"), self.start_replacing, index).setEnabled(single)
        can_split = single and self._is_verbatim(token) and token.end - token.start > 1
        self._add(menu, tr("Split…"), self.start_splitting, index).setEnabled(can_split)
        following = self.chips.tokens[index + 1 : index + 2]
        more = single and bool(following) and not following[0].special
        self._add(menu, tr("Join with next"), self.join_with_next, index).setEnabled(more)
        menu.addSeparator()
        undo = self._add(menu, tr("Undo changes of this token"), self.undo_edits, index)
        undo.setEnabled(index in _edited_indexes(self._store.evaluation))
        return menu

    # What changed

    def _on_changed(self, _old: Experiment, new: Experiment) -> None:
        self.edit.show_text(new.text)

    def _on_evaluated(self, evaluation: Evaluation) -> None:
        shown = (evaluation.sentence, evaluation.experiment.edits, evaluation.experiment.unknown)
        if shown == self._shown:
            return  # an edit of weights: the chips need not be painted again
        self._shown = shown
        self.editor.hide()
        rows = {token: row for row, token in enumerate(evaluation.tokens)}
        self._rows = {i: rows[token] for i, token in enumerate(evaluation.sentence) if token in rows}
        self.chips.show_tokens(evaluation.sentence, _edited_indexes(evaluation))
        self.count.setText(count_line(evaluation))
        self.count.setToolTip(plain_tooltip(count_line(evaluation, named=100)))
        keeps = evaluation.experiment.unknown == "keep"
        self.keep.setChecked(keeps)
        self.keep.setVisible(keeps or bool(evaluation.unknown))
        self._mark_focus()

    def _mark_focus(self) -> None:
        places = {row: index for index, row in self._rows.items()}
        query, key = self._focus.cell or (-1, -1)
        locked = self._focus.locked or (-1, -1)
        self.chips.mark(places.get(query, -1), places.get(key, -1), places.get(locked[0], -1))

    def _on_typed(self, text: str, key: str) -> None:
        intents.set_text(self._store, text, key or None)

    def _on_shortened(self, length: int) -> None:
        what = tr("The sentence was cut after {} letters").format(f"{length:,}")
        self._store.say("warning", what, tr("Look at a part of the text"))

    def _on_keep_clicked(self, keep: bool) -> None:
        label = tr("keeping unknown words") if keep else tr("leaving out unknown words")
        intents.set_field(self._store, "unknown", "keep" if keep else "drop", label)

    def _drop_specials(self) -> None:
        intents.set_field(self._store, "specials", False, tr("leaving out special tokens"))

    def _on_chip_hovered(self, index: int) -> None:
        row = self._rows.get(index)
        self._focus.hover(None if row is None else (row, -1))

    # The menu and the field over a chip

    def _show_menu(self, index: int, place: QPoint) -> None:
        menu = self.menu_for(index)
        menu.aboutToHide.connect(menu.deleteLater)
        menu.popup(place)

    def _add(self, menu: QMenu, text: str, call: Callable[[int], None], index: int) -> QAction:
        action = menu.addAction(text)
        action.triggered.connect(partial(_call, call, index))
        return action

    def _open_editor(self, index: int, purpose: Purpose) -> None:
        self._edited_index = index
        rect = self.chips.chip_rect(index)
        place = QRect(self.chips.viewport().mapTo(self, rect.topLeft()), rect.size())
        self.editor.open_over(place, purpose, self.chips.tokens[index].text)

    def _on_editor_finished(self, purpose: str, text: str) -> None:
        if not 0 <= self._edited_index < len(self.chips.tokens):
            return
        token = self.chips.tokens[self._edited_index]
        if purpose == "replace":
            self._replace(token, " ".join(text.split()))
        else:
            self._split(token, text)

    def _replace(self, token: Token, text: str) -> None:
        if text and text != token.text:
            edit = TokenEdit(token.start, token.end, "replace", replacement=text)
            label = tr("replacing {} by {}").format(token.text, text)
            self._edit_token(edit, label)

    def _split(self, token: Token, text: str) -> None:
        parts = text.split()
        if len(parts) != 2 or "".join(parts) != token.text:
            what = tr("“{}” was not split").format(drawable(token.text))
            self._store.say("info", what, tr("Put one blank where the second part begins and press Enter"))
            return
        edit = TokenEdit(token.start, token.end, "split", at=token.start + len(parts[0]))
        self._edit_token(edit, tr("splitting {}").format(token.text))

    @property
    def _is_current(self) -> bool:
        """Whether the chips are of the present text: a long one is computed in the background."""
        return self._store.evaluation.experiment.text == self._store.experiment.text

    def _edit_token(self, edit: TokenEdit, label: str) -> None:
        if self._is_current:
            intents.edit_token(self._store, edit, label)

    def _drop_edits(self, token: Token) -> None:
        if self._is_current:
            intents.drop_token_edits(self._store, token.start, token.end)

    def _is_verbatim(self, token: Token) -> bool:
        return self._store.evaluation.experiment.text[token.start : token.end] == token.text

    def _restore(self, token: Token, leave_out: TokenEdit) -> None:
        kept = tuple(e for e in self._store.experiment.edits if e != leave_out)
        if kept == self._store.experiment.edits:  # left out as a part of something larger
            self._drop_edits(token)
        elif self._is_current:
            intents.set_field(self._store, "edits", kept, tr("taking in {}").format(token.text))

    # The tooltip

    def _explain(self, index: int, place: QPoint) -> None:
        token = self.chips.tokens[index]
        vectors = self._store.vectors
        lines = chip_lines(token, vectors, index in _edited_indexes(self._store.evaluation))
        self._explained = (index, place, lines)
        if token.key is None:
            self._show_tooltip(lines)
        elif not can_search(self._store):
            self._show_tooltip([*lines, not_yet()])
        else:
            self._show_tooltip(lines)
            show = partial(self._add_neighbours, index)
            look_up(self._store, [token.key], NEIGHBOURS, "chip", show, _ignore)

    def _add_neighbours(self, index: int, nearest: Nearest) -> None:
        if self._explained is not None and self._explained[0] == index and self.chips.underMouse():
            self._show_tooltip([*self._explained[2], neighbours_line(nearest)])

    def _show_tooltip(self, lines: list[str]) -> None:
        if self._explained is not None:
            QToolTip.showText(self._explained[1], plain_tooltip("\n".join(lines)), self.chips.viewport())


def _ignore(error: Exception) -> None:
    """Leave the tooltip without neighbours; anything but a vector that has none is a mistake of ours."""
    if not isinstance(error, AskewError):
        raise error


def _call(call: Callable[[int], None], index: int, _checked: bool = False) -> None:
    call(index)


def _edited_indexes(evaluation: Evaluation) -> frozenset[int]:
    edits = evaluation.experiment.edits
    return frozenset(
        index
        for index, token in enumerate(evaluation.sentence)
        if any(edit.start < token.end and token.start < edit.end for edit in edits)
    )
