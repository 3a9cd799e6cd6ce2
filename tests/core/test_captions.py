"""Captions: what they name, and that no token breaks LaTeX or Markdown."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from askew.captions import LONGEST, caption, caption_as
from askew.evaluation import evaluate
from askew.examples import example
from askew.vectors import WordVectors

if TYPE_CHECKING:
    from askew.evaluation import Evaluation

WORDS = ("the", "cat", "sat", "AT&T", "50%")


@pytest.fixture(scope="module")
def table() -> WordVectors:
    numbers = np.random.default_rng(5).standard_normal((len(WORDS), 20)).astype(np.float32)
    return WordVectors.from_arrays(WORDS, numbers, name="small_vectors")


def evaluation(table: WordVectors, **fields: object) -> Evaluation:
    return evaluate(replace(example("glove-random", table), text="the cat sat", **fields), table)  # type: ignore[arg-type]


def test_a_caption_names_sentence_vectors_head_seed_quantity_and_comparison(table: WordVectors) -> None:
    said = caption(evaluation(table))
    for part in ("“the cat sat”", "small_vectors", "head 0", "seed 0", "Attention pattern", "as is"):
        assert part in said
    assert caption(evaluation(table, quantity="scores")).startswith("Attention scores of raw similarity")
    assert "as sharp as the head's" in caption(evaluation(table, compare="matched"))
    assert "mean of heads 1, 3" in caption(evaluation(table, selected=(3, 1)))


def test_what_is_at_its_default_is_not_named_and_the_rest_is(table: WordVectors) -> None:
    plain = caption(evaluation(table, normalize="none"))
    for word in ("Positions", "Mask", "Temperature", "Normalization", "Scoring", "stretched"):
        assert word not in plain
    changed = caption(evaluation(table, positions="rope", mask="causal", temperature=2.0, stretch="map"))
    for part in (
        "Positions: rope",
        "Mask: causal",
        "Temperature 2",
        "each map",
        "Normalization: layer",
    ):
        assert part in changed


@pytest.mark.parametrize(
    ("view", "every", "part"),
    [
        ("grid", False, "of all 5 heads"),
        ("pattern", True, "of raw similarity and of all 5 heads"),
        ("raw", False, "raw similarity, without W_q and W_k,"),
        ("difference", False, "difference of head 0 and raw similarity"),
        ("weights", False, "Weights W_q, W_k and W_v of head 0"),
        ("weights", True, "of all 5 heads"),
        ("scores", False, "Attention scores of head 0"),
    ],
)
def test_a_caption_says_what_the_view_shows(table: WordVectors, view: str, every: bool, part: str) -> None:
    assert part in caption(evaluation(table), view, all_heads=every)


def test_a_long_sentence_is_shortened(table: WordVectors) -> None:
    said = caption(evaluate(replace(example("glove-random", table), text="the cat " * 200), table))
    assert "…”" in said
    assert len(said) < LONGEST + 400


def test_a_caption_is_escaped_for_latex_and_names_of_matrices_are_mathematics(table: WordVectors) -> None:
    shown = evaluate(replace(example("glove-random", table), text="AT&T 50% the"), table)
    said = caption_as(caption(shown), "latex")
    assert r"``AT\&T 50\% the''" in said
    assert r"small\_vectors" in said
    assert "$W_q$ and $W_k$" in said
    assert "head $-$ raw" in said
    assert "$d_k$ =" in said


def test_a_caption_is_escaped_for_markdown(table: WordVectors) -> None:
    said = caption_as(caption(evaluation(table)), "markdown")
    assert r"small\_vectors" in said
    assert "$W_q$" in said
    assert caption_as("*a* <b> [c](d) `e`", "markdown") == r"\*a\* \<b\> \[c\](d) \`e\`"


@given(st.text())
def test_no_letter_keeps_a_meaning_in_latex(text: str) -> None:
    said = caption_as(text, "latex")
    known = re.compile(
        r"\\[{}#$%&_]|\\text[a-z]+\{\}|\\ldots\{\}|\$(?:-|\\times|\\tau|[Wd]_(?:[qkv]|\\mathrm\{model\}))\$"
    )
    rest = known.sub("", said)
    assert not set(rest) & set('\\{}#$%&_^~<>|"')


@given(st.text())
def test_a_plain_caption_is_itself(text: str) -> None:
    assert caption_as(text, "plain") == text
