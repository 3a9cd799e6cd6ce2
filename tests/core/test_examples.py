"""The examples show what they say, on any vectors."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from askew.errors import ExperimentError
from askew.examples import EXAMPLES, SENTENCE, default_experiment, example
from askew.experiment import evaluate
from askew.heads import Recipe
from askew.measures import effective_heads
from askew.vectors import WordVectors, open_vectors


@pytest.fixture(scope="module")
def glove() -> WordVectors:
    return open_vectors("glove-6b-50d")


def test_the_default_is_five_gaussian_heads_of_a_fifth_of_the_width(glove: WordVectors) -> None:
    experiment = default_experiment(glove)
    assert experiment.text == SENTENCE
    assert [head.recipe for head in experiment.heads] == [Recipe("gaussian", 0, h) for h in range(5)]
    assert {(head.d_k, head.d_v) for head in experiment.heads} == {(10, 10)}
    assert (experiment.normalize, experiment.mask, experiment.temperature) == ("none", "none", 1.0)


def test_narrow_vectors_still_have_one_number_per_query() -> None:
    tiny = WordVectors.from_arrays(["the"], np.ones((1, 3), np.float32))
    assert default_experiment(tiny).heads[0].d_k == 1


@pytest.mark.parametrize("name", [name for name, texts in EXAMPLES.items() if texts.vectors is None])
def test_every_example_without_its_own_vectors_can_be_computed_on_other_vectors(name: str) -> None:
    tiny = WordVectors.from_arrays(["the", "animal"], np.eye(2, 7, dtype=np.float32))
    assert evaluate(example(name, tiny), tiny).pattern.shape[1:] == (3, 3)


def test_identity_gives_the_raw_pattern_back_within_a_millionth(glove: WordVectors) -> None:
    result = evaluate(example("identity", glove), glove)
    np.testing.assert_allclose(result.pattern[0], result.raw.pattern, atol=1e-6)
    assert result.measures[0].self_first == pytest.approx(10 / 12)


def test_tied_heads_score_symmetrically_and_like_similarity(glove: WordVectors) -> None:
    result = evaluate(example("tied", glove), glove)
    for measures in result.measures:
        assert measures.asymmetry == pytest.approx(0, abs=1e-12)
        assert measures.pairing_asymmetry == pytest.approx(0, abs=1e-12)
    mean = np.mean([measures.rank_agreement for measures in result.measures])
    assert 0.3 < mean < 0.9


def test_random_heads_of_the_example_can_be_told_apart(glove: WordVectors) -> None:
    shown = evaluate(example("glove-random", glove), glove)
    blank = evaluate(default_experiment(glove), glove)
    assert (effective_heads(shown.pattern) or 0) > 1.5 > 1.2 > (effective_heads(blank.pattern) or 9)


def test_the_two_random_examples_differ_in_the_keys_alone(glove: WordVectors) -> None:
    random, tied = example("glove-random", glove), example("tied", glove)
    for one, other in zip(random.heads, tied.heads, strict=True):
        assert np.array_equal(one.w_q, other.w_q)
        assert np.array_equal(one.w_v, other.w_v)
        assert np.array_equal(other.w_k, other.w_q)
    assert replace(random, heads=()) == replace(tied, heads=())


def test_an_unknown_example_names_those_there_are(glove: WordVectors) -> None:
    with pytest.raises(ExperimentError, match="glove-random, identity, tied"):
        example("nothing", glove)
