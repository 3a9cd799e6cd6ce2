"""Opening vector files in the window: questions and answers, Cancel, broken files, the dialog."""

from __future__ import annotations

import gzip
from typing import TYPE_CHECKING

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QCheckBox, QLineEdit, QRadioButton
from tests.gui.vector_files import WORDS, lines, message, question, settled, text_file, two_in_a_zip

from askew.vectors.options import Options
from askew_gui.dialogs.open_vectors import OpenVectorsDialog
from askew_gui.dialogs.vectors_question import QuestionDialog
from askew_gui.opening_questions import question_of

if TYPE_CHECKING:
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from askew_gui.store import Store
    from askew_gui.window import Window


# Questions


def test_a_zip_asks_which_of_its_files_and_opens_the_one_that_is_marked(
    window: Window, store: Store, qtbot: QtBot, tmp_path: Path
) -> None:
    window.open_file(str(two_in_a_zip(tmp_path)))
    dialog = question(window, qtbot)
    buttons = dialog.findChildren(QRadioButton)
    assert [button.text() for button in buttons] == ["toy.6d.txt", "toy.9d.txt"]
    assert [button.isChecked() for button in buttons] == [True, False]
    assert "2 files" in dialog.what.text()
    qtbot.mouseClick(buttons[1], Qt.MouseButton.LeftButton)
    with qtbot.waitSignal(store.changed, timeout=5000):
        qtbot.mouseClick(dialog.open_button, Qt.MouseButton.LeftButton)
    assert store.vectors.dim == 9
    assert store.vectors.name == "toy.9d.txt"


def test_enter_takes_the_default_and_arrows_another(
    window: Window, store: Store, qtbot: QtBot, tmp_path: Path
) -> None:
    window.open_file(str(two_in_a_zip(tmp_path)))
    dialog = question(window, qtbot)
    qtbot.keyClick(dialog.group.button(0), Qt.Key.Key_Down)
    with qtbot.waitSignal(store.changed, timeout=5000):
        qtbot.keyClick(dialog, Qt.Key.Key_Return)
    assert store.vectors.dim == 9


def test_cancel_of_a_question_leaves_the_old_vectors(
    window: Window, store: Store, qtbot: QtBot, tmp_path: Path
) -> None:
    before = store.experiment
    window.open_file(str(two_in_a_zip(tmp_path)))
    qtbot.keyClick(question(window, qtbot), Qt.Key.Key_Escape)
    settled(store, qtbot)
    assert store.experiment is before
    assert window.settings.recent == []
    assert QApplication.activeModalWidget() is None


def test_a_later_file_wins_over_a_question_that_is_still_open(
    window: Window, store: Store, qtbot: QtBot, tmp_path: Path
) -> None:
    window.open_file(str(two_in_a_zip(tmp_path)))
    question(window, qtbot)
    with qtbot.waitSignal(store.changed, timeout=5000):
        window.open_file(str(text_file(tmp_path)))
    assert store.vectors.name == "mine.txt"
    assert QApplication.activeModalWidget() is None


def test_damaged_lines_are_left_out_if_asked(
    window: Window, store: Store, qtbot: QtBot, tmp_path: Path
) -> None:
    rows = lines()
    rows[2] = "cat 1 2 3"
    window.open_file(str(text_file(tmp_path, rows=rows)))
    dialog = question(window, qtbot)
    assert dialog.what.text().startswith("Line 3: ")
    assert "3 numbers, the others have 7" in dialog.what.text()
    assert "--" not in dialog.what.text()
    with qtbot.waitSignal(store.changed, timeout=5000):
        qtbot.mouseClick(dialog.open_button, Qt.MouseButton.LeftButton)
    assert list(store.vectors) == ["the", "animal", "dog"]
    assert window.messages.current is not None
    assert window.messages.current.level == "warning"
    assert [text for text, _ in window.messages.current.choices] == ["Show report"]


def test_a_header_with_a_wrong_number_offers_the_number_of_the_lines(
    window: Window, store: Store, qtbot: QtBot, tmp_path: Path
) -> None:
    file = text_file(tmp_path, rows=["3 5", "red 0.5 1 2 3", "sky 0 0.75 1 2", "tree 1 2 3 4"])
    window.open_file(str(file))
    dialog = question(window, qtbot)
    assert dialog.what.text() == "Line 1 says 5 numbers per word, line 2 has 4."
    assert dialog.open_button.text() == "Read 4 numbers per word"
    with qtbot.waitSignal(store.changed, timeout=5000):
        qtbot.mouseClick(dialog.open_button, Qt.MouseButton.LeftButton)
    assert list(store.vectors) == ["red", "sky", "tree"]
    assert store.vectors.dim == 4
    assert "line 1 says 5 numbers per word, but the lines have 4" in message(window)


def test_a_matrix_without_words_asks_for_the_file_with_them(
    window: Window, store: Store, qtbot: QtBot, tmp_path: Path
) -> None:
    np.save(tmp_path / "matrix.npy", np.arange(12, dtype=np.float32).reshape(4, 3))
    (tmp_path / "elsewhere.lst").write_text("\n".join(WORDS) + "\n")
    window.open_file(str(tmp_path / "matrix.npy"))
    dialog = question(window, qtbot)
    assert dialog.browse.isVisible()
    assert "4 rows" in dialog.what.text()
    with qtbot.waitSignal(store.changed, timeout=5000):
        dialog.take_words(str(tmp_path / "elsewhere.lst"))
    assert store.vectors.dim == 3
    assert list(store.vectors) == list(WORDS)


def test_of_several_lists_beside_a_matrix_one_is_chosen(
    window: Window, store: Store, qtbot: QtBot, tmp_path: Path
) -> None:
    np.save(tmp_path / "m.npy", np.arange(12, dtype=np.float32).reshape(4, 3))
    (tmp_path / "m_vocab.txt").write_text("\n".join(WORDS) + "\n")
    (tmp_path / "m_words.txt").write_text("a\nb\nc\nd\n")
    window.open_file(str(tmp_path / "m.npy"))
    dialog = question(window, qtbot)
    dialog.group.button(1).click()
    with qtbot.waitSignal(store.changed, timeout=5000):
        qtbot.keyClick(dialog, Qt.Key.Key_Return)
    assert list(store.vectors) == ["a", "b", "c", "d"]


def test_a_broken_archive_is_a_message_that_names_it(
    window: Window, store: Store, qtbot: QtBot, tmp_path: Path
) -> None:
    whole = gzip.compress("\n".join(lines(50)).encode())
    (tmp_path / "cut.txt.gz").write_bytes(whole[: len(whole) // 2])
    before = store.experiment
    window.open_file(str(tmp_path / "cut.txt.gz"))
    qtbot.waitUntil(lambda: bool(message(window)), timeout=5000)
    assert "cut.txt.gz" in message(window)
    assert "incomplete" in message(window)
    assert store.experiment is before


def test_names_of_any_script_and_long_paths_open(
    window: Window, store: Store, qtbot: QtBot, tmp_path: Path
) -> None:
    folder = tmp_path / "Usuário" / ("x" * 120) / ("y" * 120)
    folder.mkdir(parents=True)
    file = text_file(folder, "Ünï 文件 (1).vec")
    with qtbot.waitSignal(store.changed, timeout=5000):
        window.open_file(str(file))
    assert store.vectors.name == "Ünï 文件 (1).vec"
    assert window.settings.recent == [str(file)]


@pytest.mark.parametrize("language", ["de", "en"])
def test_a_question_of_languages_names_them_and_marks_english(language: str) -> None:
    from askew.vectors import ChoiceNeededError

    error = ChoiceNeededError("two languages", flag="--language", choices=("fr", language), where="nb.txt")
    asked = question_of(error, "nb.txt", Options())
    assert asked is not None
    assert asked.answers[0].text == "French (fr)"
    assert asked.answers[1].options == Options(language=language)
    assert asked.default == (1 if language == "en" else 0)


def test_no_dialog_is_left_over(window: Window, store: Store, qtbot: QtBot, tmp_path: Path) -> None:
    window.open_file(str(two_in_a_zip(tmp_path)))
    qtbot.keyClick(question(window, qtbot), Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: not window.findChildren(QuestionDialog), timeout=2000)
    assert QApplication.activeModalWidget() is None


# The dialog


def test_the_open_dialog_reads_the_first_words_only_if_asked(
    window: Window, store: Store, qtbot: QtBot, tmp_path: Path
) -> None:
    file = text_file(tmp_path)
    window.settings.folder = str(tmp_path)
    window.actions_table["open-vectors"].trigger()
    dialog = window.findChildren(OpenVectorsDialog)[0]
    assert dialog.isVisible()
    assert not dialog.count.isEnabled()
    box = dialog.findChildren(QCheckBox)[0]
    assert box is dialog.only_first
    box.click()
    dialog.count.setValue(2)
    dialog.findChildren(QLineEdit)[0].setText(str(file))
    with qtbot.waitSignal(store.changed, timeout=5000):
        dialog.accept()
    assert list(store.vectors) == ["the", "animal"]
    assert window.settings.folder == str(tmp_path)
    assert window.vector_files.part_in_use == "first 2 words only"


def test_cancel_of_the_open_dialog_does_nothing(window: Window, store: Store, qtbot: QtBot) -> None:
    window.actions_table["open-vectors"].trigger()
    dialog = window.findChildren(OpenVectorsDialog)[0]
    qtbot.keyClick(dialog, Qt.Key.Key_Escape)
    assert not dialog.isVisible()
    assert store.jobs.idle
