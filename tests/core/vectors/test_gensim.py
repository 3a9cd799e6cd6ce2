"""gensim reads what we write and we read what gensim writes, wherever gensim is right."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import tarfile
import warnings
import zipfile
from typing import TYPE_CHECKING, Protocol

import numpy as np
import pytest
from backports import zstd

from askew.errors import VectorsError
from askew.vectors import files, open_vectors
from askew.vectors.importing import import_vectors
from askew.vectors.store import open_store

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from askew.arrays import Float32

WORDS = [
    "the",
    "caf\u00e9",
    "\u5317\u4eac",
    "new_york",
    "3.14",
    "\u0085",
    "x\u2028y",
    "</s>",
    "nan",
    "\U0001f44d",
]


class Keyed(Protocol):
    """What is used of gensim's KeyedVectors."""

    def save_word2vec_format(self, fname: str, *, binary: bool, write_header: bool = True) -> None: ...

    def most_similar(self, positive: str, *, topn: int) -> list[tuple[str, float]]: ...


@pytest.fixture
def matrix() -> Float32:
    return np.random.default_rng(4).standard_normal((len(WORDS), 7)).astype(np.float32)


@pytest.fixture
def made(matrix: Float32) -> Keyed:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from gensim.models import KeyedVectors
    vectors = KeyedVectors(7)
    vectors.add_vectors(WORDS, matrix)
    keyed: Keyed = vectors
    return keyed


@pytest.mark.parametrize("small", [0, files.SMALL], ids=["indexed", "whole"])
@pytest.mark.parametrize(("binary", "header"), [(False, False), (False, True), (True, True)])
def test_what_gensim_writes_is_read_bit_for_bit(
    made: Keyed,
    matrix: Float32,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    small: int,
    binary: bool,
    header: bool,
) -> None:
    monkeypatch.setattr(files, "SMALL", small)
    path = tmp_path / "vectors"
    made.save_word2vec_format(str(path), binary=binary, write_header=header)
    vectors = open_vectors(path)
    assert list(vectors) == WORDS
    np.testing.assert_array_equal(vectors.vectors(WORDS), matrix)


def test_neighbours_are_those_of_gensim(made: Keyed, tmp_path: Path) -> None:
    path = tmp_path / "vectors"
    made.save_word2vec_format(str(path), binary=True)
    stored = open_store(import_vectors(path))
    assert stored is not None
    for vectors in (open_vectors(path), stored):
        for word in WORDS:
            ours, theirs = vectors.neighbours(word, 4), made.most_similar(word, topn=4)
            assert [each for each, _ in ours] == [each for each, _ in theirs]
            assert [cosine for _, cosine in ours] == pytest.approx([cosine for _, cosine in theirs], abs=1e-6)


def in_zip(data: bytes) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("__MACOSX/._vectors", b"not this")
        archive.writestr("README.md", b"nor this")
        archive.writestr("folder/vectors", data)
    return packed.getvalue()


def in_tar(data: bytes) -> bytes:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as archive:
        entry = tarfile.TarInfo("folder/vectors")
        entry.size = len(data)
        archive.addfile(entry, io.BytesIO(data))
    return packed.getvalue()


PACKERS: dict[tuple[str, ...], Callable[[bytes], bytes]] = {
    ("gz",): gzip.compress,
    ("bz2",): bz2.compress,
    ("xz",): lzma.compress,
    ("zst",): zstd.compress,
    ("zip",): in_zip,
    ("tar",): in_tar,
    ("tar", "xz"): lambda data: lzma.compress(in_tar(data)),
    ("gz", "zst"): lambda data: zstd.compress(gzip.compress(data)),
}


@pytest.mark.parametrize("binary", [False, True])
@pytest.mark.parametrize("containers", PACKERS, ids="-".join)
def test_what_is_packed_is_read_as_what_is_not(
    made: Keyed, matrix: Float32, tmp_path: Path, containers: tuple[str, ...], binary: bool
) -> None:
    plain = tmp_path / "plain"
    made.save_word2vec_format(str(plain), binary=binary)
    packed = tmp_path / "packed.txt"  # the name says nothing
    packed.write_bytes(PACKERS[containers](plain.read_bytes()))
    vectors = open_vectors(packed)
    assert vectors.origin.container == containers
    assert list(vectors) == WORDS
    np.testing.assert_array_equal(vectors.vectors(WORDS), matrix)


@pytest.mark.parametrize("containers", [each for each in PACKERS if each != ("tar",)], ids="-".join)
def test_what_is_packed_and_cut_short_is_said_to_be_incomplete(
    made: Keyed, tmp_path: Path, containers: tuple[str, ...]
) -> None:
    plain = tmp_path / "plain"
    made.save_word2vec_format(str(plain), binary=True)
    packed = tmp_path / "packed.bin"
    whole = PACKERS[containers](plain.read_bytes())
    packed.write_bytes(whole[: len(whole) * 2 // 3])
    with pytest.raises(VectorsError, match=r"packed\.bin: .*(incomplete|damaged)"):
        open_vectors(packed)
