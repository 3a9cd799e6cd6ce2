"""The report: one page that needs nothing, shows everything, and is the experiment again."""

from __future__ import annotations

import re
import subprocess
from dataclasses import replace
from html.parser import HTMLParser
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QFileDialog
from tests.gui.command_line import computed
from tests.gui.vector_files import message, settled
from tests.gui.viewers import NEEDS_BROWSER, NEEDS_POPPLER, QUIET, seen_in_browser, words_of

import askew_assets
from askew.edits import with_text
from askew.evaluation import evaluate
from askew.results import to_json
from askew.session_file import from_bytes, kind_of, open_any
from askew_gui import intents
from askew_gui.export.report import HEADS_PER_TABLE, escaped, report_bytes

if TYPE_CHECKING:
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from askew.evaluation import Evaluation
    from askew_gui.store import Store
    from askew_gui.window import Window

NASTY = '<b>the</b> "cat" & <script>alert(1)</script> שנה مرحبا naïve 猫 AT&T &amp;'


class Page(HTMLParser):
    """Elements, attributes and text of a page."""

    def __init__(self, content: bytes) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str]]] = []
        self.words: list[str] = []
        self.open: list[str] = []
        self.feed(content.decode())

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, {name: value or "" for name, value in attrs}))
        if tag not in ("meta", "br"):
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, {name: value or "" for name, value in attrs}))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag, "every element is closed where it should be"

    def handle_data(self, data: str) -> None:
        self.words.append(data)

    def count(self, tag: str) -> int:
        return sum(name == tag for name, _ in self.elements)


def shown(store: Store, **fields: Any) -> Evaluation:  # noqa: ANN401
    return evaluate(replace(store.experiment, **fields), store.vectors)


def test_it_loads_nothing_runs_nothing_and_says_so_to_the_browser(store: Store) -> None:
    content = report_bytes(shown(store, text=NASTY, unknown="keep")).content
    text = content.decode()
    assert not re.search(r"https?:|ftp:|//[\w.]+/|@import|\bfile:|javascript:", text.partition("</main>")[0])
    page = Page(content)
    assert not page.open
    for tag, attributes in page.elements:
        assert tag not in ("link", "img", "iframe", "object", "embed", "base", "form")
        assert not any(name.startswith("on") for name in attributes)
        for name in ("src", "href", "xlink:href"):
            assert attributes.get(name, "#").startswith(("#", "data:image/png"))
    scripts = [attributes for tag, attributes in page.elements if tag == "script"]
    assert scripts == [{"type": "application/vnd.askew.session"}], "a block of data that no browser runs"
    policy = next(a["content"] for _, a in page.elements if a.get("http-equiv") == "Content-Security-Policy")
    assert "default-src 'none'" in policy
    assert "script-src" not in policy


def test_tokens_stand_in_it_character_for_character(store: Store) -> None:
    page = Page(report_bytes(shown(store, text=NASTY, unknown="keep")).content)
    assert NASTY in page.words, "the sentence over the page"
    drawn = "".join(page.words)
    for token in ("<b>", "AT&T", "naïve", "שנה", "مرحبا"):
        assert token in drawn
    headline = next(attributes for tag, attributes in page.elements if tag == "h1")
    assert headline["dir"] == "auto"


def test_it_shows_three_maps_the_grid_the_measures_and_the_settings(store: Store) -> None:
    page = Page(report_bytes(shown(store, mask="causal", temperature=0.5)).content)
    assert page.count("svg") == 4
    assert page.count("table") == 1
    for said in ("Self weight", "causal", "0.5", "gaussian, seed 0, gain 2", "small, 20 numbers a word"):
        assert any(said in words for words in page.words), said
    measures = store.evaluation.measures
    assert not any(f"{measures[0].distance:.3f}" in words for words in page.words), "those of the causal mask"
    assert any("Mask: causal." in words for words in page.words), "in the caption"


def test_one_head_needs_no_grid_and_many_heads_get_several_tables(store: Store) -> None:
    heads = store.experiment.heads
    assert Page(report_bytes(shown(store, heads=heads[:1])).content).count("svg") == 3
    many = report_bytes(shown(store, heads=heads * 2)).content
    assert len(heads * 2) > HEADS_PER_TABLE
    assert Page(many).count("table") == 2


def test_names_in_its_drawings_are_not_used_twice(store: Store) -> None:
    page = Page(report_bytes(shown(store, mask="causal")).content)
    names = [attributes["id"] for _, attributes in page.elements if "id" in attributes]
    assert len(names) == len(set(names))


def test_the_same_experiment_gives_the_same_page(store: Store) -> None:
    assert report_bytes(shown(store)).content == report_bytes(shown(store)).content


def test_opened_with_askew_it_is_the_experiment_again(store: Store, tmp_path: Path) -> None:
    one = shown(store, text=NASTY, unknown="keep", mask="causal", selected=(3,))
    path = tmp_path / "report.html"
    path.write_bytes(report_bytes(one).content)
    assert kind_of(path) == "picture"
    loaded = open_any(path)
    experiment = loaded.session.experiment
    assert (experiment.text, experiment.selected) == (NASTY, (3,))
    again = evaluate(experiment, loaded.vectors[experiment.vectors.fingerprint].table)
    np.testing.assert_array_equal(again.pattern, one.pattern)
    assert computed(str(path)) == to_json(one)


def test_a_sentence_that_looks_like_a_session_is_only_a_sentence(store: Store, tmp_path: Path) -> None:
    bait = '<script type="application/vnd.askew.session">AAAA</script>'
    path = tmp_path / "report.html"
    path.write_bytes(report_bytes(shown(store, text=f"the cat {bait}")).content)
    assert open_any(path).session.experiment.text == f"the cat {bait}"


def test_weights_too_large_to_carry_leave_a_page_that_says_nothing_of_it(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("askew.session_file.CARRIED_LIMIT", 10)
    edited = tuple(replace(head, w_q=head.w_q * 2, recipe="edited") for head in store.experiment.heads)
    report = report_bytes(shown(store, heads=edited))
    assert report.why_not
    assert b"carries" not in report.content
    assert b"askew.session" not in report.content


@pytest.mark.parametrize("text", ["a\0b", "\x1b[2J", "\ud800"])
def test_what_no_page_can_hold_is_shown_as_such(text: str) -> None:
    assert "\ufffd" in escaped(text)
    escaped(text).encode()


def test_the_menu_asks_where_and_writes_it(
    window: Window, store: Store, qtbot: QtBot, tmp_path: Path
) -> None:
    intents.set_text(store, "the cat sat")
    window.actions_table["export-report"].trigger()
    asked = window.findChild(QFileDialog)
    assert asked is not None
    assert asked.selectedFiles()[0].endswith("askew-report-the-cat-sat.html")
    path = tmp_path / "my report.html"
    asked.fileSelected.emit(str(path))
    settled(store, qtbot)
    assert message(window) == "Wrote my report.html."
    assert path.read_bytes() == report_bytes(store.evaluation).content
    asked.close()


def test_a_report_of_nothing_is_refused_in_words(store: Store) -> None:
    from askew.errors import AskewError

    with pytest.raises(AskewError, match="there is no token to show"):
        report_bytes(evaluate(with_text(store.experiment, ""), store.vectors))


def test_a_session_in_it_names_no_path(store: Store) -> None:
    from askew.carried import extract

    session = extract(report_bytes(shown(store)).content, "report.html")
    assert session is not None
    assert from_bytes(session, "report.html").notes == ()
    assert b"/home" not in session


# Looked at by others


@NEEDS_BROWSER
def test_a_browser_shows_its_maps_on_white_and_runs_into_nothing(store: Store, tmp_path: Path) -> None:
    one = shown(store, text="the cat sat", selected=(0,))
    path = tmp_path / "report.html"
    path.write_bytes(report_bytes(one).content)
    picture = seen_in_browser(path, (1100, 1200))
    assert picture.width() == 1100
    found = {picture.pixelColor(x, y).name() for y in range(100, 600, 2) for x in range(0, 1100, 2)}
    table = askew_assets.colour_table("sequential")
    for place in np.rint(one.pattern[0].ravel() * (len(table) - 1)).astype(int):
        assert QColor(*table[place].tolist()).name() in found


@NEEDS_BROWSER
@NEEDS_POPPLER
def test_it_is_printed_with_text_that_can_be_copied(store: Store, tmp_path: Path) -> None:
    path, pages = tmp_path / "report.html", tmp_path / "report.pdf"
    path.write_bytes(report_bytes(shown(store, text="the cat sat <b> AT&T", unknown="keep")).content)
    flags = [f"--user-data-dir={tmp_path}/profile", f"--print-to-pdf={pages}", "--no-pdf-header-footer"]
    subprocess.run(["chromium", *QUIET, *flags, path.as_uri()], capture_output=True, timeout=120, check=True)
    words = words_of(pages)
    for said in ("the cat sat <b> AT&T", "Self weight", "Settings", "Difference", "head 4"):
        assert said in words, said
    assert words.count("\f") == 2, "two pages: the maps, and the rest"
