"""A model's folder as the example of a command."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner, Result
from tests.core.weights.folders import bert_tensors, write_bert, write_folder

from askew_gui.cli import main

GOLDEN = Path(__file__).parents[1] / "data" / "golden_layer0_attention.npz"


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["compute", "-o", "-", *arguments])


@pytest.mark.parametrize("number", range(3))
def test_compute_gives_the_pattern_of_a_bert(tmp_path: Path, number: int) -> None:
    with np.load(GOLDEN) as file:
        tokens = bytes(file[f"tokens{number}"]).decode().split("\n")
        pattern = file[f"A{number}"]
    folder = write_bert(tmp_path / "bert")
    done = run("--example", str(folder), "--text", " ".join(tokens[1:-1]))
    assert done.exit_code == 0, done.output
    computed = json.loads(done.stdout)
    assert computed["tokens"] == tokens
    np.testing.assert_allclose([head["pattern"] for head in computed["heads"]], pattern, atol=5e-4, rtol=0)
    assert "left out" in done.stderr


def test_the_number_of_heads_is_asked_for_and_given(tmp_path: Path) -> None:
    folder = str(write_folder(tmp_path / "bert", *bert_tensors()))
    refused = run("--example", folder)
    assert refused.exit_code == 1
    assert "--heads" in refused.stderr
    done = run("--example", folder, "--heads", "12", "--text", "the cat")
    assert done.exit_code == 0, done.output
    assert len(json.loads(done.stdout)["heads"]) == 12


def test_flags_that_draw_draw_on_the_words_of_the_model(tmp_path: Path) -> None:
    done = run("--example", str(write_bert(tmp_path / "bert")), "--seed", "3", "--text", "the cat")
    assert done.exit_code == 0, done.output
    head = json.loads(done.stdout)["heads"][2]
    assert head["d_k"] == 32
    assert head["measures"]["previous"] < 0.9


def test_a_model_brings_its_own_words(tmp_path: Path) -> None:
    refused = run("--example", str(write_bert(tmp_path / "bert")), "--vectors", "glove-6b-50d")
    assert refused.exit_code == 1
    assert "Leave out --vectors" in refused.stderr


def test_what_is_neither_an_example_nor_a_folder_is_a_usage_error(tmp_path: Path) -> None:
    refused = run("--example", str(tmp_path / "nothing"))
    assert refused.exit_code == 2
    assert "trained" in refused.stderr
    empty = run("--example", str(tmp_path))
    assert empty.exit_code == 1
    assert "no model.safetensors" in empty.stderr
