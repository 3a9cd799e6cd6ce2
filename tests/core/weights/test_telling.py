"""Whether a file is one of weights or of word vectors."""

from __future__ import annotations

import os
import zipfile
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import save_file
from tests.core.weights.folders import write_bert

import askew_assets
from askew.initializers import random_heads
from askew.weights.telling import holds_weights
from askew.weights.writing import write_heads, write_matrix

CASES = Path(__file__).parents[2] / "data" / "cases"
VECTORS = sorted((*CASES.glob("A*"), *(CASES / "formats").iterdir()))


@pytest.mark.parametrize("path", VECTORS, ids=lambda path: path.name)
def test_no_vector_file_is_taken_for_weights(path: Path) -> None:
    assert not holds_weights(path)


def test_the_bundled_tables_are_vectors() -> None:
    assert not holds_weights(askew_assets.path("vectors/glove.6B.50d.top50k.f16.safetensors"))


@pytest.mark.parametrize(
    "name",
    [
        "C01a_linear_out_in.safetensors",
        "C01b_linear_out_in.npy",
        "C02_square_orientation.npy",
        "C04a_grouped_kv_heads.safetensors",
        "C06_with_bias.safetensors",
        "C07a_bom_and_header.csv",
    ],
)
def test_the_files_of_weights_are_known(name: str) -> None:
    found = list(CASES.glob(name))
    assert not found or holds_weights(found[0])


def test_what_is_written_is_known_again(tmp_path: Path) -> None:
    heads = random_heads(2, d_model=6, d_k=4, d_v=3)
    write_heads(heads, tmp_path / "heads.npz", "npz")
    write_heads(heads, tmp_path / "heads.safetensors", "safetensors")
    write_matrix(heads[0], "q", tmp_path / "w_q.csv")
    assert all(map(holds_weights, tmp_path.iterdir()))


def test_a_model_folder_is_known_and_any_other_is_not(tmp_path: Path) -> None:
    assert holds_weights(write_bert(tmp_path / "bert"))
    (tmp_path / "empty").mkdir()
    assert not holds_weights(tmp_path / "empty")
    assert not holds_weights(tmp_path / "nothing")


def test_a_bare_matrix_with_words_beside_it_or_with_many_rows_is_a_table_of_vectors(tmp_path: Path) -> None:
    np.save(tmp_path / "matrix.npy", np.zeros((4, 3), np.float32))
    assert holds_weights(tmp_path / "matrix.npy")
    assert holds_weights(tmp_path / "matrix.npy", 3)
    assert not holds_weights(tmp_path / "matrix.npy", 5)
    (tmp_path / "matrix_vocab.txt").write_text("a\nb\nc\nd\n")
    assert not holds_weights(tmp_path / "matrix.npy")
    np.save(tmp_path / "long.npy", np.zeros((20_000, 2), np.float32))
    assert not holds_weights(tmp_path / "long.npy")


def test_embeddings_with_a_tokenizer_are_vectors(tmp_path: Path) -> None:
    save_file({"embeddings": np.zeros((4, 3), np.float32)}, tmp_path / "model.safetensors")
    assert not holds_weights(tmp_path)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("0.5,1\n-2,3\n", True),
        ("a;b\n0,5;1\n", True),
        ("0.5\t1\n\u22122\t3\n", True),
        ("1999\t0.1\t0.2\n2000\t0.3\t0.4\n", False),
        ("the,0.1,0.2\ncat,0.3,0.4\n", False),
        ("0.1 0.2\n0.3 0.4\n", False),
        ("", False),
        ("\n\n", False),
        ("1,five\n", False),
    ],
)
def test_a_table_of_text_is_weights_if_it_holds_no_words(tmp_path: Path, text: str, expected: bool) -> None:
    (tmp_path / "table.csv").write_text(text, "utf-8")
    assert holds_weights(tmp_path / "table.csv") is expected


def test_only_the_beginning_of_a_text_is_looked_at(tmp_path: Path) -> None:
    (tmp_path / "long.csv").write_text("0.25,1\n" * 50_000 + "the end\n")
    assert holds_weights(tmp_path / "long.csv")


def test_any_other_zip_is_not_taken_for_weights(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "some.zip", "w") as archive:
        archive.writestr("glove.txt", "the 0.1 0.2\n")
    assert not holds_weights(tmp_path / "some.zip")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="the system has no pipes by name")
def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    assert not holds_weights(tmp_path / "pipe")
    assert not holds_weights("\0")
