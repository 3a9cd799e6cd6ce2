"""Askew's own layout, stacked by head: shapes, biases, and every way an .npz can be wrong."""

from __future__ import annotations

import io
import zipfile
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from askew.errors import WeightsError
from askew.weights import Choice, load, look, lying, plan

if TYPE_CHECKING:
    from pathlib import Path

    from askew.heads import Head


def weights(heads: int = 2, d_model: int = 5, d_k: int = 3, d_v: int = 4) -> dict[str, Any]:
    g = np.random.default_rng(0)
    return {
        "w_q": g.standard_normal((heads, d_model, d_k)),
        "w_k": g.standard_normal((heads, d_model, d_k)),
        "w_v": g.standard_normal((heads, d_model, d_v)),
    }


def read_npz(path: Path) -> tuple[Head, ...]:
    file = look(path)
    heads = load(file, plan(file, Choice())).heads
    assert heads is not None
    return heads


def saved(folder: Path, arrays: dict[str, Any]) -> Path:
    path = folder / "heads.npz"
    np.savez(path, **arrays)
    return path


def test_matrices_are_read_as_they_are_and_biases_where_there_are_any(tmp_path: Path) -> None:
    arrays = weights() | {"b_q": np.ones((2, 3)), "b_v": np.arange(8).reshape(2, 4)}
    heads = read_npz(saved(tmp_path, arrays))
    assert len(heads) == 2
    for h, head in enumerate(heads):
        assert np.array_equal(head.w_q, arrays["w_q"][h].astype(np.float32))
        assert np.array_equal(head.w_k, arrays["w_k"][h].astype(np.float32))
        assert np.array_equal(head.w_v, arrays["w_v"][h].astype(np.float32))
        assert head.b_q is not None
        assert head.b_v is not None
        assert head.b_k is None
        assert np.array_equal(head.b_v, arrays["b_v"][h].astype(np.float32))
        assert (str(head.recipe), head.scoring) == ("imported from heads.npz", "scaled-dot")


def test_a_compressed_file_is_read_too(tmp_path: Path) -> None:
    path = tmp_path / "heads.npz"
    np.savez_compressed(path, **weights())
    assert len(read_npz(path)) == 2


def refusal(folder: Path, arrays: dict[str, Any]) -> str:
    with pytest.raises(WeightsError) as caught:
        read_npz(saved(folder, arrays))
    return str(caught.value)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"w_k": np.zeros((2, 5, 2))}, ["w_k has shape (2, 5, 2)", "(2, 5, 3)"]),
        ({"w_k": np.zeros((3, 5, 3))}, ["w_k has shape (3, 5, 3)", "(2, 5, 3)"]),
        ({"w_v": np.zeros((2, 6, 4))}, ["w_v has shape (2, 6, 4)", "(2, 5, 4)"]),
        ({"w_q": np.zeros((5, 3))}, ["w_q has shape (5, 3)", "(heads, d_model, d)"]),
        ({"w_q": np.zeros((0, 5, 3))}, ["w_q has shape (0, 5, 3)"]),
        ({"b_q": np.zeros((2, 4))}, ["b_q has shape (2, 4)", "(2, 3)"]),
        ({"b_k": np.zeros(3)}, ["b_k has shape (3,)", "(heads, d)"]),
        ({"w_q": np.full((2, 5, 3), np.nan)}, ["head 0", "w_q", "not finite: row 1, column 1"]),
        ({"b_v": np.array([[1, 2, 3, 4], [5, 6, np.inf, 8]])}, ["head 1", "b_v", "not finite: column 3"]),
        ({"w_q": np.full((2, 5, 3), 1e300)}, ["head 0", "w_q", "not finite"]),
        ({"w_q": np.full((2, 5, 3), "a")}, ["w_q is of type str"]),
        ({"w_q": np.zeros((2, 5, 3), complex)}, ["w_q is of type complex"]),
        ({"bq": np.zeros((2, 3))}, ["'bq'", "w_q, w_k, w_v, b_q, b_k, b_v"]),
    ],
)
def test_what_does_not_fit_is_named_with_its_shape(
    tmp_path: Path, changes: dict[str, Any], said: list[str]
) -> None:
    message = refusal(tmp_path, weights() | changes)
    assert all(part in message for part in ["heads.npz", *said]), message


def written(path: Path, members: dict[str, bytes]) -> Path:
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in members.items():
            archive.writestr(f"{name}.npy", content)
    return path


def test_a_member_that_is_no_array_is_named(tmp_path: Path) -> None:
    path = written(tmp_path / "heads.npz", dict.fromkeys(("w_q", "w_k", "w_v"), b"rubbish"))
    with pytest.raises(WeightsError, match=r"heads\.npz: w_q is no array"):
        read_npz(path)


def test_a_header_that_promises_more_than_any_memory_is_damage(tmp_path: Path) -> None:
    header = io.BytesIO()
    shape = (2, 10**9, 10**9)
    np.lib.format.write_array_header_1_0(header, {"descr": "<f4", "fortran_order": False, "shape": shape})
    path = written(tmp_path / "heads.npz", {name: header.getvalue() for name in ("w_q", "w_k", "w_v")})
    with pytest.raises(WeightsError, match=r"heads\.npz: its matrices hold more than"):
        read_npz(path)


def test_an_archive_without_arrays_is_refused(tmp_path: Path) -> None:
    assert "it holds no matrices" in refusal(tmp_path, {})


def test_a_file_that_lacks_matrices_brings_the_others_alone(tmp_path: Path) -> None:
    arrays = weights()
    file = look(saved(tmp_path, {"w_q": arrays["w_q"]}))
    what = plan(file, Choice())
    assert what.lacking == ("w_k", "w_v")
    imported = load(file, what)
    assert imported.heads is None
    assert list(imported.parts) == ["w_q"]
    full = read_npz(saved(tmp_path, weights()))
    heads = imported.onto(full)
    assert np.array_equal(heads[1].w_q, arrays["w_q"][1].astype(np.float32))
    assert heads[1].w_k is full[1].w_k
    with pytest.raises(WeightsError, match="it brings 2 heads, and there are 1"):
        imported.onto(full[:1])


def test_a_bias_without_its_matrix_is_refused(tmp_path: Path) -> None:
    arrays = weights()
    del arrays["w_v"]
    assert "there is no w_v" in refusal(tmp_path, arrays | {"b_v": np.zeros((2, 4))})


class RunsCode:
    """Leaves a mark when a pickle of it is loaded."""

    ran = False

    def __setstate__(self, state: object) -> None:
        RunsCode.ran = True


def test_a_file_with_python_objects_is_refused_and_runs_nothing(tmp_path: Path) -> None:
    bomb = RunsCode()
    vars(bomb)["armed"] = True
    message = refusal(tmp_path, weights() | {"w_q": np.array([bomb], dtype=object)})
    assert "Python objects" in message
    assert "float" in message
    assert not RunsCode.ran


@pytest.mark.parametrize("content", [b"hello", b"PK\x03\x04 cut"])
def test_what_is_no_archive_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "heads.npz"
    path.write_bytes(content)
    with pytest.raises(WeightsError, match=r"heads\.npz: not an \.npz file, or cut short"):
        read_npz(path)


def test_a_file_cut_short_or_damaged_is_refused(tmp_path: Path) -> None:
    path = saved(tmp_path, weights())
    whole = path.read_bytes()
    for broken in (whole[:-40], whole[:300] + b"\0" * 40 + whole[340:]):
        path.write_bytes(broken)
        with pytest.raises(WeightsError, match=r"heads\.npz"):
            read_npz(path)


def test_a_member_whose_header_is_damaged_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "heads.npz"
    with zipfile.ZipFile(path, "w") as archive:
        for name, array in weights().items():
            member = io.BytesIO()
            np.save(member, array)
            archive.writestr(f"{name}.npy", member.getvalue()[: 200 if name == "w_k" else None])
    with pytest.raises(WeightsError, match=r"heads\.npz"):
        read_npz(path)


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(WeightsError, match=r"cannot read .*none\.npz: no such file"):
        read_npz(tmp_path / "none.npz")


def test_a_file_that_would_fill_the_memory_is_refused_before_it_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = saved(tmp_path, weights())
    monkeypatch.setattr(lying, "MAX_NUMBERS", 99)
    with pytest.raises(WeightsError, match="more than 99 numbers"):
        plan(look(path), Choice())
