"""Version, libraries and licences; and the sheet of keyboard shortcuts."""

from __future__ import annotations

import platform
from importlib import metadata
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QHBoxLayout,
    QLabel,
    QPlainTextEdit,
    QVBoxLayout,
    QWidget,
)

import askew_assets
from askew_gui import theme
from askew_gui.fonts import mono_font
from askew_gui.i18n import tr
from askew_gui.widgets.labels import PlainLabel

if TYPE_CHECKING:
    from askew_gui.window import Window

LIBRARIES = ("numpy", "PySide6-Essentials", "pyqtgraph", "gensim", "safetensors", "regex", "click")


class TextDialog(QDialog):
    """A picture and a title above a plain text that can be selected and copied."""

    def __init__(self, title: str, text: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(title)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.resize(720, 560)
        self.text = QPlainTextEdit(text, self)
        self.text.setReadOnly(True)
        self.text.setFont(mono_font(0.95))
        self.text.setAccessibleName(title)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close, self)
        buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.setSpacing(10)
        layout.addWidget(self.text, 1)
        layout.addWidget(buttons)

    def add_heading(self, heading: str, line: str) -> None:
        """Put the program's icon, a heading and a line above the text."""
        picture = QLabel(self)
        picture.setPixmap(theme.app_icon().pixmap(48, 48))
        title = PlainLabel(heading, self, bold=True)
        words = QVBoxLayout()
        words.setSpacing(2)
        words.addWidget(title)
        words.addWidget(PlainLabel(line, self, tone="muted"))
        row = QHBoxLayout()
        row.setSpacing(12)
        row.addWidget(picture)
        row.addLayout(words, 1)
        box = self.layout()
        if isinstance(box, QVBoxLayout):
            box.insertLayout(0, row)


def about_dialog(parent: QWidget | None = None) -> TextDialog:
    """Return the window with version, libraries and licences."""
    dialog = TextDialog(tr("About Askew"), licence_text(), parent)
    dialog.add_heading(
        f"Askew {version_of('askew')}",
        tr("See and change what W_q, W_k and W_v do to real word vectors, head by head"),
    )
    return dialog


def show_about(window: Window) -> None:
    """Show version, libraries and licences."""
    about_dialog(window).open()


def show_keys(window: Window) -> None:
    """Show every shortcut that there is."""
    dialog = TextDialog(tr("Keyboard"), keys_text(window), window)
    dialog.open()


def keys_text(window: Window) -> str:
    """Return the shortcuts by menu, then what works in the sentence, the tokens and the maps."""
    lines: list[str] = []
    menu = ""
    for spec in window.actions_table.specs:
        if not spec.keys:
            continue
        if spec.menus[0].partition("/")[0] != menu:
            menu = spec.menus[0].partition("/")[0]
            lines += ["", tr(menu)]
        lines.append(f"  {', '.join(spec.keys):<24}{spec.text.replace('&', '')}")
    for title, keys in _more_keys():
        lines += ["", title, *(f"  {key:<24}{what}" for key, what in keys)]
    return "\n".join(lines[1:])


def licence_text() -> str:
    """Return the versions of what runs here, and every licence that comes with the program."""
    versions = [f"Python {platform.python_version()}", *(f"{name} {version_of(name)}" for name in LIBRARIES)]
    parts = ["\n".join(versions), trained_note()]
    own = _own_notices()
    if own:
        parts.append(own)
    for folder in ("licences", "fonts"):
        files = sorted(askew_assets.path(folder).glob("*.txt"))
        parts += [f"{file.stem}\n\n{file.read_text(encoding='utf-8')}" for file in files]
    return f"\n\n{'=' * 72}\n\n".join(part.strip() for part in parts)


def trained_note() -> str:
    """Return where the bundled trained layer comes from, and what its model card says of its data."""
    return tr(
        "The trained layer and its words are layer 0 of all-MiniLM-L6-v2 (sentence-transformers), published\n"
        "under Apache-2.0. Its model card lists MS MARCO, whose terms are for non-commercial research,\n"
        "among the data it was fine-tuned on."
    )


def version_of(name: str) -> str:
    """Return the version of an installed distribution, or "" for one that is not."""
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return ""


def _own_notices() -> str:
    """Return the licence and the notices that the installed program carries."""
    try:
        files = metadata.files("askew") or []
    except metadata.PackageNotFoundError:
        return ""
    texts = [file.read_text() for file in files if file.name in ("LICENSE", "THIRD-PARTY.md")]
    return "\n\n".join(text.strip() for text in texts)


def _more_keys() -> tuple[tuple[str, tuple[tuple[str, str], ...]], ...]:
    return (
        (
            tr("In the sentence"),
            (
                (tr("Enter, Esc"), tr("go to the maps")),
                ("Ctrl+Z", tr("undo the experiment, not the field")),
                (tr("Tab"), tr("take the first word of the list, or the one that is marked")),
                (tr("Down, Up"), tr("mark a word of the list; Enter takes it, Esc closes the list")),
            ),
        ),
        (
            tr("On the tokens"),
            (
                (tr("Arrows"), tr("go from token to token")),
                (tr("Enter, Space"), tr("lock the token's row")),
                (tr("Delete"), tr("leave the token out, or take it in again")),
                (tr("Menu, Shift+F10"), tr("replace, split, join")),
            ),
        ),
        (tr("On the maps"), ((tr("Arrows"), tr("go from cell to cell")),)),
        (tr("Anywhere"), ((tr("Ctrl+wheel"), tr("size of the text")),)),
    )
