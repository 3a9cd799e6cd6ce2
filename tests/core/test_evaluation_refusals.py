"""What `evaluate` refuses, and what it says then."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from askew.errors import ExperimentError
from askew.experiment import Experiment, evaluate
from askew.initializers import random_heads
from askew.vectors import WordVectors


def table(dim: int = 6) -> WordVectors:
    return WordVectors.from_arrays(("the", "cat"), np.ones((2, dim), np.float32))


@pytest.mark.parametrize(
    ("field", "name", "said"),
    [
        ("positions", "rotary", "no positions 'rotary'.*one of none"),
        ("normalize", "batch", "no normalization 'batch'.*none, unit, layer"),
        ("encoder", "rnn", "no encoder 'rnn'"),
        ("mask", "window", "no mask 'window'.*none, causal"),
        ("raw", "euclid", "no raw similarity 'euclid'.*scaled, dot, cosine"),
        ("compare", "ranked", "no comparison 'ranked'.*as-is, same-scale, matched"),
        ("quantity", "values", "no quantity 'values'.*pattern, scores, cosine"),
        ("unknown", "guess", "no treatment of unknown words 'guess'.*drop, keep"),
        ("context", "a cat", "second sentence"),
        ("temperature", 0.0, "temperature is 0"),
        ("temperature", float("nan"), "temperature is nan"),
        ("temperature", float("inf"), "temperature is inf"),
        ("selected", (2,), "no head 2.*0 to 1"),
        ("heads", (), "no head"),
    ],
)
def test_what_cannot_be_computed_is_refused_and_the_known_names_are_named(
    field: str, name: object, said: str
) -> None:
    vectors = table()
    fields: dict[str, Any] = {"heads": random_heads(2, d_model=6, d_k=2, d_v=2), field: name}
    with pytest.raises(ExperimentError, match=said):
        evaluate(Experiment(text="the cat", vectors=vectors.ref, **fields), vectors)


def test_an_unknown_scoring_is_refused() -> None:
    heads = (replace(random_heads(1, d_model=6, d_k=2, d_v=2)[0], scoring="guess"),)
    with pytest.raises(ExperimentError, match=r"no scoring 'guess'.*scaled-dot, dot, cosine"):
        evaluate(Experiment("the cat", table().ref, heads), table())


def test_heads_and_vectors_of_other_sizes_are_refused() -> None:
    vectors = table()
    with pytest.raises(ExperimentError, match=r"head 0 has w_q \(5, 2\).*\(6, 2\)"):
        evaluate(Experiment("the", vectors.ref, random_heads(1, d_model=5, d_k=2, d_v=2)), vectors)
    mixed = (*random_heads(1, d_model=6, d_k=2, d_v=2), *random_heads(1, d_model=6, d_k=3, d_v=2))
    with pytest.raises(ExperimentError, match="head 1"):
        evaluate(Experiment("the", vectors.ref, mixed), vectors)
    heads = random_heads(1, d_model=6, d_k=2, d_v=2)
    with pytest.raises(ExperimentError, match="vectors of 6 numbers, these have 5"):
        evaluate(Experiment("the", vectors.ref, heads), table(5))


def test_maps_too_large_to_hold_are_refused_by_the_number_of_tokens() -> None:
    vectors, heads = table(), random_heads(100, d_model=6, d_k=1, d_v=1)
    with pytest.raises(ExperimentError, match=r"801 tokens and 100 heads.*Shorten the text"):
        evaluate(Experiment("cat " * 801, vectors.ref, heads), vectors)
