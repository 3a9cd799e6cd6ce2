"""What the menus and keys do, each a function of the window it is done in."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from PySide6.QtWidgets import QApplication, QLabel, QLineEdit, QPlainTextEdit, QTextEdit, QToolTip

from askew_gui import intents
from askew_gui.i18n import tr
from askew_gui.tabs import focus_is_inside

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from askew.experiment import Quantity, Stretch
    from askew.heads import Part
    from askew_gui.panels.weights import WeightsPanel
    from askew_gui.theme import ThemeName
    from askew_gui.window import Window

TEXT_STEP = 1.1


def has_maps(window: Window) -> bool:
    """Tell whether there is anything to look at, to copy or to export."""
    return bool(window.store.evaluation.tokens)


def undo(window: Window) -> None:
    """Take the last step back."""
    window.store.undo()


def redo(window: Window) -> None:
    """Do the next step again."""
    window.store.redo()


def copy(window: Window) -> None:
    """Copy the selected text if there is any, the numbers if the weights have the focus, else the maps."""
    focus = QApplication.focusWidget()
    text = _selected_text(focus)
    if text:
        QApplication.clipboard().setText(text)
    elif window.weights is not None and focus_is_inside(window.weights.table, focus):
        window.weights.table.copy()
    else:
        copy_maps(window)


def copy_maps(window: Window) -> None:
    """Copy the three maps as a picture and as a table."""
    from askew_gui.export import clipboard

    if has_maps(window):
        clipboard.copy_maps(window.store.evaluation)
        place = window.maps.mapToGlobal(window.maps.rect().center())
        QToolTip.showText(place, tr("Copied as a picture and as a table"), window.maps)


def paste(window: Window) -> None:
    """Paste a table into the weights, or text into a field."""
    focus = QApplication.focusWidget()
    if isinstance(focus, QLineEdit):
        focus.paste()
    elif window.weights is not None and _takes_a_table(window.weights, focus):
        window.weights.table.paste()


def can_paste(window: Window) -> bool:
    """Tell whether the focus is where something can be pasted."""
    focus = QApplication.focusWidget()
    return isinstance(focus, QLineEdit) or _takes_a_table(window.weights, focus)


def go_to_sentence(window: Window) -> None:
    """Put the cursor into the sentence, all of it selected."""
    window.sentence.edit.setFocus()
    window.sentence.edit.selectAll()


def new_session(window: Window) -> None:
    """Begin anew."""
    window.sessions.new()


def open_anything(window: Window) -> None:
    """Ask for a file of any kind and open it."""
    from askew_gui.dialogs.session_dialogs import ask_what_to_open

    ask_what_to_open(window, window.settings, window.open_file)


def save_session(window: Window) -> None:
    """Save the session, or ask for a file if it has none."""
    window.sessions.save()


def can_save_session(window: Window) -> bool:
    """Tell whether the file of the session does not hold what is shown."""
    return window.sessions.modified or not window.sessions.path


def save_session_as(window: Window) -> None:
    """Ask where to save the session."""
    window.sessions.save_as()


def open_vectors(window: Window) -> None:
    """Ask for a vector file and open it."""
    window.vector_files.ask_for_file()


def show_vectors_report(window: Window) -> None:
    """Show what was found wrong in the vectors in use."""
    window.vector_files.show_report()


def save_vectors(window: Window) -> None:
    """Ask where to save the vectors in use, and do it."""
    window.vector_files.save()


def can_save_vectors(window: Window) -> bool:
    """Tell whether all rows of the vectors in use can be had at once."""
    return window.store.vectors.searchable


def train_vectors(window: Window) -> None:
    """Train vectors on a text."""
    window.vector_files.show_training()


def clear_cache(window: Window) -> None:
    """Ask whether to remove what was kept of big vector files, and do it."""
    from askew_gui.dialogs.clear_cache import ask_and_clear

    ask_and_clear(window, window.store)


def export(window: Window) -> None:
    """Ask how, then write a picture."""
    from askew_gui.dialogs.export import ask_and_export

    ask_and_export(window, window.store, window.settings)


def export_numbers(window: Window) -> None:
    """Ask which numbers, as what and where, and write them."""
    from askew_gui.dialogs.export_numbers import ask_and_export

    ask_and_export(window, window.store, window.settings)


def export_report(window: Window) -> None:
    """Ask where, and write a page about what is shown."""
    from askew_gui.dialogs.export_report import ask_and_export

    ask_and_export(window, window.store, window.settings)


def show_quantity(window: Window, quantity: Quantity) -> None:
    """Show patterns, scores or cosines in all maps."""
    intents.set_field(window.store, "quantity", quantity, tr("showing {}").format(quantity))


def compare_as(window: Window, mode: str) -> None:
    """Choose how the difference is made comparable."""
    intents.set_field(window.store, "compare", mode, tr("comparing {}").format(mode))


def stretch_to(window: Window, stretch: Stretch) -> None:
    """Choose the range of the colours of patterns."""
    intents.set_field(window.store, "stretch", stretch, tr("range of the colours"))


def toggle_unknown(window: Window) -> None:
    """Keep words without a vector in the maps, or leave them out."""
    keep = window.store.experiment.unknown == "drop"
    label = tr("keeping unknown words") if keep else tr("leaving out unknown words")
    intents.set_field(window.store, "unknown", "keep" if keep else "drop", label)


def set_theme(window: Window, name: ThemeName) -> None:
    """Dress the program."""
    window.set_theme(name)


def larger_text(window: Window) -> None:
    """Make all text larger."""
    window.set_text_scale(window.settings.text_scale * TEXT_STEP)


def smaller_text(window: Window) -> None:
    """Make all text smaller."""
    window.set_text_scale(window.settings.text_scale / TEXT_STEP)


def normal_text(window: Window) -> None:
    """Go back to the usual size of text."""
    window.set_text_scale(1.0)


def present(window: Window) -> None:
    """Fill the screen with the sentence and the maps, or go back."""
    window.set_presenting(not window.presenting)


def reset_layout(window: Window) -> None:
    """Lay the window out as on the first day."""
    window.arrangement.reset()


def use_bundled(window: Window, name: str) -> None:
    """Use vectors that come with the program."""
    intents.open_vectors(window.store, name)


def apply_example(window: Window, name: str) -> None:
    """Show an example, and what to look at in it."""
    intents.apply_example(window.store, name)
    window.example_strip.open_again()


def randomize(window: Window) -> None:
    """Draw all heads that are not locked from a new seed."""
    intents.randomize(window.store)


def randomize_selected(window: Window) -> None:
    """Draw the selected heads from a new seed."""
    intents.randomize(window.store, heads=window.store.experiment.selected)


def randomize_part(window: Window, part: str) -> None:
    """Draw one matrix of every head that is not locked from a new seed."""
    intents.randomize(window.store, parts=(cast("Part", part),))


def exchange(window: Window) -> None:
    """Exchange W_q and W_k of the selected head."""
    intents.exchange(window.store, selected(window))


def copy_head(window: Window) -> None:
    """Keep the selected head for pasting."""
    intents.copy_head(window.store, selected(window))


def paste_head(window: Window) -> None:
    """Put the copied head in the place of the selected one."""
    intents.paste_head(window.store, selected(window))


def toggle_lock(window: Window) -> None:
    """Lock the selected head against randomizing all, or unlock it."""
    intents.toggle_lock(window.store, selected(window))


def reset_head(window: Window) -> None:
    """Draw the selected head again from its recipe."""
    intents.reset(window.store, selected(window))


def step_head(window: Window, step: int) -> None:
    """Select the next or the previous head, round and round."""
    count = len(window.store.experiment.heads)
    intents.select_head(window.store, (selected(window) + step) % count)


def show_keys(window: Window) -> None:
    """Show all keyboard shortcuts."""
    from askew_gui.dialogs.about import show_keys

    show_keys(window)


def about(window: Window) -> None:
    """Show version, libraries and licences."""
    from askew_gui.dialogs.about import show_about

    show_about(window)


def selected(window: Window) -> int:
    """Return the head that commands act on: of several selected, the last."""
    return window.store.experiment.selected[-1]


def _takes_a_table(weights: WeightsPanel | None, focus: QWidget | None) -> bool:
    """Tell whether a table can be pasted: not where sliders stand in its place."""
    return weights is not None and not weights.is_shaping and focus_is_inside(weights, focus)


def _selected_text(focus: QWidget | None) -> str:
    """Return the text that is selected in the widget with the focus."""
    if isinstance(focus, QPlainTextEdit | QTextEdit):
        return focus.textCursor().selection().toPlainText()
    return focus.selectedText() if isinstance(focus, QLineEdit | QLabel) else ""
