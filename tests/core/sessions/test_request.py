from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest
from tests.core.sessions.built import same

from askew.carried import embed_svg
from askew.edits import with_token_edit
from askew.errors import AskewError
from askew.evaluation import evaluate
from askew.examples import default_experiment, example
from askew.request import Request, build
from askew.session import Session
from askew.session_file import save, to_bytes
from askew.tokens import TokenEdit
from askew.vectors import open_vectors

if TYPE_CHECKING:
    from pathlib import Path

COLOURS = "red 1 2 3 4\nsky 4 3 2 1\ntree 0 1 0 1\nblue 1 1 0 0\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with vectors and a session on them, whose heads score in different ways."""
    (tmp_path / "colours.txt").write_text(COLOURS)
    vectors = open_vectors(tmp_path / "colours.txt")
    start = default_experiment(vectors, "red sky tree")
    start = with_token_edit(start, TokenEdit(4, 7, "leave-out"))
    heads = (
        replace(start.heads[0], scoring="cosine", w_q=start.heads[0].w_q * 3, recipe="edited"),
        *start.heads[1:],
    )
    shown = replace(start, heads=heads, selected=(4,), temperature=0.5, normalize="unit", compare="matched")
    session = Session((default_experiment(vectors, "tree"), shown), active=1)
    save(
        tmp_path / "s.askew",
        session,
        {vectors.fingerprint: vectors},
        places={vectors.fingerprint: tmp_path / "colours.txt"},
    )
    return tmp_path


def test_the_variant_that_was_shown_gives_the_very_same_numbers(folder: Path) -> None:
    vectors = open_vectors(folder / "colours.txt")
    (folder / "colours.txt").unlink()
    notes: list[str] = []
    experiment, rows = build(Request(session=str(folder / "s.askew")), tell=notes.append)
    assert notes == []
    assert (experiment.text, experiment.selected, experiment.temperature) == ("red sky tree", (4,), 0.5)
    before, after = evaluate(experiment, vectors), evaluate(experiment, rows)
    assert [token.text for token in after.tokens] == ["red", "tree"]
    for field in ("scores", "pattern", "outputs"):
        np.testing.assert_array_equal(getattr(after, field), getattr(before, field))


def test_flags_override_the_session_and_nothing_else_changes(folder: Path) -> None:
    session = str(folder / "s.askew")
    start, _ = build(Request(session=session))
    cold, _ = build(Request(session=session, temperature=2.0, mask="causal"))
    assert same(replace(cold, temperature=0.5, mask="none"), start)
    assert [head.scoring for head in cold.heads] == ["cosine"] + ["scaled-dot"] * 4
    dot, _ = build(Request(session=session, scoring="dot"))
    assert {head.scoring for head in dot.heads} == {"dot"}
    drawn, _ = build(Request(session=session, seed=9, heads=2))
    assert len(drawn.heads) == 2
    assert drawn.selected == (0,)
    assert (drawn.heads[0].d_k, drawn.heads[0].recipe.seed) == (start.heads[0].d_k, 9)  # type: ignore[union-attr]


def test_another_text_takes_its_words_from_the_file(folder: Path) -> None:
    experiment, vectors = build(Request(session=str(folder / "s.askew"), text="red sky blue"))
    assert [token.text for token in evaluate(experiment, vectors).tokens] == ["red", "blue"]
    assert len(experiment.edits) == 1


def test_another_text_without_the_file_knows_the_words_of_the_session_and_says_so(folder: Path) -> None:
    (folder / "colours.txt").unlink()
    notes: list[str] = []
    experiment, vectors = build(Request(session=str(folder / "s.askew"), text="blue tree"), tell=notes.append)
    result = evaluate(experiment, vectors)
    assert [token.text for token in result.tokens] == ["tree"]
    assert [token.text for token in result.unknown] == ["blue"]
    assert notes == [
        "the file 'colours.txt' of this session was not found; words that the session did not use are unknown"
    ]


def test_other_vectors_can_be_asked_for(folder: Path) -> None:
    notes: list[str] = []
    experiment, vectors = build(
        Request(session=str(folder / "s.askew"), vectors="glove-6b-50d"), tell=notes.append
    )
    assert (vectors.name, experiment.d_model) == ("glove-6b-50d", 50)
    assert "heads that no recipe can draw are random now" in notes[0]


def test_a_picture_is_a_session_too(folder: Path) -> None:
    vectors = open_vectors("minilm-l6-v2")
    shown = example("exchanged", vectors)
    data = to_bytes(Session((shown,)), {vectors.fingerprint: vectors}, limit=100_000)
    (folder / "map.svg").write_bytes(embed_svg(b"<svg></svg>", data))
    experiment, _ = build(Request(session=str(folder / "map.svg")))
    assert same(experiment, shown)
    other, table = build(Request(session=str(folder / "map.svg"), text="the cat"))
    assert [t.text for t in evaluate(other, table).tokens] == ["[CLS]", "the", "cat", "[SEP]"]


def test_a_session_and_an_example_are_not_both_the_start(folder: Path) -> None:
    with pytest.raises(AskewError, match="a session and an example were given"):
        build(Request(session=str(folder / "s.askew"), example="trained"))
