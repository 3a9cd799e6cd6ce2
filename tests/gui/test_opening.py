"""Opening vector files in the window: questions and answers, Cancel, the dialog, recent files."""

from __future__ import annotations

import gzip
import threading
from pathlib import Path
from typing import TYPE_CHECKING
from zipfile import ZipFile

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QCheckBox, QLineEdit, QMenu, QRadioButton

from askew.errors import AskewError, VectorsError
from askew.vectors import WordVectors
from askew.vectors.options import Options
from askew_gui import intents, opening
from askew_gui.context_menus import fill_recent
from askew_gui.dialogs.open_vectors import OpenVectorsDialog
from askew_gui.dialogs.vectors_question import QuestionDialog
from askew_gui.opening_questions import question_of
from askew_gui.panels.vectors_status import VectorsStatus

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from askew_gui.jobs import Job
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


# Recent files


def test_a_recent_file_opens_with_the_answers_that_were_given(
    window: Window, store: Store, qtbot: QtBot, tmp_path: Path
) -> None:
    with qtbot.waitSignal(store.changed, timeout=5000):
        window.vector_files.open(str(two_in_a_zip(tmp_path)), Options(member="toy.9d.txt", limit=3))
    store.undo()
    menu = QMenu(window)
    fill_recent(window, menu)
    assert [action.text() for action in menu.actions()] == ["two.zip · toy.9d.txt · first 3"]
    with qtbot.waitSignal(store.changed, timeout=5000):
        menu.actions()[0].trigger()
    assert (len(store.vectors), store.vectors.dim) == (3, 9)


def test_a_recent_file_that_is_gone_is_said_and_can_be_taken_off_the_list(
    window: Window, store: Store, qtbot: QtBot, tmp_path: Path
) -> None:
    file = text_file(tmp_path)
    with qtbot.waitSignal(store.changed, timeout=5000):
        window.open_file(str(file))
    file.unlink()
    window.vector_files.open_recent(str(file))
    qtbot.waitUntil(lambda: "not there any more" in message(window), timeout=5000)
    assert "mine.txt" in message(window)
    assert store.vectors.name == "mine.txt"
    qtbot.mouseClick(window.messages._choose, Qt.MouseButton.LeftButton)
    assert window.settings.recent == []


def test_two_members_of_one_archive_are_two_tables_and_undo_tells_them_apart(
    window: Window, store: Store, qtbot: QtBot, tmp_path: Path
) -> None:
    path = str(two_in_a_zip(tmp_path))
    for member in ("toy.6d.txt", "toy.9d.txt"):
        with qtbot.waitSignal(store.changed, timeout=5000):
            window.vector_files.open(path, Options(member=member))
    store.undo()
    assert store.vectors.dim == 6
    assert store.evaluation.x.shape[1] == 6


def test_of_a_file_with_a_header_the_panel_says_how_many_there_are(
    window: Window, store: Store, qtbot: QtBot, tmp_path: Path
) -> None:
    file = text_file(tmp_path, rows=["3 4", "red 0.5 1 2 3", "sky 0 0.75 1 2", "tree 1 2 3 4"])
    part = window.heads.findChildren(VectorsStatus)[0].part
    with qtbot.waitSignal(store.changed, timeout=5000):
        window.vector_files.open(str(file), Options(limit=2))
    assert list(store.vectors) == ["red", "sky"]
    assert part.isVisible()
    assert part.whole_text == "first 2 of 3 words"
    store.undo()
    assert not part.isVisible()


def test_fewer_words_of_the_same_file_are_another_table(
    window: Window, store: Store, qtbot: QtBot, tmp_path: Path
) -> None:
    path = str(text_file(tmp_path))
    for limit in (None, 2):
        with qtbot.waitSignal(store.changed, timeout=5000):
            window.vector_files.open(path, Options(limit=limit))
    assert len(store.vectors) == 2
    store.undo()
    assert len(store.vectors) == 4


def test_no_dialog_is_left_over(window: Window, store: Store, qtbot: QtBot, tmp_path: Path) -> None:
    window.open_file(str(two_in_a_zip(tmp_path)))
    qtbot.keyClick(question(window, qtbot), Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: not window.findChildren(QuestionDialog), timeout=2000)
    assert QApplication.activeModalWidget() is None


# The first words of a big file


class Reader:
    """Stands for the reading of a big file: hands over its first words, then waits for what the test says."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.go_on = threading.Event()
        self.error: AskewError | None = None
        self.table = table(WORDS[:2])
        self.table.source = (Path("big.txt"), Options())
        monkeypatch.setattr(opening, "_open", self._open)

    def _open(self, _path: str, _options: dict[str, object], job: Job) -> WordVectors:
        job.hand_over(self.table)
        while not self.go_on.wait(0.01):
            job.check()
        if self.error is not None:
            raise self.error
        whole = table(WORDS)
        self.table.grow(whole)
        return self.table


def table(words: tuple[str, ...]) -> WordVectors:
    numbers = np.arange(1, 1 + 3 * len(words), dtype=np.float32).reshape(-1, 3)
    return WordVectors.from_arrays(words, numbers, name="big.txt")


@pytest.fixture
def reader(monkeypatch: pytest.MonkeyPatch) -> Reader:
    return Reader(monkeypatch)


def begun(window: Window, store: Store, qtbot: QtBot) -> None:
    """Open the file, until its first words are in use."""
    with qtbot.waitSignal(store.changed, timeout=5000):
        window.open_file("big.txt")


def test_the_first_words_are_on_screen_while_the_rest_is_read(
    window: Window, store: Store, qtbot: QtBot, reader: Reader
) -> None:
    intents.set_text(store, "the dog")
    begun(window, store, qtbot)
    assert [token.status for token in store.evaluation.sentence] == ["known", "unknown"]
    assert not window.vector_files.preparation.pause.isActive()
    reader.go_on.set()
    settled(store, qtbot)
    assert window.vector_files.preparation.pause.isActive()
    window.vector_files.preparation.pause.stop()
    assert [token.status for token in store.evaluation.sentence] == ["known", "known"]
    assert store.undo_stack.count() == 2
    assert window.settings.recent != []


def test_cancel_after_the_first_words_brings_the_old_vectors_back_for_good(
    window: Window, store: Store, qtbot: QtBot, reader: Reader
) -> None:
    before = store.experiment
    begun(window, store, qtbot)
    assert store.vectors.name == "big.txt"
    qtbot.waitUntil(window.progress.isVisible, timeout=5000)
    qtbot.mouseClick(window.progress._cancel, Qt.MouseButton.LeftButton)
    settled(store, qtbot)
    assert store.experiment is before
    assert store.vectors.name == "small"
    assert store.undo_stack.count() == 0
    assert not window.actions_table["redo"].isEnabled()
    assert window.settings.recent == []


def test_a_failure_after_the_first_words_brings_the_old_vectors_back_and_is_said(
    window: Window, store: Store, qtbot: QtBot, reader: Reader
) -> None:
    before = store.experiment
    begun(window, store, qtbot)
    reader.error = VectorsError("the file is incomplete", where="big.txt")
    reader.go_on.set()
    settled(store, qtbot)
    assert store.experiment is before
    assert "incomplete" in message(window)


def test_what_was_done_on_the_first_words_is_kept_when_the_rest_is_cancelled(
    window: Window, store: Store, qtbot: QtBot, reader: Reader
) -> None:
    begun(window, store, qtbot)
    intents.randomize(store, seed=3)
    after = store.experiment
    store.jobs.drop(opening.TOPIC)
    settled(store, qtbot)
    assert store.experiment is after
    assert "Only the first 2 words of big.txt are known" in message(window)


def test_a_later_file_takes_the_place_of_one_that_has_only_begun(
    window: Window,
    store: Store,
    qtbot: QtBot,
    reader: Reader,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    begun(window, store, qtbot)
    monkeypatch.undo()
    window.open_file(str(text_file(tmp_path)))
    settled(store, qtbot)
    assert store.vectors.name == "mine.txt"
    assert store.undo_stack.count() == 1
    store.undo()
    assert store.vectors.name == "small"


# Encodings


def latin_file(folder: Path) -> Path:
    file = folder / "latin.txt"
    file.write_bytes("the 1 2 3\ncaf\u00e9 2 3 4\nna\u00efve 3 4 5\n".encode("latin-1"))
    return file


def test_a_text_that_is_not_utf_8_opens_and_is_offered_as_latin_1(
    window: Window, store: Store, qtbot: QtBot, tmp_path: Path
) -> None:
    with qtbot.waitSignal(store.changed, timeout=5000):
        window.open_file(str(latin_file(tmp_path)))
    assert "caf\\xe9" in message(window)
    assert "--" not in message(window)
    menu = window.messages.choice_menu()
    assert [action.text() for action in menu.actions()] == ["Show report", "Read it as Latin-1"]
    with qtbot.waitSignal(store.changed, timeout=5000):
        menu.actions()[1].trigger()
    menu.deleteLater()
    assert list(store.vectors) == ["the", "caf\u00e9", "na\u00efve"]
    assert window.settings.reading == {str(tmp_path / "latin.txt"): {"encoding": "latin-1"}}
    store.undo()
    assert "caf\u00e9" not in store.vectors


def test_the_report_offers_other_encodings(
    window: Window, store: Store, qtbot: QtBot, tmp_path: Path
) -> None:
    with qtbot.waitSignal(store.changed, timeout=5000):
        window.open_file(str(latin_file(tmp_path)))
    window.vector_files.show_report()
    report = window.vector_files.report
    assert report is not None
    assert report.encoding.isVisible()
    index = report.encoding.findText("cp1252")
    report.encoding.setCurrentIndex(index)
    with qtbot.waitSignal(store.changed, timeout=5000):
        report.encoding.activated.emit(index)
    assert "caf\u00e9" in store.vectors
