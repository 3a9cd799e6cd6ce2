"""The message bar, and errors that nobody expected."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QLabel

from askew_gui import theme
from askew_gui.faults import Caught
from askew_gui.messages import MAX_CAUGHT, Message, MessageBar

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot


@pytest.fixture
def bar(qtbot: QtBot) -> MessageBar:
    bar = MessageBar()
    qtbot.addWidget(bar)
    return bar


def test_the_bar_is_hidden_while_there_is_nothing_to_say(bar: MessageBar) -> None:
    assert bar.isHidden()
    bar.say("warning", "One line was skipped")
    assert not bar.isHidden()
    bar.dismiss()
    assert bar.isHidden()


def test_a_message_is_a_sentence_with_its_remedy() -> None:
    assert Message("error", "No such file", "Choose another").line == "No such file. Choose another."
    assert Message("info", "Done.").line == "Done."
    assert Message("info", "What?", "Read on.").line == "What? Read on."
    assert Message("error", "row 2 has 1 value").line == "Row 2 has 1 value."
    assert Message("error", "d_k is 0").line == "d_k is 0."
    assert Message("error", "mine.txt: line 3 is short").line == "mine.txt: line 3 is short."


def test_messages_queue_and_a_click_shows_the_next(bar: MessageBar, qtbot: QtBot) -> None:
    bar.say("warning", "first")
    bar.say("error", "second")
    assert bar.current is not None
    assert bar.current.text == "second"
    assert bar._more.text() == "1 more"
    qtbot.mouseClick(bar._close, Qt.MouseButton.LeftButton)
    assert bar.current.text == "first"
    qtbot.mouseClick(bar._close, Qt.MouseButton.LeftButton)
    assert bar.current is None


def test_an_information_is_told_at_once_and_an_older_error_comes_back_after_it(bar: MessageBar) -> None:
    bar.say("error", "broken")
    bar.say("info", "by the way")
    assert [message.text for message in bar.messages] == ["by the way", "broken"]
    bar._timer.timeout.emit()
    assert [message.text for message in bar.messages] == ["broken"]
    assert not bar._timer.isActive()


def test_a_newer_information_replaces_the_older(bar: MessageBar) -> None:
    bar.say("info", "one")
    bar.say("info", "two")
    assert [message.text for message in bar.messages] == ["two"]


def test_the_same_message_twice_is_shown_once(bar: MessageBar) -> None:
    bar.say("error", "broken")
    bar.say("error", "broken")
    assert len(bar.messages) == 1


def test_what_is_wrong_with_what_is_on_view_is_one_message_until_it_is_mended(bar: MessageBar) -> None:
    bar.say("error", "mine.txt was not found")
    for count in range(129, 140):
        bar.stand(f"the sentence has {count} tokens", "Shorten it")
    assert [message.text for message in bar.messages] == [
        "the sentence has 139 tokens",
        "mine.txt was not found",
    ]
    bar.stand("", "")
    bar.stand("", "")
    assert [message.text for message in bar.messages] == ["mine.txt was not found"]


def test_only_an_information_goes_by_itself(bar: MessageBar) -> None:
    bar.say("info", "one")
    assert bar._timer.isActive()
    bar.say("error", "two")
    assert not bar._timer.isActive()


def test_markup_in_a_message_is_shown_as_it_is(bar: MessageBar) -> None:
    bar.say("error", "not found: <s>")
    assert "<s>" in bar._label.text()
    assert all(label.textFormat() == Qt.TextFormat.PlainText for label in (bar._label, bar._more))


def test_a_long_message_does_not_widen_the_window(bar: MessageBar) -> None:
    bar.say("error", "word " * 400)
    assert bar.minimumSizeHint().width() < 300


@pytest.mark.parametrize("name", ["light", "dark"])
@pytest.mark.parametrize("level", ["info", "warning", "error"])
def test_the_bar_wears_the_colours_of_its_level(
    bar: MessageBar, name: theme.ThemeName, level: str, dressed_app: QApplication
) -> None:
    colours = theme.apply_theme(dressed_app, name)
    bar.say(level, "something")
    bar.resize(400, 40)
    assert bar.grab().toImage().pixelColor(2, 2).name() == getattr(colours, f"{level}_surface")


def test_the_bar_follows_the_theme(bar: MessageBar, qtbot: QtBot, dressed_app: QApplication) -> None:
    bar.say("error", "something")
    bar.resize(400, 40)
    bar.show()
    theme.apply_theme(dressed_app, "dark")
    qtbot.waitUntil(
        lambda: bar.grab().toImage().pixelColor(2, 2).name() == theme.DARK.error_surface, timeout=2000
    )


def test_details_can_be_copied(bar: MessageBar, qtbot: QtBot) -> None:
    bar.say_caught(Caught("ValueError: no", "Traceback ...", "here"))
    assert bar.current is not None
    assert bar.current.level == "error"
    assert "ValueError: no" in bar.current.text
    qtbot.mouseClick(bar._copy, Qt.MouseButton.LeftButton)
    assert QApplication.clipboard().text() == "Traceback ..."


def test_the_same_mistake_many_times_has_one_message_with_a_count(bar: MessageBar) -> None:
    bar.say("warning", "something else")
    for count in (1, 2, 4):
        bar.say_caught(Caught(f"IndexError: {count}", "Traceback ...", "here", count))
    first, other = bar.messages
    assert "IndexError: 4), 4 times so far" in first.text
    assert other.text == "something else"


def test_many_different_mistakes_do_not_bury_what_else_was_said(bar: MessageBar) -> None:
    bar.say("warning", "something else")
    for number in range(1000):
        bar.say_caught(Caught(f"IndexError: {number}", "Traceback ...", f"place {number}"))
    assert len(bar.messages) == MAX_CAUGHT + 1
    assert "IndexError: 999" in bar.messages[0].text
    assert bar.messages[-1].text == "something else"


def test_a_mistake_that_was_dismissed_comes_back_when_it_happens_again(bar: MessageBar) -> None:
    bar.say_caught(Caught("IndexError", "Traceback ...", "here"))
    bar.dismiss()
    bar.say_caught(Caught("IndexError", "Traceback ...", "here", 2))
    assert len(bar.messages) == 1


def test_a_mistake_offers_to_save_a_copy_of_the_session(bar: MessageBar, qtbot: QtBot) -> None:
    done: list[str] = []
    bar.rescue = ("Save a copy of the session…", lambda: done.append("saved"))
    bar.say_caught(Caught("IndexError", "Traceback ...", "here"))
    assert bar._choose.text() == "Save a copy of the session…"
    qtbot.mouseClick(bar._choose, Qt.MouseButton.LeftButton)
    assert done == ["saved"]


def test_a_message_without_details_offers_none_to_copy(bar: MessageBar) -> None:
    bar.say("error", "plain")
    assert bar._copy.isHidden()


def test_a_screen_reader_hears_the_level(bar: MessageBar) -> None:
    bar.say("warning", "careful")
    assert bar.findChildren(QLabel)[1].accessibleName() == "Warning: careful."


def test_a_way_out_is_a_button_that_ends_the_message(bar: MessageBar, qtbot: QtBot) -> None:
    done: list[str] = []
    bar.offer("the file is damaged", "Open it without that", (("Open & go on", lambda: done.append("yes")),))
    assert bar._choose.text() == "Open && go on"
    qtbot.mouseClick(bar._choose, Qt.MouseButton.LeftButton)
    assert done == ["yes"]
    assert bar.current is None


def test_several_ways_out_are_a_menu(bar: MessageBar) -> None:
    done: list[str] = []
    bar.offer("two files", "", (("a.txt", lambda: done.append("a")), ("b.txt", lambda: done.append("b"))))
    menu = bar.choice_menu()
    menu.actions()[1].trigger()
    assert done == ["b"]
    assert bar.current is None
    menu.deleteLater()
