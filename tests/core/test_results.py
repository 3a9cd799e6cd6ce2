"""The numbers as JSON: the promised shape, digits that give the float32 back, no NaN."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from askew.compare import compare
from askew.errors import ExperimentError
from askew.examples import default_experiment
from askew.experiment import evaluate
from askew.initializers import random_heads
from askew.results import dumps, rows, to_json
from askew.vectors import WordVectors

if TYPE_CHECKING:
    from askew.experiment import Evaluation, Quantity

WORDS = ("the", "cat", "sat", "on", "mat", "nil")


def evaluation(
    text: str = "the cat sat on zzyzx mat",
    *,
    unknown: Literal["drop", "keep"] = "drop",
    mode: str = "as-is",
    quantity: Quantity = "pattern",
) -> Evaluation:
    matrix = np.random.default_rng(1).standard_normal((len(WORDS), 6)).astype(np.float32)
    matrix[-1] = 0
    table = WordVectors.from_arrays(WORDS, matrix)
    heads = random_heads(2, d_model=6, d_k=3, d_v=4)
    start = default_experiment(table, text)
    experiment = replace(start, heads=heads, unknown=unknown, compare=mode, quantity=quantity)
    return evaluate(experiment, table)


def strict(text: str) -> dict[str, Any]:
    def refuse(name: str) -> None:
        raise AssertionError(f"{name} is no JSON")

    data: dict[str, Any] = json.loads(text, parse_constant=refuse)
    return data


def test_the_keys_are_those_that_were_promised() -> None:
    data = strict(dumps(to_json(evaluation())))
    assert list(data) == ["format", "tokens", "context", "unknown", "d_model", "raw", "heads", "state"]
    assert (data["format"], data["context"], data["d_model"]) == (1, None, 6)
    assert data["tokens"] == ["the", "cat", "sat", "on", "mat"]
    assert data["unknown"] == ["zzyzx"]
    assert set(data["raw"]) == {"dot", "cosine", "pattern"}
    head = data["heads"][1]
    assert set(head) == {"d_k", "scores", "pattern", "outputs", "difference", "measures"}
    assert head["d_k"] == 3
    assert np.shape(head["scores"]) == np.shape(head["pattern"]) == np.shape(head["difference"]) == (5, 5)
    assert np.shape(head["outputs"]) == (5, 4)
    assert set(head["measures"]) == {
        *("self_weight", "self_first", "sharpness", "asymmetry", "pairing_asymmetry", "distance"),
        *("previous", "next", "first", "sink", "divergence", "divergence_matched"),
        *("rank_agreement", "top3_overlap", "energy"),
    }
    assert set(head["measures"]["sink"]) == {"value", "token", "index"}
    assert set(head["measures"]["energy"]) == {"row", "column", "pairing"}


def test_every_matrix_comes_back_bit_for_bit() -> None:
    result = evaluation()
    data = strict(dumps(to_json(result)))
    for h, head in enumerate(data["heads"]):
        assert np.array_equal(np.float32(head["scores"]), result.scores[h])
        assert np.array_equal(np.float32(head["pattern"]), result.pattern[h])
        assert np.array_equal(np.float32(head["outputs"]), result.outputs[h])
    assert np.array_equal(np.float32(data["raw"]["dot"]), result.raw.dot)
    assert data["heads"][0]["measures"]["asymmetry"] == result.measures[0].asymmetry


@given(st.floats(width=32, allow_nan=False, allow_infinity=False))
def test_a_number_has_no_more_digits_than_its_float32_needs(value: float) -> None:
    (back,) = strict(dumps({"x": rows(np.array([[value]], np.float32))}))["x"][0]
    assert np.float32(back) == np.float32(value)
    assert len(repr(back).split("e")[0].strip("-0.").replace(".", "")) <= 9 or float(value).is_integer()


def test_a_tenth_is_a_tenth() -> None:
    assert dumps({"x": rows(np.array([[0.1, 1047552.3]], np.float32))}) == '{"x": [[0.1, 1047552.3]]}'


def test_no_value_is_null() -> None:
    data = strict(dumps(to_json(evaluation("the nil cat"))))
    assert data["raw"]["cosine"][1] == [None, None, None]
    assert rows(np.array([[np.nan, np.inf, 1]], np.float32)) == [[None, None, 1.0]]


def test_unknown_words_that_are_kept_are_rows_without_values() -> None:
    kept = strict(dumps(to_json(evaluation(unknown="keep"))))
    dropped = strict(dumps(to_json(evaluation())))
    assert kept["tokens"] == ["the", "cat", "sat", "on", "zzyzx", "mat"]
    head = kept["heads"][0]
    assert head["pattern"][4] == [None] * 6
    assert head["outputs"][4] == [None] * 4
    assert [row[4] for row in head["scores"]] == [None] * 6
    without = np.delete(np.delete(np.array(head["pattern"], float), 4, 0), 4, 1)
    assert np.array_equal(without, dropped["heads"][0]["pattern"])


def test_the_sink_is_counted_among_all_tokens_shown() -> None:
    for result in (evaluation(), evaluation(unknown="keep")):
        data = to_json(result)
        for head in data["heads"]:
            sink = head["measures"]["sink"]
            assert data["tokens"][sink["index"]] == sink["token"]


def test_one_token_has_null_where_a_measure_is_undefined() -> None:
    measures = strict(dumps(to_json(evaluation("cat"))))["heads"][0]["measures"]
    assert measures["sharpness"] is None
    assert measures["rank_agreement"] is None
    assert measures["energy"] == {"row": None, "column": None, "pairing": None}
    assert measures["self_weight"] == 1


@pytest.mark.parametrize("mode", ["as-is", "same-scale", "matched"])
def test_the_difference_is_of_patterns_in_the_mode_asked_whatever_is_shown(mode: str) -> None:
    shown = evaluation(mode=mode, quantity="scores")
    expected = compare(evaluation(mode=mode), (1,)).difference
    assert np.array_equal(np.float32(to_json(shown)["heads"][1]["difference"]), expected)
    assert any(any(abs(x) > 0.01 for x in row) for row in to_json(shown)["heads"][1]["difference"])


def test_more_numbers_than_json_is_good_for_are_refused_before_they_are_computed() -> None:
    much = evaluation("cat " * 1500)
    with pytest.raises(ExperimentError, match=r"1500 tokens and 2 heads .* Shorten the text"):
        to_json(much)
