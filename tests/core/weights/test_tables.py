"""Tables of text: what is a row of names and what is not, and files that are shorter than they say."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from askew.errors import WeightsError
from askew.weights import Choice, look, look_text, plan

if TYPE_CHECKING:
    from pathlib import Path


def numbers(text: str) -> list[list[float]]:
    (place,) = look_text(text).places.values()
    return [list(map(float, row)) for row in place.numbers()]


@pytest.mark.parametrize(
    "row", ["dim0,dim1", '"dim0","dim1"', "_x,y", "(q),-k", "Δ,日", "h 0,W_q[0]", " a, b", "e1,x-1"]
)
def test_a_row_of_names_is_passed_over(row: str) -> None:
    assert numbers(f"{row}\n1,2\n3,4") == [[1, 2], [3, 4]]


@pytest.mark.parametrize(
    ("table", "cell"),
    [
        ("1.234,5;2.000,1\n3;4", "1.234,5"),
        ("1 234;5 678\n3;4", "1 234"),
        ("\uff11,\uff12\n3,4", "\uff11"),
        ("50%,20%\n3,4", "50%"),
        ("$5,$6\n1,2", "$5"),
        ("0x1,0x2\n3,4", "0x1"),
        ("1_0,2_0\n3,4", "1_0"),
        ("½,²\n3,4", "½"),
        ("-,-\n3,4", "-"),
        ("1st,2nd\n3,4", "1st"),
    ],
)
def test_numbers_that_are_written_otherwise_are_refused_and_never_taken_for_names(
    table: str, cell: str
) -> None:
    with pytest.raises(WeightsError, match=r"^clipboard: row 1, column 1: ") as caught:
        look_text(table)
    assert f"'{cell}' is not a number" in str(caught.value)


def test_an_npy_that_is_cut_short_is_told_before_it_is_read(tmp_path: Path) -> None:
    np.save(tmp_path / "w.npy", np.zeros((6, 4), np.float32))
    whole = (tmp_path / "w.npy").read_bytes()
    (tmp_path / "w.npy").write_bytes(whole[:-5])
    with pytest.raises(WeightsError, match=r"w\.npy: the file is incomplete: 91 of 96 bytes of data"):
        look(tmp_path / "w.npy")
    (tmp_path / "w.npy").write_bytes(whole)
    assert look(tmp_path / "w.npy").tensors[0].shape == (6, 4)


@pytest.mark.parametrize("name", ["attn.query_key_value.weight", "qkv", "Wqkv.weight", "c_attn"])
def test_a_matrix_alone_that_holds_q_k_and_v_is_not_taken_for_one_of_them(tmp_path: Path, name: str) -> None:
    np.savez(tmp_path / "w.npz", **{name: np.zeros((12, 4), np.float32)})  # type: ignore[arg-type]
    with pytest.raises(WeightsError, match=f"q, k and v are packed in '{name}'"):
        plan(look(tmp_path / "w.npz"), Choice(), 4)


def test_biases_alone_are_not_taken_for_a_matrix(tmp_path: Path) -> None:
    np.savez(tmp_path / "w.npz", b_q=np.zeros((2, 4), np.float32))
    with pytest.raises(WeightsError, match=r"it holds 1 matrix, and no name says"):
        plan(look(tmp_path / "w.npz"), Choice(), 4)


def test_a_type_that_is_not_read_is_named(tmp_path: Path) -> None:
    np.save(tmp_path / "w.npy", np.zeros((2, 2), np.float64))
    (tmp_path / "w.npy").write_bytes((tmp_path / "w.npy").read_bytes().replace(b"<f8", b"<f3"))
    with pytest.raises(WeightsError, match=r"w is of type float24, not numbers of a kind that is read"):
        plan(look(tmp_path / "w.npy"), Choice())
