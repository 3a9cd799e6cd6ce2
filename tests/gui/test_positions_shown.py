"""Rotary positions in the window and on the command line, and where that is not what a model sees."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest
from tests.gui.command_line import computed, failure, run

from askew.biases import with_bias
from askew.examples import example
from askew.experiment import evaluate
from askew.vectors import open_vectors
from askew_gui import intents
from askew_gui.maps.formulas import head_formula
from askew_gui.maps.views import three_maps
from askew_gui.panels.explanation import arithmetic

if TYPE_CHECKING:
    from askew_gui.store import Store

UNLIKE = "not what the model sees: positions none"


def test_the_inspector_multiplies_what_was_rotated_and_says_so(store: Store) -> None:
    intents.set_field(store, "positions", "rope", "positions")
    experiment = with_bias(with_bias(store.experiment, 0, "q", [1, 2, 3, 4]), 0, "k", [0, -1, 1, 2])
    store.apply(experiment, "biases")
    result = store.evaluation.heads[0]
    steps = arithmetic(store.evaluation, 0, 3, 1)
    q, k, products = steps.strips[2:]
    assert q.title.endswith("·W_q + b_q, rotated")
    assert k.title.endswith("·W_k + b_k, rotated")
    np.testing.assert_array_equal(q.values, result.q[3])
    np.testing.assert_array_equal(k.values, result.k[1])
    assert products.values.sum() / result.divisor == pytest.approx(float(result.scores[3, 1]), abs=1e-4)
    assert steps.lines[0] == "q, k: x·W, then rotated\n  for positions 4, 2"
    bare = with_bias(with_bias(experiment, 0, "q", None), 0, "k", None)
    without = evaluate(bare, store.vectors).heads[0].scores[3, 1]
    from_biases = float(result.scores[3, 1] - without) * result.divisor
    said = next(line for line in steps.lines if "biases" in line)
    assert float(said.split()[-1].replace("−", "-")) == pytest.approx(from_biases, abs=2e-3)


def test_without_rotation_nothing_is_said_of_it(store: Store) -> None:
    steps = arithmetic(store.evaluation, 0, 3, 1)
    assert not any("rotated" in text for text in (*steps.lines, *(strip.title for strip in steps.strips)))
    assert "rope" not in head_formula(store.experiment, (0,))
    intents.set_field(store, "positions", "rope", "positions")
    assert head_formula(store.experiment, (0,)).endswith(", rope")


def test_what_is_not_as_the_model_runs_is_said_under_the_maps() -> None:
    vectors = open_vectors("minilm-l6-v2")
    trained = example("trained", vectors)
    assert three_maps(evaluate(trained, vectors))[1].note == ""
    changed = evaluate(replace(trained, positions="none", stretch="row"), vectors)
    note = three_maps(changed)[1].note
    assert note == f"{UNLIKE} · colours stretched to the largest value of each row"


def test_the_command_line_takes_rope_and_refuses_odd_widths() -> None:
    plain = computed("--text", "the cat sat", "--heads", "2", "--d-k", "4")
    turned = computed("--text", "the cat sat", "--heads", "2", "--d-k", "4", "--positions", "rope")
    assert turned["raw"] == plain["raw"]
    np.testing.assert_allclose(
        np.diagonal(turned["heads"][0]["scores"]), np.diagonal(plain["heads"][0]["scores"]), atol=1e-5
    )
    assert turned["heads"][0]["scores"][0][1] != pytest.approx(plain["heads"][0]["scores"][0][1], abs=1e-3)
    text = failure("compute", "--text", "the cat", "--d-k", "5", "--positions", "rope", "-o", "-")
    assert "d_k is 5" in text


def test_the_command_line_notes_what_the_model_does_not_see() -> None:
    done = run("compute", "--example", "trained", "--positions", "none", "-o", "-")
    assert f"askew: note: {UNLIKE}\n" in done.stderr
    assert run("compute", "--example", "trained", "-o", "-").stderr == ""
