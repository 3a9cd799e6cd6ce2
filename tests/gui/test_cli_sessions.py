"""Sessions and pictures that carry one, given to the command line."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from tests.gui.command_line import computed, failure, run

from askew.examples import example
from askew.results import to_json
from askew.session import Session
from askew.session_file import save
from askew.vectors import open_vectors
from askew_gui.store import Store

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def session(tmp_path: Path) -> Path:
    """A session on the trained layer, with a sentence and a temperature of its own."""
    vectors = open_vectors("minilm-l6-v2")
    shown = replace(example("exchanged", vectors), text="the cat sat on the mat", temperature=0.7)
    save(tmp_path / "s.askew", Session((shown,)), {vectors.fingerprint: vectors})
    return tmp_path / "s.askew"


def test_a_session_saved_from_the_window_gives_the_same_numbers(tmp_path: Path) -> None:
    vectors = open_vectors("glove-6b-50d")
    store = Store(example("glove-random", vectors), vectors)
    heads = store.experiment.heads
    edited = replace(heads[1], w_q=heads[1].w_q * -2, b_q=heads[1].w_q[0], recipe="edited")
    store.apply(replace(store.experiment, heads=(heads[0], edited, *heads[2:]), mask="causal"), "edit")
    save(tmp_path / "s.askew", Session((store.experiment,)), {vectors.fingerprint: vectors})
    assert computed(str(tmp_path / "s.askew")) == to_json(store.evaluation)


def test_flags_override_the_session(session: Path) -> None:
    whole = computed(str(session))
    assert whole["tokens"] == ["[CLS]", "the", "cat", "sat", "on", "the", "mat", "[SEP]"]
    other = computed(str(session), "--text", "the dog", "--temperature", "1")
    assert other["tokens"] == ["[CLS]", "the", "dog", "[SEP]"]
    assert other == computed("--example", "exchanged", "--text", "the dog")


@pytest.mark.parametrize("suffix", ["png", "svg"])
def test_a_picture_gives_the_numbers_of_the_experiment_that_made_it(session: Path, suffix: str) -> None:
    picture = session.with_name(f"map.{suffix}")
    assert run("render", str(session), "-o", str(picture), "--width", "800").exit_code == 0
    assert computed(str(picture)) == computed(str(session))


def test_what_is_no_session_is_said_in_a_line(session: Path) -> None:
    session.with_name("other.txt").write_text("red 1 2\n")
    message = failure("compute", str(session.with_name("other.txt")), "-o", "-")
    assert message.startswith("other.txt: it is no session, and no picture that carries one.")
    assert "cannot read" in failure("compute", str(session.with_name("nowhere.askew")), "-o", "-")
    session.write_bytes(session.read_bytes()[:-100])
    assert "s.askew: the file is cut short" in failure("render", str(session), "-o", "x.png")
    assert "a session and an example" in failure("compute", str(session), "--example", "tied", "-o", "-")
