"""Heads written to files: every number comes back, and the program computes what is shown."""

from __future__ import annotations

import io
import json
import subprocess
import sys
import zipfile
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from safetensors import safe_open

from askew.errors import AskewError, ExperimentError, WeightsError
from askew.examples import example
from askew.experiment import Experiment, evaluate
from askew.heads import Head
from askew.initializers import random_heads
from askew.inputs import POSITIONS
from askew.masks import MASKS
from askew.scoring import SCORINGS
from askew.vectors import WordVectors, open_vectors
from askew.weights import Choice, load, look, plan
from askew.weights.script import BESIDE, write_script
from askew.weights.writing import shared_keys, table, write_heads, write_matrix

if TYPE_CHECKING:
    from pathlib import Path
    from typing import Any

    from askew.arrays import Float32
    from askew.evaluation import Evaluation

WITH_NUMPY_ALONE = """
import builtins, runpy, sys
plain = builtins.__import__
def only(name, *rest, **more):
    top = name.partition(".")[0]
    if top in ("askew", "askew_gui", "torch", "scipy", "safetensors"):
        raise ImportError(name)
    return plain(name, *rest, **more)
builtins.__import__ = only
runpy.run_path(sys.argv[1], run_name="__main__")
"""


@pytest.fixture(scope="module")
def glove() -> WordVectors:
    return open_vectors("glove-6b-50d")


@pytest.fixture(scope="module")
def minilm() -> WordVectors:
    return open_vectors("minilm-l6-v2")


def numbers(*values: float) -> Float32:
    return np.array(values, dtype=np.float32)


def heads_with_biases(count: int = 3) -> tuple[Head, ...]:
    rng = np.random.default_rng(7)
    drawn = random_heads(count, d_model=6, d_k=4, d_v=3, seed=5)
    biases = [[numbers(*rng.normal(size=size)) for size in (4, 4, 3)] for _ in drawn]
    return tuple(
        replace(head, b_q=b_q, b_k=b_k, b_v=b_v) for head, (b_q, b_k, b_v) in zip(drawn, biases, strict=True)
    )


def test_an_npz_gives_every_number_back(tmp_path: Path) -> None:
    heads = heads_with_biases()
    write_heads(heads, tmp_path / "heads.npz", "npz")
    with np.load(tmp_path / "heads.npz", allow_pickle=False) as file:
        assert set(file.files) == {"w_q", "w_k", "w_v", "b_q", "b_k", "b_v"}
        for name in file.files:
            assert file[name].dtype == np.float32
            np.testing.assert_array_equal(file[name], [getattr(head, name) for head in heads])


def test_biases_that_no_head_has_are_not_written_and_one_that_some_lack_is_zeros(tmp_path: Path) -> None:
    plain = random_heads(2, d_model=6, d_k=4, d_v=3)
    write_heads(plain, tmp_path / "plain.npz", "npz")
    with np.load(tmp_path / "plain.npz") as file:
        assert set(file.files) == {"w_q", "w_k", "w_v"}
    mixed = (replace(plain[0], b_q=numbers(1, 2, 3, 4)), plain[1])
    write_heads(mixed, tmp_path / "mixed.npz", "npz")
    with np.load(tmp_path / "mixed.npz") as file:
        np.testing.assert_array_equal(file["b_q"], [[1, 2, 3, 4], [0, 0, 0, 0]])
        assert "b_k" not in file.files


def test_safetensors_gives_every_number_back_and_says_what_it_is(tmp_path: Path) -> None:
    first, second, third = heads_with_biases()
    heads = (first, replace(second, w_k=first.w_k), third)
    path = tmp_path / "heads.safetensors"
    write_heads(heads, path, "safetensors")
    file: Any = safe_open(path, framework="np")
    assert file.metadata() == {
        "format": "askew-heads-1",
        "heads": "3",
        "shared_keys": "0,0,1",
        "scoring": "scaled-dot,scaled-dot,scaled-dot",
    }
    for name in file.keys():  # noqa: SIM118  (no dict)
        np.testing.assert_array_equal(file.get_tensor(name), [getattr(head, name) for head in heads])


@pytest.mark.parametrize("kind", ["npz", "safetensors"])
def test_askew_reads_its_own_files_back_bit_for_bit(tmp_path: Path, kind: str) -> None:
    heads = heads_with_biases()
    path = tmp_path / f"heads.{kind}"
    write_heads(heads, path, kind)  # type: ignore[arg-type]
    file = look(path)
    imported = load(file, plan(file, Choice(), d_model=6))
    assert imported.heads is not None
    assert len(imported.heads) == 3
    for old, new in zip(heads, imported.heads, strict=True):
        for name in ("w_q", "w_k", "w_v", "b_q", "b_k", "b_v"):
            assert getattr(new, name).tobytes() == getattr(old, name).tobytes()


@pytest.mark.parametrize("kind", ["npz", "safetensors"])
def test_keys_that_heads_share_are_shared_again_when_read_back(tmp_path: Path, kind: str) -> None:
    first, second, third = heads_with_biases()
    path = tmp_path / f"heads.{kind}"
    write_heads((first, replace(second, w_k=first.w_k), third), path, kind)  # type: ignore[arg-type]
    file = look(path)
    heads = load(file, plan(file, Choice(), d_model=6)).heads
    assert heads is not None
    assert shared_keys(heads) == [0, 0, 1]


def test_askew_reads_its_own_csv_back_bit_for_bit(tmp_path: Path) -> None:
    head = heads_with_biases(1)[0]
    write_matrix(head, "k", tmp_path / "w_k.csv")
    file = look(tmp_path / "w_k.csv")
    imported = load(file, plan(file, Choice(part="k"), d_model=6, like=head))
    assert imported.parts["w_k"][0].tobytes() == head.w_k.tobytes()


@pytest.mark.parametrize("kind", ["npz", "safetensors", "csv"])
def test_the_same_heads_give_the_same_bytes(tmp_path: Path, kind: str) -> None:
    for name in ("one", "two"):
        write_heads(heads_with_biases(), tmp_path / name, kind)  # type: ignore[arg-type]
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()


def test_csv_is_a_table_for_each_matrix_and_bias(tmp_path: Path) -> None:
    heads = heads_with_biases(2)
    write_heads(heads, tmp_path / "heads.zip", "csv", numbers=(0, 4))
    with zipfile.ZipFile(tmp_path / "heads.zip") as archive:
        assert len(archive.namelist()) == 12
        for number, head in zip((0, 4), heads, strict=True):
            for name in ("w_q", "w_k", "w_v", "b_q", "b_k", "b_v"):
                read = np.loadtxt(
                    io.BytesIO(archive.read(f"head{number}_{name}.csv")), delimiter=",", dtype=np.float32
                )
                np.testing.assert_array_equal(read, getattr(head, name))


def test_one_matrix_is_one_csv(tmp_path: Path) -> None:
    head = heads_with_biases(1)[0]
    write_matrix(head, "v", tmp_path / "w_v.csv")
    lines = (tmp_path / "w_v.csv").read_text().splitlines()
    assert [len(line.split(",")) for line in lines] == [3] * 6
    assert np.float32(lines[5].split(",")[2]) == head.w_v[5, 2]


@given(arrays(np.float32, (2, 3), elements=st.floats(width=32, allow_nan=False, allow_infinity=False)))
def test_a_csv_cell_gives_its_float32_back_bit_for_bit(matrix: np.ndarray) -> None:
    rows = [line.split(b",") for line in table(matrix).splitlines()]
    read = np.array([[np.float32(float(cell)) for cell in row] for row in rows], dtype=np.float32)
    assert read.tobytes() == matrix.tobytes()


def test_heads_of_different_shapes_have_a_place_in_csv_alone(tmp_path: Path) -> None:
    heads = (*random_heads(1, d_model=6, d_k=4, d_v=3), *random_heads(1, d_model=6, d_k=2, d_v=3))
    with pytest.raises(WeightsError, match=r"\(6, 4\).*\(6, 2\)"):
        write_heads(heads, tmp_path / "heads.npz", "npz")
    assert not list(tmp_path.iterdir())
    write_heads(heads, tmp_path / "heads.zip", "csv")
    assert zipfile.is_zipfile(tmp_path / "heads.zip")


def test_no_head_is_an_error_and_leaves_the_old_file(tmp_path: Path) -> None:
    (tmp_path / "heads.npz").write_text("old")
    with pytest.raises(WeightsError, match="no head"):
        write_heads((), tmp_path / "heads.npz", "npz")
    assert (tmp_path / "heads.npz").read_text() == "old"


def test_heads_that_share_keys_are_told_by_the_same_array() -> None:
    heads = heads_with_biases(3)
    copied = heads[0].w_k.copy()
    assert shared_keys((heads[0], replace(heads[1], w_k=heads[0].w_k), replace(heads[2], w_k=copied))) == [
        0,
        0,
        1,
    ]


def run(program: Path) -> subprocess.CompletedProcess[str]:
    """Run a program where neither Askew nor anything but numpy can be imported."""
    return subprocess.run(
        [sys.executable, "-I", "-W", "error", "-c", WITH_NUMPY_ALONE, str(program)],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def small(glove: WordVectors, **fields: object) -> Experiment:
    start = Experiment("the cat and the dog", glove.ref, random_heads(2, d_model=50, d_k=4, d_v=3, gain=4.0))
    return replace(start, **fields)  # type: ignore[arg-type]


def scored(experiment: Experiment, name: str) -> Experiment:
    return replace(experiment, heads=tuple(replace(head, scoring=name) for head in experiment.heads))


def check_runs(evaluation: Evaluation, path: Path) -> None:
    write_script(evaluation, path)
    done = run(path)
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("the pattern is as shown") == len(evaluation.heads)


@pytest.mark.parametrize("scoring", SCORINGS)
def test_the_program_computes_every_scoring(glove: WordVectors, scoring: str, tmp_path: Path) -> None:
    check_runs(evaluate(scored(small(glove), scoring), glove), tmp_path / "attention.py")


@pytest.mark.parametrize("mask", MASKS)
def test_the_program_computes_every_mask_and_temperature(
    glove: WordVectors, mask: str, tmp_path: Path
) -> None:
    experiment = small(glove, mask=mask, temperature=0.3, text="the zzqx cat and the dog", unknown="keep")
    check_runs(evaluate(experiment, glove), tmp_path / "attention.py")


@pytest.mark.parametrize("positions", [name for name in POSITIONS if name != "learned"])
def test_the_program_computes_all_positions(glove: WordVectors, positions: str, tmp_path: Path) -> None:
    check_runs(evaluate(small(glove, positions=positions), glove), tmp_path / "attention.py")


def test_the_program_computes_the_trained_layer(minilm: WordVectors, tmp_path: Path) -> None:
    check_runs(evaluate(example("trained", minilm), minilm), tmp_path / "it's \u00e9.py")


def test_the_program_computes_undefined_cosines_and_huge_scores(tmp_path: Path) -> None:
    words = WordVectors.from_arrays(
        ["a", "b", "c"], np.array([[0, 0], [3, 4], [1e4, -2e4]], dtype=np.float32)
    )
    identity = np.eye(2, dtype=np.float32)
    for name in SCORINGS:
        experiment = Experiment("a b c b", words.ref, (Head(identity, identity, identity, scoring=name),))
        check_runs(evaluate(experiment, words), tmp_path / f"{name}.py")


def test_the_program_stops_where_its_numbers_are_others(glove: WordVectors, tmp_path: Path) -> None:
    path = tmp_path / "attention.py"
    beside = write_script(evaluate(small(glove), glove), path, heads=[1])
    with np.load(beside) as file:
        numbers = dict(file)
    assert numbers["heads"].tolist() == [1]
    numbers["w_q"][0, 0, 0] += 1
    np.savez(beside, **numbers)
    done = run(path)
    assert done.returncode == 1
    assert "AssertionError" in done.stderr


def test_the_program_is_short_and_names_its_heads(glove: WordVectors, tmp_path: Path) -> None:
    write_script(evaluate(small(glove), glove), tmp_path / "attention.py", heads=[1])
    text = (tmp_path / "attention.py").read_text("utf-8")
    assert "Attention of head 1 over 5 tokens" in text
    assert len(text.splitlines()) <= 60
    assert max(map(len, text.splitlines())) <= 110
    compile(text, "attention.py", "exec")


def test_the_program_does_not_take_the_place_of_numbers_of_something_else(
    glove: WordVectors, tmp_path: Path
) -> None:
    (tmp_path / f"mine{BESIDE}").write_text("mine")
    evaluation = evaluate(small(glove), glove)
    with pytest.raises(AskewError, match=f"mine{BESIDE} already"):
        write_script(evaluation, tmp_path / "mine.py")
    assert (tmp_path / f"mine{BESIDE}").read_text() == "mine"
    write_script(evaluation, tmp_path / "other.py")
    write_script(evaluation, tmp_path / "other.py")


def test_without_tokens_there_is_no_program(glove: WordVectors, tmp_path: Path) -> None:
    with pytest.raises(ExperimentError, match="no token"):
        write_script(evaluate(small(glove, text="zzqx"), glove), tmp_path / "attention.py")
    assert not list(tmp_path.iterdir())


def test_the_names_of_a_safetensors_file_are_plain_json(tmp_path: Path) -> None:
    write_heads(heads_with_biases(1), tmp_path / "heads.safetensors", "safetensors")
    data = (tmp_path / "heads.safetensors").read_bytes()
    length = int.from_bytes(data[:8], "little")
    assert length % 8 == 0
    assert json.loads(data[8 : 8 + length])["w_q"]["shape"] == [1, 6, 4]
