"""The bundled trained layer, held against the original model and the figures known of it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from askew.embedding import EmbeddingLayer, as_model_runs
from askew.errors import ExperimentError, WeightsError
from askew.examples import example
from askew.experiment import Evaluation, Experiment, evaluate
from askew.trained import trained_embedding
from askew.vectors import WordVectors, open_vectors

GOLDEN = Path(__file__).parents[1] / "data" / "golden_layer0_attention.npz"
SENTENCES = (0, 1, 2)


@pytest.fixture(scope="module")
def words() -> WordVectors:
    return open_vectors("minilm-l6-v2")


@pytest.fixture(scope="module")
def trained(words: WordVectors) -> Experiment:
    return example("trained", words)


def golden(number: int) -> tuple[list[str], np.ndarray, np.ndarray]:
    with np.load(GOLDEN) as file:
        tokens = bytes(file[f"tokens{number}"]).decode().split("\n")
        return tokens, file[f"A{number}"], file[f"X{number}"]


def of(experiment: Experiment, words: WordVectors, number: int) -> Evaluation:
    return evaluate(replace(experiment, text=" ".join(golden(number)[0][1:-1])), words)


@pytest.mark.parametrize("number", SENTENCES)
def test_the_pattern_is_that_of_the_original_model(
    trained: Experiment, words: WordVectors, number: int
) -> None:
    tokens, pattern, x0 = golden(number)
    shown = of(trained, words, number)
    assert [token.text for token in shown.tokens] == tokens
    np.testing.assert_allclose(shown.pattern, pattern, atol=5e-4, rtol=0)
    np.testing.assert_allclose(shown.x0, x0, atol=2e-3, rtol=0)
    assert (shown.pattern.argmax(-1) == pattern.argmax(-1)).all()


@pytest.mark.parametrize("number", SENTENCES)
def test_head_2_looks_at_the_previous_token_and_exchanged_at_the_next(
    trained: Experiment, words: WordVectors, number: int
) -> None:
    previous = of(trained, words, number).measures[2].previous
    following = of(example("exchanged", words), words, number).measures[2].next
    assert previous == pytest.approx(1.0, abs=5e-4)
    assert following is not None
    assert following >= 0.998


@pytest.mark.parametrize(
    ("number", "self_first", "entropy"), [(0, 0.132, 0.856), (1, 0.108, 0.810), (2, 0.185, 0.829)]
)
def test_without_positions_it_is_gone(
    trained: Experiment, words: WordVectors, number: int, self_first: float, entropy: float
) -> None:
    shown = of(replace(trained, positions="none", specials=False), words, number)
    assert np.mean([each.self_first for each in shown.measures]) == pytest.approx(self_first, abs=5e-4)
    assert 1 - np.mean([each.sharpness for each in shown.measures]) == pytest.approx(entropy, abs=5e-4)
    assert (shown.measures[2].previous or 1) < 0.3
    assert (of(replace(trained, positions="none"), words, number).measures[2].previous or 1) < 0.2


def test_words_are_looked_up_without_capitals_and_accents_and_others_are_said(
    trained: Experiment, words: WordVectors
) -> None:
    shown = evaluate(replace(trained, text="Café naïve Zürich zzyzxx"), words)
    assert [token.key for token in shown.tokens] == ["[CLS]", "cafe", "naive", "zurich", "[SEP]"]
    assert [token.text for token in shown.unknown] == ["zzyzxx"]


def test_special_tokens_alone_are_no_sentence(trained: Experiment, words: WordVectors) -> None:
    assert not evaluate(replace(trained, text="zzyzxx"), words).tokens
    assert not evaluate(replace(trained, text=" "), words).tokens


def test_more_tokens_than_positions_are_refused_with_both_numbers(
    trained: Experiment, words: WordVectors
) -> None:
    assert len(evaluate(replace(trained, text="the " * 126), words).tokens) == 128
    with pytest.raises(ExperimentError, match=r"129 tokens.*128 positions"):
        evaluate(replace(trained, text="the " * 127), words)


def test_what_differs_from_the_model_is_known(trained: Experiment) -> None:
    assert as_model_runs(trained)
    assert as_model_runs(replace(trained, heads=trained.heads[:3]))
    for change in (
        {"positions": "none"},
        {"positions": "rope"},
        {"normalize": "none"},
        {"specials": False},
        {"embedding": None},
        {"mask": "causal"},
        {"temperature": 2.0},
        {"embedding": replace(trained_embedding(), complete=False)},
    ):
        assert not as_model_runs(replace(trained, **change))


def test_the_example_is_refused_on_other_vectors() -> None:
    tiny = WordVectors.from_arrays(["the"], np.ones((1, 384), np.float32))
    with pytest.raises(ExperimentError, match=r"belongs to minilm-l6-v2"):
        example("trained", tiny)


def test_an_embedding_layer_of_mixed_widths_is_refused() -> None:
    with pytest.raises(WeightsError, match=r"\[2, 3\]"):
        EmbeddingLayer("toy", positions=np.ones((4, 3), np.float32), token_type=np.ones(2, np.float32))
    with pytest.raises(WeightsError, match="not finite"):
        EmbeddingLayer("toy", token_type=np.array([1.0, np.nan], np.float32))
