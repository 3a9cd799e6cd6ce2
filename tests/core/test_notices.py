"""What a reader of the maps is told."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from askew.examples import example
from askew.experiment import Experiment, evaluate
from askew.heads import Head
from askew.notices import Notice, unlike_the_model
from askew.vectors import WordVectors, open_vectors


def notices(scores: list[list[float]], mask: str = "none", temperature: float = 1.0) -> list[Notice]:
    """Return the notices of one head with these scores."""
    n = len(scores)
    words = [chr(ord("a") + row) for row in range(n)]
    vectors = WordVectors.from_arrays(words, np.eye(n, dtype=np.float32))
    w_q = np.array(scores, np.float32)
    head = Head(w_q, np.eye(n, dtype=np.float32), w_q, scoring="dot")
    experiment = Experiment(" ".join(words), vectors.ref, (head,), mask=mask, temperature=temperature)
    return list(evaluate(experiment, vectors).notices)


def test_an_ordinary_head_needs_no_remark() -> None:
    assert notices([[0, 1], [1, 0]]) == []


def test_scores_that_hardly_differ_are_called_nearly_even() -> None:
    even = [Notice("nearly-even", "head 0 is nearly even: scores differ by less than 0.0001", 0)]
    assert notices([[5, 5.00005], [-1, -1]]) == even
    assert notices([[5, 5.0002], [-1, -1]]) == []


def test_nearly_even_is_judged_at_the_temperature_and_row_by_row() -> None:
    (even,) = notices([[0, 1], [50, 51]], temperature=1e5)
    assert even.text == "head 0 is nearly even: scores over temperature differ by less than 0.0001"
    assert notices([[0, 0.00005], [1, 1]], temperature=0.1) == []


def test_a_weight_above_almost_all_is_remarked_on() -> None:
    (one,) = notices([[0, 7], [1, 0]])
    assert one == Notice("nearly-all", "row 1 of head 0 puts more than 0.999 on one token", 0)
    assert notices([[0, 6.9], [1, 0]]) == []


def test_several_sharp_rows_are_one_remark() -> None:
    (one,) = notices([[0, 1, 0], [0, 9, 0], [0, 0, 9]])
    assert one.text == "2 rows of head 0 put more than 0.999 on one token each; row 2 is the first"


def test_a_row_with_a_single_key_is_neither_even_nor_sharp() -> None:
    assert notices([[3]]) == []
    assert notices([[3, 0], [0, 1]], mask="causal") == []


@pytest.mark.parametrize("mask", ["none", "causal"])
def test_hidden_keys_do_not_count(mask: str) -> None:
    kinds = [notice.kind for notice in notices([[0, 50], [0, 0.00001]], mask)]
    assert kinds == (["nearly-even"] if mask == "causal" else ["nearly-all"])


def of_model(**fields: object) -> str:
    """Return what is said about the trained layer with some fields changed."""
    experiment = replace(example("trained", trained_vectors()), **fields)  # type: ignore[arg-type]
    said = [
        notice for notice in evaluate(experiment, trained_vectors()).notices if notice.kind == "not-the-model"
    ]
    assert all(notice.head is None for notice in said)
    return said[0].text if said else ""


@cache
def trained_vectors() -> WordVectors:
    return open_vectors("minilm-l6-v2")


def test_what_the_model_sees_is_said_only_where_it_is_not_what_the_heads_see() -> None:
    assert of_model() == ""
    assert of_model(positions="none") == "not what the model sees: positions none"
    both = of_model(normalize="none", specials=False)
    assert both == "not what the model sees: no layer normalization, no special tokens"
    assert of_model(mask="causal", temperature=2.0).endswith("mask causal, temperature 2")
    assert of_model(positions="rope", unknown="keep").endswith("positions rope")
    layer = example("trained", trained_vectors()).embedding
    assert layer is not None
    assert of_model(embedding=replace(layer, complete=False)).endswith("more than is known here")


def test_plain_word_vectors_are_no_model() -> None:
    assert (
        unlike_the_model(Experiment("a", WordVectors.from_arrays(["a"], np.eye(1, dtype=np.float32)).ref, ()))
        == ""
    )
