"""Every case about weights: the numbers that a file gives, and what must be said about it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from askew.errors import WeightsError
from askew.experiment import Experiment, evaluate
from askew.heads import FromFile, FromFiles
from askew.initializers import random_heads
from askew.session import Session
from askew.session_file import from_bytes, to_bytes
from askew.vectors import WordVectors
from askew.weights import Choice, Imported, load, look, look_text, plan
from askew.weights.applying import Target, bring

if TYPE_CHECKING:
    from askew.heads import Orientation

DATA = Path(__file__).parents[2] / "data/cases"
CASES = {
    case["case"]: case
    for case in json.loads((DATA / "expected.json").read_text("utf-8"))
    if case["case"][0] == "C"
}
REFUSED = [name for name, case in CASES.items() if case["expect"] == "error"]


def brought(name: str, choice: Choice, d_model: int) -> Imported:
    file = look(DATA / CASES[name]["file"])
    return load(file, plan(file, choice, d_model))


@pytest.mark.parametrize("name", ["C01a", "C01b", "C01c"])
def test_a_matrix_gives_the_same_query_however_it_lies(name: str) -> None:
    case = CASES[name]
    imported = brought(name, Choice(heads=1), case["d_model"])
    (w_q,) = imported.parts["w_q"]
    assert w_q.shape == (case["d_model"], case["d_k"])
    assert (np.array(case["x"]) @ w_q).tolist() == case["q"]
    assert any("turned over: file is (2, 4)" in note for note in imported.notes) == (name != "C01c")


def test_a_square_matrix_is_taken_as_it_is_unless_chosen_otherwise_and_said_so() -> None:
    case = CASES["C02"]
    imported = brought("C02", Choice(), 2)
    (w_q,) = imported.parts["w_q"]
    assert (np.array(case["x"]) @ w_q).tolist() == case["if_used_as_x_W"]
    assert any(case["must_say"][0] in note for note in imported.notes)
    turned = brought("C02", Choice(orientation="out-in"), 2)
    (w_q,) = turned.parts["w_q"]
    assert (np.array(case["x"]) @ w_q).tolist() == case["if_torch_weight"]


@pytest.mark.parametrize("orientation", ["in-out", "out-in"])
def test_how_a_square_matrix_was_taken_is_kept_in_the_session(orientation: Orientation) -> None:
    table = WordVectors.from_arrays(["a", "b"], np.eye(2, dtype=np.float32), "two")
    start = Experiment("a b", table.ref, random_heads(2, d_model=2, d_k=2, d_v=2, seed=0))
    experiment = bring(start, brought("C02", Choice(orientation=orientation), 2), Target("head")).experiment
    saved = to_bytes(Session((experiment,)), {table.fingerprint: table})
    first, second = from_bytes(saved, "s.askew").session.experiment.heads
    assert first.recipe == FromFiles(q=FromFile("C02_square_orientation.npy", orientation))
    assert first.w_q[0].tolist() == ([1, 2] if orientation == "in-out" else [1, 3])
    assert second.recipe == start.heads[1].recipe


def test_fewer_key_heads_are_shared_and_said_so() -> None:
    case = CASES["C04a"]
    imported = brought("C04a", Choice(heads=case["heads"]), 4)
    keys = [(np.array(case["x"]) @ w_k).tolist() for w_k in imported.parts["w_k"]]
    assert keys == case["K_by_head"]
    assert any("heads share keys" in note for note in imported.notes)


def refusal(name: str) -> str:
    choice = Choice(heads=4, d_k=2) if name == "C04b" else Choice()
    with pytest.raises(WeightsError) as caught:
        brought(name, choice, 4 if name == "C04b" else 3)
    return str(caught.value)


@pytest.mark.parametrize("name", REFUSED)
def test_a_bad_file_is_refused_in_words(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    case, said = CASES[name], refusal(name)
    for text in (*case["must_say"], case["file"]):
        assert text.lower() in said.lower()
    for text in case.get("must_not", []):
        assert text.lower() not in said.lower()
    assert not (tmp_path / "ASKEW_TEST_PICKLE_WAS_RUN").exists()


def test_key_rows_that_are_no_multiple_of_d_k_are_told_with_those_of_the_query() -> None:
    assert "k has 3 output rows, not a multiple of d_k = 2; q has 8" in refusal("C04b")
    file = look(DATA / CASES["C04b"]["file"])
    (like,) = random_heads(1, d_model=4, d_k=2, d_v=2, seed=0)
    with pytest.raises(WeightsError, match=r"k has 3 output rows, not a multiple of d_k = 2"):
        plan(file, Choice(), 4, like)


def test_biases_are_brought_and_give_the_pattern() -> None:
    case = CASES["C06"]
    imported = brought("C06", Choice(heads=1), 2)
    heads = imported.onto(random_heads(1, d_model=2, d_k=2, d_v=2, seed=0))
    vectors = WordVectors.from_arrays(["a", "b"], np.array(case["X"], np.float32))
    # The case is softmax(q·k / √d_k), as heads score by default.
    pattern = evaluate(Experiment("a b", vectors.ref, heads), vectors).pattern[0]
    np.testing.assert_allclose(pattern, case["weights"], atol=1e-6)
    without = {part: array for part, array in imported.parts.items() if part != "b_k"}
    heads = Imported(None, without).onto(random_heads(1, d_model=2, d_k=2, d_v=2, seed=0))
    again = evaluate(Experiment("a b", vectors.ref, heads), vectors).pattern[0]
    np.testing.assert_allclose(again, case["weights"], atol=1e-6)


def test_a_byte_order_mark_and_a_row_of_names_are_passed_over() -> None:
    (w_q,) = brought("C07a", Choice(), 2).parts["w_q"]
    assert w_q.tolist() == CASES["C07a"]["matrix"]


def test_a_pasted_table_of_a_german_spreadsheet_keeps_its_signs_and_has_no_third_row() -> None:
    case = CASES["C11"]
    file = look_text(case["clipboard"])
    assert file.tensors[0].shape == (2, 2)
    (w_q,) = load(file, plan(file, Choice(), 2)).parts["w_q"]
    assert w_q.tolist() == case["matrix"]


def of(folder: Path, text: str, name: str = "w_q.csv") -> list[Any]:
    (folder / name).write_text(text, "utf-8")
    file = look(folder / name)
    values: list[Any] = load(file, plan(file, Choice(orientation="in-out"))).parts["w_q"][0].tolist()
    return values


@pytest.mark.parametrize(
    ("text", "name", "kind"),
    [
        ("1,2\n3,4\n", "w.csv", "csv"),
        ("1;2\r\n3;4", "w.csv", "csv"),
        ("1\t2\n3\t4\n", "w.tsv", "tsv"),
        ("1 2\n3 4\n", "w.txt", "text"),
        ("# made by savetxt\n1e0 2.0\n3 4\n", "w.txt", "text"),
        ('"a","b"\n"1","2"\n3,4\n', "w.csv", "csv"),
        ("\ufeff1,0;2,0\n3;4\n", "w.csv", "csv"),
    ],
)
def test_tables_from_anywhere_are_read(tmp_path: Path, text: str, name: str, kind: str) -> None:
    assert of(tmp_path, text, name) == [[1, 2], [3, 4]]
    assert look(tmp_path / name).kind == kind


def test_a_table_in_utf_16_is_read(tmp_path: Path) -> None:
    (tmp_path / "w.tsv").write_bytes("1\t2\r\n3\t4\r\n".encode("utf-16"))
    assert look(tmp_path / "w.tsv").tensors[0].shape == (2, 2)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a,b\n1,x\n", "row 2, column 2: 'x'"),
        ("a,b\n1,2\n3\n", "row 3 has 1 value, row 2 has 2"),
        ("1,2\n\n3,4\n", "row 2 is empty"),
        ("1,nan\n3,4\n", "row 1, column 2: 'nan'"),
        ("inf,nan\n3,4\n", "row 1, column 1: 'inf'"),
        ("1,2\n3,1e39\n", "row 2, column 2: '1e39' is too large"),
        (",a,b\n0,1,2\n", "row 1, column 1 is empty"),
        ("a,b\n", "row 1, column 1: 'a'"),
        ("1\n" * 65_537, "it has more than 65,536 rows"),
        ("#\n" * 65_537 + "1", "it has more than 65,536 rows"),
        ("1," * 65_536 + "1", "a row of it has more than 65,536 values"),
        ("\n\n", "there is no table in it"),
        ("# only words\n", "there is no table in it"),
    ],
)
def test_a_bad_cell_is_named_by_the_row_and_column_of_the_file(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(WeightsError) as caught:
        of(tmp_path, text)
    assert str(caught.value).startswith(f"w_q.csv: {said}")
