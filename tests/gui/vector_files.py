"""Small vector files to open in the window, and what became of one that was opened."""

from __future__ import annotations

from typing import TYPE_CHECKING
from zipfile import ZipFile

from askew_gui.dialogs.vectors_question import QuestionDialog

if TYPE_CHECKING:
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from askew_gui.store import Store
    from askew_gui.window import Window

WORDS = ("the", "animal", "cat", "dog")


def lines(dim: int = 7, words: tuple[str, ...] = WORDS) -> list[str]:
    return [
        " ".join([word, *(f"{(i + 1) * (j + 1) / 10}" for j in range(dim))]) for i, word in enumerate(words)
    ]


def text_file(folder: Path, name: str = "mine.txt", rows: list[str] | None = None) -> Path:
    file = folder / name
    file.write_text("\n".join(rows or lines()) + "\n", encoding="utf-8")
    return file


def two_in_a_zip(folder: Path) -> Path:
    with ZipFile(folder / "two.zip", "w") as archive:
        for name, dim in (("toy.6d.txt", 6), ("toy.9d.txt", 9)):
            archive.writestr(name, "\n".join(lines(dim)) + "\n")
    return folder / "two.zip"


def question(window: Window, qtbot: QtBot) -> QuestionDialog:
    """Wait for the question and return it."""
    found: list[QuestionDialog] = []

    def is_there() -> bool:
        found[:] = [each for each in window.findChildren(QuestionDialog) if each.isVisible()]
        return bool(found)

    qtbot.waitUntil(is_there, timeout=5000)
    return found[0]


def settled(store: Store, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: store.jobs.idle, timeout=5000)


def message(window: Window) -> str:
    return window.messages.current.line if window.messages.current else ""
