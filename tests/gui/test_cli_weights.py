"""Files of weights on the command line: what they hold, and heads made from them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.core.weights.written import safetensors
from tests.gui.command_line import failure, run

CASES = Path(__file__).parents[1] / "data/cases"
LISTED = {
    case["case"]: case
    for case in json.loads((CASES / "expected.json").read_text("utf-8"))
    if case["case"][0] == "C" and "file" in case
}
SIZES = ["d_model", "heads", "kv_heads", "d_k", "d_v"]
STACK = ["stacks", "stack"]
KEYS = [
    "kind",
    "scheme",
    *STACK,
    "layers",
    "tensors",
    "roles",
    *SIZES,
    "notes",
    "needs",
    "missing",
    "questions",
]


ENCODER, DECODER = "encoder.layers.*.self_attn", "decoder.layers.*.self_attn"


def info(*arguments: str) -> dict[str, Any]:
    done = run("weights", "info", *arguments, "--json")
    assert done.exit_code == 0, done.stderr
    told: dict[str, Any] = json.loads(done.stdout)
    assert list(told) == KEYS
    return told


def vectors(folder: Path, rows: list[list[float]]) -> str:
    path = folder / "vectors.txt"
    words = zip("abcdef", rows, strict=False)
    path.write_text("".join(f"{word} {' '.join(map(str, row))}\n" for word, row in words))
    return str(path)


def computed(folder: Path, rows: list[list[float]], case: str, *flags: str) -> tuple[dict[str, Any], str]:
    text = " ".join("abcdef"[: len(rows)])
    done = run(
        *("compute", "--vectors", vectors(folder, rows), "--text", text, "-o", "-"),
        *("--weights", str(CASES / LISTED[case]["file"]), *flags),
    )
    assert done.exit_code == 0, done.stderr
    data: dict[str, Any] = json.loads(done.stdout)
    return data, done.stderr


@pytest.mark.parametrize("case", [name for name, case in LISTED.items() if case["expect"] == "error"])
def test_a_bad_file_is_one_line_and_exit_code_one(case: str) -> None:
    flags = ("--heads", "4", "--d-k", "2", "--d-model", "4") if case == "C04b" else ()
    said = failure("weights", "info", str(CASES / LISTED[case]["file"]), *flags)
    for text in LISTED[case]["must_say"]:
        assert text.lower() in said.lower()
    for text in LISTED[case].get("must_not", []):
        assert text.lower() not in said.lower()


@pytest.mark.parametrize("case", ["C01a", "C01b", "C01c"])
def test_a_matrix_is_used_however_it_lies(case: str, tmp_path: Path) -> None:
    """With W_k drawn from the same seed, the same W_q gives the same scores."""
    rows: list[list[float]] = [[1, 1, 1, 1], [1, 0, 0, 0]]
    data, said = computed(tmp_path, rows, case, "--heads", "1", "--seed", "3")
    g = np.random.default_rng([3, 0])
    g.standard_normal((4, 2))
    w_k = np.float32(g.standard_normal((4, 2)) / 2)
    w_q = np.array([[1, 0], [0, 2], [3, 0], [0, 4]])
    scores = (np.array(rows) @ w_q) @ (np.array(rows) @ w_k).T / np.sqrt(2)
    np.testing.assert_allclose(data["heads"][0]["scores"], scores, atol=1e-5)
    assert "w_k, w_v not in it: left as the other flags have it" in said
    assert ("turned over: file is (2, 4)" in said) == (case != "C01c")


def test_a_square_matrix_is_taken_as_it_is_and_turned_over_on_request(tmp_path: Path) -> None:
    rows: list[list[float]] = [[1, 0], [0, 1]]
    taken, said = computed(tmp_path, rows, "C02", "--seed", "3")
    turned, _ = computed(tmp_path, rows, "C02", "--seed", "3", "--orientation", "out-in")
    assert "orientation" in said
    assert taken["heads"][0]["scores"] != turned["heads"][0]["scores"]
    told = info(str(CASES / LISTED["C02"]["file"]))
    assert any("orientation" in note for note in told["notes"])


def test_biases_are_used(tmp_path: Path) -> None:
    case = LISTED["C06"]
    data, _ = computed(tmp_path, case["X"], "C06", "--heads", "1")
    np.testing.assert_allclose(data["heads"][0]["pattern"], case["weights"], atol=1e-6)


def test_shared_keys_are_told(tmp_path: Path) -> None:
    path = str(CASES / LISTED["C04a"]["file"])
    told = info(path, "--heads", "4")
    assert (told["heads"], told["kv_heads"], told["d_k"], told["d_v"]) == (4, 2, 2, 2)
    assert told["roles"][0] == {
        "tensor": "q_proj.weight",
        "part": "w_q",
        "shape": [8, 4],
        "turned_over": True,
        "note": "turned over: file is (8, 4)",
    }
    _, said = computed(tmp_path, [[1, 0, 0, 0], [0, 1, 0, 0]], "C04a", "--heads", "4")
    assert "heads share keys: 4 heads, 2 key heads" in said


def llama(folder: Path) -> str:
    g = np.random.default_rng(0)
    names = [f"model.layers.{n}.self_attn.{part}_proj.weight" for n in range(3) for part in "qkv"]
    arrays = {name: g.standard_normal((50, 50)).astype(np.float32) for name in names}
    return str(safetensors(folder / "llama.safetensors", arrays))


def test_what_the_window_would_ask_names_the_choices_and_the_flag(tmp_path: Path) -> None:
    path = llama(tmp_path)
    said = failure("compute", "-o", "-", "--weights", path, "--heads", "5")
    assert "llama.safetensors: the file has 3 layers. Choose with --layer: 0, 1, 2" in said
    said = failure("compute", "-o", "-", "--weights", path, "--layer", "1")
    assert "Choose with --heads: 1, 2, 5, 10, 25, 50" in said
    assert "no layer 3 in it" in failure("compute", "-o", "-", "--weights", path, "--layer", "3")
    questions = info(path)["questions"]
    assert [(each["field"], each["options"][:2]) for each in questions] == [
        ("layer", ["0", "1"]),
        ("heads", ["1", "2"]),
    ]


def test_what_a_scheme_needs_is_said_and_left_to_the_flags(tmp_path: Path) -> None:
    path = llama(tmp_path)
    flags = ("compute", "-o", "-", "--weights", path, "--heads", "5", "--layer", "1")
    done = run(*flags)
    assert done.exit_code == 0
    assert "need mask causal, positions rope; scoring, mask and positions stay as the" in done.stderr
    assert "not brought: its RMS norm" in done.stderr
    assert np.all(np.array(json.loads(done.stdout)["heads"][0]["pattern"]) > 0)
    masked = json.loads(run(*flags, "--mask", "causal", "--positions", "rope").stdout)
    assert masked["heads"][0]["pattern"][0][1] == 0
    told = info(path)
    assert (told["scheme"], told["layers"]) == ("llama", [0, 1, 2])
    assert told["needs"] == {"scoring": None, "mask": "causal", "positions": "rope"}


def test_a_table_of_what_is_in_a_file_is_printed(tmp_path: Path) -> None:
    done = run("weights", "info", llama(tmp_path), "--heads", "5")
    assert done.exit_code == 0
    lines = done.stdout.splitlines()
    assert lines[0] == "llama.safetensors: safetensors, names of the llama kind, 3 layers"
    assert lines[1] == "d_model 50, heads 5, d_k 10, d_v 10"
    assert lines[3].split() == ["tensor", "shape", "dtype", "becomes"]
    assert lines[4].split() == ["model.layers.0.self_attn.q_proj.weight", "(50,", "50)", "float32", "w_q"]
    assert "needs: mask causal, positions rope" in lines
    assert "question: the file has 3 layers: --layer 0, 1, 2" in lines


def test_a_matrix_of_the_trained_example_is_replaced_where_it_fits(tmp_path: Path) -> None:
    np.savez(tmp_path / "w.npz", w_v=np.zeros((12, 384, 32), np.float32))
    flags = ("compute", "-o", "-", "--example", "trained", "--text", "the cat")
    before = json.loads(run(*flags).stdout)
    done = run(*flags, "--weights", str(tmp_path / "w.npz"))
    after = json.loads(done.stdout)
    assert after["heads"][2]["pattern"] == before["heads"][2]["pattern"]
    assert after["heads"][2]["outputs"] != before["heads"][2]["outputs"]
    assert "w_q, w_k not in it" in done.stderr


def test_another_attention_of_a_model_is_chosen_by_its_name(tmp_path: Path) -> None:
    g = np.random.default_rng(0)
    parts = [("encoder.layers.0.self_attn", 5), ("decoder.layers.1.self_attn", 10)]
    arrays = {
        f"{name}.{part}_proj.weight": g.standard_normal((width, 50)).astype(np.float32)
        for name, width in parts
        for part in "qkv"
    }
    path = str(safetensors(tmp_path / "two.safetensors", arrays))
    told = info(path)
    assert (told["stack"], told["layers"], told["roles"][0]["shape"]) == (ENCODER, [0], [5, 50])
    assert told["stacks"] == [ENCODER, DECODER]
    told = info(path, "--stack", DECODER)
    assert (told["stack"], told["layers"], told["roles"][0]["shape"]) == (DECODER, [1], [10, 50])
    done = run("compute", "-o", "-", "--weights", path, "--heads", "5", "--stack", DECODER)
    assert json.loads(done.stdout)["heads"][0]["d_k"] == 2
    said = failure("weights", "info", path, "--stack", "middle")
    assert f"there is no 'middle' in it. There is {ENCODER}, {DECODER}" in said


@pytest.mark.parametrize(
    "flag", [("--layer", "0"), ("--orientation", "in-out"), ("--part", "k"), ("--stack", "decoder")]
)
def test_choices_about_a_file_need_a_file(flag: tuple[str, str]) -> None:
    assert "Add --weights FILE" in failure("compute", "-o", "-", *flag)


def test_names_that_would_move_a_cursor_are_printed_as_codes(tmp_path: Path) -> None:
    np.savez(tmp_path / "w.npz", **{"evil\x1b[2J": np.ones((2, 2), np.float32)})  # type: ignore[arg-type]
    done = run("weights", "info", str(tmp_path / "w.npz"))
    assert "\x1b" not in done.stdout
    assert "evil\\u001b[2J" in done.stdout
    np.savez(tmp_path / "w.npz", **{"\x1b[2J": np.ones(2, np.float32)})  # type: ignore[arg-type]
    assert "\x1b" not in failure("weights", "info", str(tmp_path / "w.npz"))
