"""A table written in any format is read back bit for bit, from memory and from the store."""

from __future__ import annotations

import gzip
import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from tests.core.vectors import written

from askew.errors import AskewError
from askew.vectors import files, open_vectors
from askew.vectors.importing import import_vectors
from askew.vectors.options import Options
from askew.vectors.store import open_store

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from askew.arrays import Float32

    Writer = Callable[[Path, Sequence[str], Float32], Path]

WRITERS: dict[str, tuple[Writer, str]] = {
    "npy": (written.as_npy, "npy"),
    "npy-by-columns": (written.as_npy_by_columns, "npy"),
    "npy-big-endian": (written.as_npy_big_endian, "npy"),
    "npy-of-doubles": (written.as_npy_of_doubles, "npy"),
    "npz": (written.as_npz, "npz"),
    "npz-compressed": (written.as_npz_compressed, "npz"),
    "safetensors": (written.as_safetensors, "safetensors"),
    "model2vec": (written.as_model2vec, "model2vec"),
    "gensim": (written.as_gensim, "gensim-kv"),
    "gensim-in-parts": (written.as_gensim_in_parts, "gensim-kv"),
    "fasttext": (written.as_fasttext, "fasttext-bin"),
    "spacy": (written.as_spacy, "spacy"),
    "numberbatch": (written.as_numberbatch, "numberbatch"),
}


def asked_language(name: str) -> str | None:
    """Return the language to choose, of the one format that has several."""
    return "en" if name == "numberbatch" else None


EVERY_FORMAT = pytest.mark.parametrize(("write", "name"), WRITERS.values(), ids=WRITERS)

# Lines cannot hold a newline, fixed-width text no zero at its end; Numberbatch has no underscore.
words = st.lists(
    st.text(
        st.characters(blacklist_categories=["Cs", "Cc", "Zs", "Zl", "Zp", "Cf"]), min_size=1, max_size=9
    ).map(lambda text: f"w{text}".replace("_", "-").replace("#", "-")),
    min_size=1,
    max_size=12,
    unique=True,
)
numbers = st.floats(width=32, allow_nan=False, allow_infinity=False)


@st.composite
def tables(draw: st.DrawFn) -> tuple[list[str], Float32]:
    listed = draw(words)
    dim = draw(st.integers(2, 5))
    return listed, draw(arrays.arrays(np.float32, (len(listed), dim), elements=numbers))


@EVERY_FORMAT
@settings(max_examples=15, suppress_health_check=[HealthCheck.too_slow])
@given(table=tables())
def test_a_table_is_read_back_bit_for_bit(write: Writer, name: str, table: tuple[list[str], Float32]) -> None:
    listed, matrix = table
    with tempfile.TemporaryDirectory() as folder:
        path = write(Path(folder), listed, matrix)
        vectors = open_vectors(path, language=asked_language(name))
        assert vectors.origin.format == name
        assert list(vectors) == listed
        assert vectors.vectors(listed).tobytes() == matrix.tobytes()
        assert vectors.report == ()


@EVERY_FORMAT
def test_the_store_holds_the_same_table(write: Writer, name: str, tmp_path: Path) -> None:
    listed = [f"w{number}" for number in range(300)]
    matrix = np.random.default_rng(1).standard_normal((300, 7)).astype(np.float32)
    stored = open_store(
        import_vectors(write(tmp_path, listed, matrix), Options(language=asked_language(name)))
    )
    assert stored is not None
    assert stored.origin.format == name
    assert list(stored) == listed
    np.testing.assert_array_equal(stored.vectors(listed), matrix)


@EVERY_FORMAT
def test_what_is_not_finite_and_what_is_repeated_is_left_out_and_told(
    write: Writer, name: str, tmp_path: Path
) -> None:
    listed = ["red", "bad", "sky", "tree"]
    matrix = np.arange(12, dtype=np.float32).reshape(4, 3)
    matrix[1, 1] = np.nan
    vectors = open_vectors(write(tmp_path, listed, matrix), language=asked_language(name))
    assert list(vectors) == ["red", "sky", "tree"]
    (problem,) = vectors.report
    assert (problem.kind, problem.word) == ("not-finite", "bad")


@EVERY_FORMAT
def test_only_the_first_words_are_used_if_so_asked(write: Writer, name: str, tmp_path: Path) -> None:
    matrix = np.arange(12, dtype=np.float32).reshape(4, 3)
    path = write(tmp_path, ["red", "bad", "sky", "tree"], matrix)
    assert list(open_vectors(path, language=asked_language(name), limit=2)) == ["red", "bad"]


@EVERY_FORMAT
@pytest.mark.parametrize("part", [0.3, 0.7, 0.95])
def test_a_file_that_is_cut_short_gives_a_message(
    write: Writer, name: str, part: float, tmp_path: Path
) -> None:
    matrix = np.random.default_rng(2).standard_normal((40, 5)).astype(np.float32)
    path = write(tmp_path, [f"w{number}" for number in range(40)], matrix)
    path = path / "vocab/vectors" if path.is_dir() else path
    whole = path.read_bytes()
    path.write_bytes(whole[: int(part * len(whole))])
    try:
        said = [problem.message for problem in open_vectors(path, language=asked_language(name)).report]
    except AskewError as error:
        said = [str(error)]
    assert said


@pytest.mark.parametrize("name", ["npz-compressed", "safetensors", "gensim", "fasttext"])
def test_a_change_is_noticed_where_a_store_was_built(name: str, tmp_path: Path) -> None:
    write = WRITERS[name][0]
    old, new = np.zeros((2, 3), dtype=np.float32), np.ones((2, 3), dtype=np.float32)
    path = write(tmp_path, ["red", "sky"], old)
    import_vectors(path)
    write(tmp_path, ["red", "sky"], new)
    np.testing.assert_array_equal(open_vectors(path).vectors(["red", "sky"]), new)


@pytest.mark.parametrize(
    ("name", "beside"),
    [("npy", "m_vocab.txt"), ("model2vec", "tokenizer.json"), ("spacy", "vocab/strings.json")],
)
def test_a_change_of_the_words_alone_is_noticed(name: str, beside: str, tmp_path: Path) -> None:
    path = WRITERS[name][0](tmp_path, ["red", "sky"], np.ones((2, 3), dtype=np.float32))
    import_vectors(path)
    file = (path if path.is_dir() else path.parent) / beside
    file.write_text(file.read_text("utf-8").replace("red", "blue"), "utf-8")
    assert "red" not in open_vectors(path)


def test_a_change_of_the_numbers_beside_alone_is_noticed(tmp_path: Path) -> None:
    path = written.as_gensim_in_parts(tmp_path, ["red"], np.zeros((1, 3), dtype=np.float32))
    import_vectors(path)
    np.save(tmp_path / "m.kv.vectors.npy", np.full((1, 3), 7, dtype=np.float32))
    assert open_vectors(path).vectors(["red"]).tolist() == [[7, 7, 7]]


@pytest.mark.parametrize("name", ["safetensors", "gensim", "fasttext"])
def test_a_small_file_is_read_packed_and_a_big_one_is_not(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = WRITERS[name][0](tmp_path, ["red", "sky"], np.eye(2, 3, dtype=np.float32))
    packed = tmp_path / "packed.gz"
    packed.write_bytes(gzip.compress(path.read_bytes()))
    vectors = open_vectors(packed)
    assert vectors.origin.container == ("gz",)
    assert vectors.vectors(["red", "sky"]).tolist() == [[1, 0, 0], [0, 1, 0]]
    monkeypatch.setattr("askew.vectors.formats.source.IN_MEMORY", 50)
    with pytest.raises(AskewError, match=r"Unpack it first"):
        open_vectors(packed)


@EVERY_FORMAT
def test_a_big_file_is_read_as_a_small_one_is(
    write: Writer, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "SMALL", 0)
    matrix = np.random.default_rng(3).standard_normal((3, 4)).astype(np.float32)
    path = write(tmp_path, ["red", "sky", "tree"], matrix)
    for _ in range(2):
        vectors = open_vectors(path, language=asked_language(name))
        np.testing.assert_array_equal(vectors.vectors(["red", "sky", "tree"]), matrix)
    shutil.rmtree(path) if path.is_dir() else path.unlink()
    with pytest.raises(AskewError):
        open_vectors(path, language=asked_language(name))


IN_PLACE = pytest.mark.parametrize("write", [WRITERS[name][0] for name in WRITERS if name != "numberbatch"])


@IN_PLACE
def test_of_a_big_file_only_the_words_asked_for_are_read(
    write: Writer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "SMALL", 0)
    matrix = np.arange(12, dtype=np.float32).reshape(4, 3)
    matrix[1, 1] = np.nan
    path = write(tmp_path, ["red", "bad", "sky", "tree"], matrix)
    vectors = open_vectors(path)
    assert not vectors.searchable
    assert vectors.source is not None
    assert vectors.find("bad") is None
    assert vectors.vectors(["tree", "red"]).tolist() == matrix[[3, 0]].tolist()
    stored = open_store(import_vectors(*vectors.source))
    assert stored is not None
    assert stored.searchable
    assert list(stored) == ["red", "sky", "tree"]
    assert open_vectors(path).searchable


@IN_PLACE
def test_a_big_file_that_changes_while_in_use_gives_no_wrong_number(
    write: Writer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "SMALL", 0)
    matrix = np.arange(6, dtype=np.float32).reshape(2, 3)
    path = write(tmp_path, ["red", "sky"], matrix)
    vectors = open_vectors(path)
    assert vectors.vectors(["red"]).tolist() == [[0, 1, 2]]
    file = path / "vocab/vectors" if path.is_dir() else path
    file.write_bytes(file.read_bytes() + b"more")
    assert vectors.find("sky") is None
    with pytest.raises(AskewError):
        vectors.vectors(["sky"])
