"""The numbers of the command line: those promised, those of numpy alone, and what every flag changes."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest
from tests.gui.command_line import SENTENCE, computed, failure

import askew_assets

if TYPE_CHECKING:
    from askew.arrays import Float64

PROMISED = ("--text", SENTENCE, "--heads", "5", "--d-k", "10", "--d-v", "10", "--seed", "0")


def softmax(scores: Float64) -> Float64:
    e = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return np.asarray(e / e.sum(axis=-1, keepdims=True))


def test_the_promised_numbers_come_out_of_a_process_of_its_own() -> None:
    arguments = [sys.executable, "-m", "askew_gui", "compute", *PROMISED, "-o", "-"]
    done = subprocess.run(arguments, capture_output=True, text=True, timeout=60, check=True)
    assert done.stderr == ""
    data = json.loads(done.stdout)
    pattern = data["raw"]["pattern"]
    assert pattern[0][0] == pytest.approx(0.16901, abs=2e-4)
    assert pattern[1][1] == pytest.approx(0.37532, abs=2e-4)
    assert pattern[8][1] == pytest.approx(0.03099, abs=2e-4)
    assert data["raw"]["dot"][0][0] == pytest.approx(24.683, abs=2e-3)
    assert data["tokens"] == SENTENCE.split()
    assert [head["d_k"] for head in data["heads"]] == [10] * 5


def test_heads_drawn_with_numpy_alone_give_the_same_patterns() -> None:
    data = computed(*PROMISED)
    x = vectors_of(SENTENCE)
    for h, head in enumerate(data["heads"]):
        g = np.random.default_rng([0, h])
        w_q, w_k, w_v = (
            (g.standard_normal((50, 10)) / np.sqrt(50)).astype(np.float32).astype(np.float64) for _ in "qkv"
        )
        scores = (x @ w_q) @ (x @ w_k).T / np.sqrt(10)
        pattern = softmax(scores)
        np.testing.assert_allclose(head["scores"], scores, atol=1e-5)
        np.testing.assert_allclose(head["pattern"], pattern, atol=1e-6)
        np.testing.assert_allclose(head["outputs"], pattern @ (x @ w_v), atol=1e-5)
        np.testing.assert_allclose(head["difference"], pattern - data["raw"]["pattern"], atol=1e-6)


def vectors_of(text: str) -> Float64:
    """Read the word vectors with numpy and json alone."""
    path = next(Path(askew_assets.__file__).parent.glob("vectors/glove*.safetensors"))
    content = path.read_bytes()
    start = 8 + int.from_bytes(content[:8], "little")
    header = json.loads(content[8:start])

    def tensor(name: str) -> bytes:
        first, last = header[name]["data_offsets"]
        return content[start + first : start + last]

    words = tensor("vocab_utf8").decode().split("\n")
    matrix = np.frombuffer(tensor("vectors"), np.float16).reshape(header["vectors"]["shape"])
    return matrix[[words.index(word) for word in text.split()]].astype(np.float64)


def test_an_identity_head_looks_at_itself_first_in_ten_of_twelve_rows_and_gives_raw_back() -> None:
    data = computed("--text", SENTENCE, "--heads", "1", "--init", "identity")
    head = data["heads"][0]
    assert head["d_k"] == data["d_model"] == 50
    assert head["measures"]["self_first"] == pytest.approx(0.833, abs=5e-4)
    np.testing.assert_allclose(head["pattern"], data["raw"]["pattern"], atol=1e-6)


def test_without_flags_the_defaults_are_those_of_the_manual() -> None:
    assert computed() == computed(
        *PROMISED,
        *("--init", "gaussian", "--gain", "1", "--mask", "none", "--normalize", "none", "--temperature", "1"),
        *("--raw", "scaled", "--compare", "as-is", "--unknown", "drop", "--vectors", "glove-6b-50d"),
        *("--scoring", "scaled-dot"),
    )


def test_width_follows_the_number_of_heads_unless_it_is_given() -> None:
    data = computed("--heads", "12", "--d-v", "3")
    assert [head["d_k"] for head in data["heads"]] == [4] * 12
    assert np.shape(data["heads"][0]["outputs"]) == (12, 3)
    assert computed("--heads", "60")["heads"][0]["d_k"] == 1


def test_a_head_does_not_change_when_heads_are_added() -> None:
    few, many = computed("--heads", "2", "--d-k", "10"), computed("--heads", "4", "--d-k", "10")
    assert few["heads"][1]["scores"] == many["heads"][1]["scores"]


def test_flags_override_an_example() -> None:
    example = computed("--example", "glove-random")
    assert computed("--example", "glove-random", "--normalize", "layer", "--seed", "0") == example
    other = computed("--example", "glove-random", "--seed", "1")
    assert other["raw"] == example["raw"]
    assert other["heads"][0]["d_k"] == example["heads"][0]["d_k"] == 10
    assert other == computed("--normalize", "layer", "--gain", "2", "--seed", "1")
    assert computed("--example", "tied", "--heads", "1")["heads"][0]["measures"]["asymmetry"] < 1e-12


@pytest.mark.parametrize(
    ("flags", "changes_raw"),
    [
        (("--mask", "causal"), True),
        (("--temperature", "2"), True),
        (("--normalize", "unit"), True),
        (("--scoring", "cosine"), False),
        (("--compare", "matched"), False),
        (("--gain", "3"), False),
        (("--init", "low-rank", "--rank", "1"), False),
    ],
)
def test_every_flag_reaches_the_numbers(flags: tuple[str, ...], changes_raw: bool) -> None:
    plain, changed = computed(), computed(*flags)
    assert (plain["raw"]["pattern"] != changed["raw"]["pattern"]) == changes_raw
    assert plain["heads"][0] != changed["heads"][0]


# Weights of a file


def saved_heads(folder: Path, heads: int = 2, d_model: int = 50, d_k: int = 7, d_v: int = 3) -> str:
    g = np.random.default_rng(5)
    path = folder / "heads.npz"
    np.savez(
        path,
        w_q=g.standard_normal((heads, d_model, d_k)) / 7,
        w_k=g.standard_normal((heads, d_model, d_k)) / 7,
        w_v=g.standard_normal((heads, d_model, d_v)),
        b_q=g.standard_normal((heads, d_k)),
        b_k=g.standard_normal((heads, d_k)),
        b_v=g.standard_normal((heads, d_v)),
    )
    return str(path)


def test_weights_come_from_a_file_and_scoring_from_the_flags(tmp_path: Path) -> None:
    path = saved_heads(tmp_path)
    data = computed("--weights", path, "--text", SENTENCE)
    x = vectors_of(SENTENCE)
    with np.load(path) as file:
        w = {name: file[name].astype(np.float32).astype(np.float64) for name in file.files}
    for h, head in enumerate(data["heads"]):
        scores = (x @ w["w_q"][h] + w["b_q"][h]) @ (x @ w["w_k"][h] + w["b_k"][h]).T / np.sqrt(7)
        np.testing.assert_allclose(head["pattern"], softmax(scores), atol=1e-5)
        np.testing.assert_allclose(
            head["outputs"], softmax(scores) @ (x @ w["w_v"][h]) + w["b_v"][h], atol=1e-4
        )
    dot = computed("--weights", path, "--scoring", "dot")
    np.testing.assert_allclose(
        dot["heads"][0]["scores"], np.sqrt(7) * np.array(data["heads"][0]["scores"]), rtol=1e-4
    )


def test_weights_that_do_not_fit_the_vectors_are_refused_with_both_numbers(tmp_path: Path) -> None:
    path = saved_heads(tmp_path, d_model=384)
    said = failure("compute", "-o", "-", "--weights", path)
    assert "heads.npz" in said
    assert "384" in said
    assert "glove-6b-50d has 50" in said


@pytest.mark.parametrize(
    ("flags", "said"),
    [
        (("--heads", "3"), "heads is 2 in it, and 3 was asked for. Leave out --heads"),
        (("--d-k", "5"), "d_k is 7 in it, and 5 was asked for. Leave out --d-k"),
        (("--gain", "2"), "Leave out --seed, --init, --gain and --rank"),
        (("--seed", "0"), "Leave out --seed, --init, --gain and --rank"),
    ],
)
def test_weights_and_other_wishes_must_agree(tmp_path: Path, flags: tuple[str, str], said: str) -> None:
    path = saved_heads(tmp_path)
    assert said in failure("compute", "-o", "-", "--weights", path, *flags)
    assert computed("--weights", path, "--heads", "2", "--d-k", "7") == computed("--weights", path)
