from __future__ import annotations

import json
import struct
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from safetensors.numpy import save_file
from tests.core.vectors.written import as_npy, as_npz, write_tokenizer

from askew.errors import AskewError
from askew.vectors import ChoiceNeededError, open_vectors

CASES = Path(__file__).parents[2] / "data/cases"
WORDS = ["red", "sky", "tree"]
MATRIX = np.arange(6, dtype=np.float32).reshape(3, 2)


def text(words: list[str]) -> np.ndarray[tuple[int], np.dtype[np.uint8]]:
    return np.frombuffer("\n".join(words).encode(), dtype=np.uint8)


def test_a_matrix_without_words_names_the_flag_for_them(tmp_path: Path) -> None:
    np.save(tmp_path / "m.npy", MATRIX)
    with pytest.raises(AskewError, match=r"m\.npy: .*3 rows of 2 numbers, but no words\. .*--words FILE"):
        open_vectors(tmp_path / "m.npy")


def test_the_words_of_a_matrix_can_be_named(tmp_path: Path) -> None:
    np.save(tmp_path / "m.npy", MATRIX)
    (tmp_path / "list").write_bytes(b"\xef\xbb\xbfred\r\nsky\r\ntree\r\n")
    assert list(open_vectors(tmp_path / "m.npy", words=str(tmp_path / "list"))) == WORDS
    with pytest.raises(AskewError, match=r"none\.txt: there is no such list of words"):
        open_vectors(tmp_path / "m.npy", words=str(tmp_path / "none.txt"))


@pytest.mark.parametrize("name", ["m_vocab.txt", "m.txt", "m.words", "m.vocab", "m_words.txt"])
def test_a_list_of_the_matrix_own_name_is_found(name: str, tmp_path: Path) -> None:
    np.save(tmp_path / "m.npy", MATRIX)
    (tmp_path / name).write_text("red\nsky\ntree", "utf-8")
    vectors = open_vectors(tmp_path / "m.npy")
    assert list(vectors) == WORDS
    assert vectors.report == ()


def test_a_list_of_a_common_name_is_found_and_that_is_told(tmp_path: Path) -> None:
    np.save(tmp_path / "m.npy", MATRIX)
    (tmp_path / "vocab.txt").write_text("red\nsky\ntree\n", "utf-8")
    vectors = open_vectors(tmp_path / "m.npy")
    assert list(vectors) == WORDS
    assert "vocab.txt" in vectors.report[0].message


def test_several_lists_are_asked_about(tmp_path: Path) -> None:
    np.save(tmp_path / "m.npy", MATRIX)
    for name in ("m_vocab.txt", "m.words"):
        (tmp_path / name).write_text("red\nsky\ntree\n", "utf-8")
    with pytest.raises(ChoiceNeededError) as caught:
        open_vectors(tmp_path / "m.npy")
    assert caught.value.flag == "--words"
    assert caught.value.choices == ("m_vocab.txt", "m.words")
    assert list(open_vectors(tmp_path / "m.npy", words=caught.value.choices[1])) == WORDS


def test_the_same_vectors_as_text_are_no_list_of_words(tmp_path: Path) -> None:
    np.save(tmp_path / "m.npy", MATRIX)
    (tmp_path / "m.txt").write_text("red 0 1\nsky 2 3\ntree 4 5\n", "utf-8")
    with pytest.raises(AskewError, match=r"--words FILE"):
        open_vectors(tmp_path / "m.npy")


def test_a_list_of_another_length_is_refused(tmp_path: Path) -> None:
    path = as_npy(tmp_path, [*WORDS, "more"], MATRIX)
    with pytest.raises(AskewError, match=r"m_vocab\.txt has 4 words, but the matrix has 3 rows"):
        open_vectors(path)


def test_counts_after_the_words_are_left_out_and_that_is_told(tmp_path: Path) -> None:
    vectors = open_vectors(as_npy(tmp_path, ["red 1061396", "sky 593677", "tree 7"], MATRIX))
    assert list(vectors) == WORDS
    assert "count" in vectors.report[0].message


@pytest.mark.parametrize("listed", [WORDS, {"sky": 1, "red": 0, "tree": 2}])
def test_a_list_may_be_json(listed: object, tmp_path: Path) -> None:
    np.save(tmp_path / "m.npy", MATRIX)
    (tmp_path / "m_vocab.json").write_text(json.dumps(listed), "utf-8")
    assert list(open_vectors(tmp_path / "m.npy")) == WORDS


@pytest.mark.parametrize(
    ("array", "said"),
    [
        (np.zeros(3), r"shape \(3,\)"),
        (np.zeros((3, 2, 1)), r"shape \(3, 2, 1\)"),
        (np.zeros((3, 0)), r"shape \(3, 0\)"),
        (np.array([["red", "sky"]]), r"type '<U3'"),
        (np.zeros((3, 2), dtype=complex), r"type '<c16'"),
        (np.zeros(3, dtype=[("a", "f4"), ("b", "f4")]), r"named fields"),
    ],
)
def test_other_arrays_are_refused_by_shape_or_type(
    array: np.ndarray[tuple[int, ...], np.dtype[np.generic]], said: str, tmp_path: Path
) -> None:
    np.save(tmp_path / "m.npy", array)
    (tmp_path / "m.txt").write_text("red\nsky\ntree\n", "utf-8")
    with pytest.raises(AskewError, match=said):
        open_vectors(tmp_path / "m.npy")


def test_python_objects_are_refused_and_never_unpickled(tmp_path: Path) -> None:
    np.save(tmp_path / "m.npy", np.array([[1, "red"]], dtype=object), allow_pickle=True)
    with pytest.raises(AskewError, match=r"Python objects, not numbers\. Save it as float32"):
        open_vectors(tmp_path / "m.npy")
    np.savez(tmp_path / "m.npz", words=np.array(WORDS, dtype=object), vectors=MATRIX)
    with pytest.raises(AskewError, match=r"array 'words': .*Python objects"):
        open_vectors(tmp_path / "m.npz")


@pytest.mark.parametrize("shape", [b"(9999999999, 50)", b"(3, 9999999999)", b"(999999999999999999, 99999)"])
def test_absurd_shapes_are_refused_before_anything_is_allocated(shape: bytes, tmp_path: Path) -> None:
    header = b"{'descr': '<f4', 'fortran_order': False, 'shape': " + shape + b"}\n"
    data = b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header + bytes(24)
    (tmp_path / "m.npy").write_bytes(data)
    (tmp_path / "m.txt").write_text("red\nsky\ntree\n", "utf-8")
    with pytest.raises(AskewError, match=r"incomplete: 24 of \d+ bytes"):
        open_vectors(tmp_path / "m.npy")


@pytest.mark.parametrize("kind", ["<f2", "|i1", "<u2", ">i4", "<f8"])
def test_numbers_of_any_kind_become_float32(kind: str, tmp_path: Path) -> None:
    np.save(tmp_path / "m.npy", MATRIX.astype(kind))
    (tmp_path / "m.txt").write_text("red\nsky\ntree\n", "utf-8")
    np.testing.assert_array_equal(open_vectors(tmp_path / "m.npy").vectors(WORDS), MATRIX)


def test_doubles_beyond_float32_are_not_finite_and_are_told(tmp_path: Path) -> None:
    matrix = MATRIX.astype(np.float64)
    matrix[1, 0] = 1e300
    np.save(tmp_path / "m.npy", matrix)
    (tmp_path / "m.txt").write_text("red\nsky\ntree\n", "utf-8")
    vectors = open_vectors(tmp_path / "m.npy")
    assert list(vectors) == ["red", "tree"]
    assert vectors.report[0].word == "sky"


@pytest.mark.parametrize(
    "names", [("words", "vectors"), ("vocab", "embeddings"), ("index_to_key", "matrix"), ("a", "b")]
)
def test_the_arrays_of_an_npz_are_known_by_name_or_by_kind(names: tuple[str, str], tmp_path: Path) -> None:
    named: dict[str, Any] = {names[0]: np.array(WORDS), names[1]: MATRIX, "extra": np.arange(3)}
    np.savez(tmp_path / "m.npz", **named)
    vectors = open_vectors(tmp_path / "m.npz")
    assert list(vectors) == WORDS
    np.testing.assert_array_equal(vectors.vectors(WORDS), MATRIX)


def test_which_of_several_matrices_is_asked(tmp_path: Path) -> None:
    np.savez(tmp_path / "m.npz", words=np.array(WORDS), left=MATRIX, right=MATRIX + 1)
    with pytest.raises(ChoiceNeededError) as caught:
        open_vectors(tmp_path / "m.npz")
    assert (caught.value.flag, caught.value.choices) == ("--member", ("left", "right"))
    np.testing.assert_array_equal(open_vectors(tmp_path / "m.npz", member="right").vectors(WORDS), MATRIX + 1)


def test_an_npz_without_words_takes_a_list(tmp_path: Path) -> None:
    np.savez(tmp_path / "m.npz", vectors=MATRIX)
    with pytest.raises(AskewError, match=r"no array of words.*--words FILE"):
        open_vectors(tmp_path / "m.npz")
    (tmp_path / "list").write_text("red\nsky\ntree\n", "utf-8")
    assert list(open_vectors(tmp_path / "m.npz", words=str(tmp_path / "list"))) == WORDS


def test_words_and_rows_of_an_npz_must_be_as_many(tmp_path: Path) -> None:
    with pytest.raises(AskewError, match=r"2 words in 'words', but 3 rows"):
        open_vectors(as_npz(tmp_path, WORDS[:2], MATRIX))


def test_an_archive_that_holds_absurdly_much_is_refused(tmp_path: Path) -> None:
    np.savez_compressed(tmp_path / "m.npz", words=np.array(["x"] * 10), vectors=np.zeros((10, 10**6), "f4"))
    with pytest.raises(AskewError, match=r"\d+ KB are said to hold 38 MB"):
        open_vectors(tmp_path / "m.npz")


def test_a_damaged_array_is_noticed(tmp_path: Path) -> None:
    path = as_npz(tmp_path, WORDS, MATRIX)
    with zipfile.ZipFile(path) as archive:
        start = archive.getinfo("vectors.npy").header_offset
    data = bytearray(path.read_bytes())
    place = data.index(MATRIX.tobytes(), start)
    data[place] ^= 1
    path.write_bytes(bytes(data))
    with pytest.raises(AskewError, match=r"damaged"):
        open_vectors(path)


def test_float16_and_bfloat16_tensors_are_read(tmp_path: Path) -> None:
    save_file({"vocab_utf8": text(WORDS), "vectors": MATRIX.astype("f2")}, tmp_path / "half.safetensors")
    np.testing.assert_array_equal(open_vectors(tmp_path / "half.safetensors").vectors(WORDS), MATRIX)
    upper = (MATRIX.view(np.uint32) >> 16).astype("<u2")
    header = json.dumps(
        {
            "vocab_utf8": {"dtype": "U8", "shape": [12], "data_offsets": [0, 12]},
            "vectors": {"dtype": "BF16", "shape": [3, 2], "data_offsets": [12, 24]},
        }
    ).encode()
    data = struct.pack("<Q", len(header)) + header + text(WORDS).tobytes() + upper.tobytes()
    (tmp_path / "brain.safetensors").write_bytes(data)
    np.testing.assert_array_equal(open_vectors(tmp_path / "brain.safetensors").vectors(WORDS), MATRIX)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda data: data[:-6], r"incomplete: 30 of 36 bytes"),
        (lambda data: struct.pack("<Q", 1 << 40) + data[8:], r"not a vector file|not a safetensors file"),
        (lambda data: data.replace(b'"F32"', b'"F3x"'), r"not a matrix of numbers"),
        (lambda data: data.replace(b"[3,2]", b"[9,9]"), r"its shape does not fit"),
        (lambda data: data.replace(b"[3,2]", b"[-3,-2]"[:5]), r"safetensors"),
        (lambda data: data.replace(b'"dtype"', b'"dtypo"'), r"header of tensor"),
    ],
)
def test_broken_safetensors_are_refused_in_words(change: object, said: str, tmp_path: Path) -> None:
    save_file({"vocab_utf8": text(WORDS), "vectors": MATRIX}, tmp_path / "m.safetensors")
    assert callable(change)
    (tmp_path / "m.safetensors").write_bytes(change((tmp_path / "m.safetensors").read_bytes()))
    with pytest.raises(AskewError, match=said):
        open_vectors(tmp_path / "m.safetensors")


def test_safetensors_of_something_else_say_what_is_read(tmp_path: Path) -> None:
    save_file({"a.weight": MATRIX, "b.weight": MATRIX}, tmp_path / "m.safetensors")
    with pytest.raises(AskewError, match=r"2 tensors, but no table of words.*'vocab_utf8'"):
        open_vectors(tmp_path / "m.safetensors")
    save_file({"scale": np.zeros(3)}, tmp_path / "n.safetensors")
    with pytest.raises(AskewError, match=r"holds no matrices"):
        open_vectors(tmp_path / "n.safetensors")


def test_added_tokens_and_numbers_out_of_order_are_put_in_order(tmp_path: Path) -> None:
    save_file({"embeddings": MATRIX}, tmp_path / "model.safetensors")
    write_tokenizer(tmp_path, {"tree": 2, "red": 0}, added_tokens=[{"id": 1, "content": "[UNK]"}])
    assert list(open_vectors(tmp_path / "model.safetensors")) == ["red", "[UNK]", "tree"]


def test_tokens_that_mark_beginnings_of_words_are_read_as_words(tmp_path: Path) -> None:
    save_file({"embeddings": np.eye(4, dtype=np.float32)}, tmp_path / "model.safetensors")
    write_tokenizer(tmp_path, [["<unk>", 0.0], ["\u2581the", -1.0], ["the", -2.0], ["\u2581", -3.0]])
    vectors = open_vectors(tmp_path / "model.safetensors")
    assert list(vectors) == ["<unk>", "the", "##the", "\u2581"]
    assert "\u2581" in vectors.report[0].message


def test_byte_level_tokens_are_read_as_text(tmp_path: Path) -> None:
    save_file({"embeddings": np.eye(3, dtype=np.float32)}, tmp_path / "model.safetensors")
    write_tokenizer(tmp_path, {"\u0120caf\u00c3\u00a9": 0, "ing": 1, "!": 2})
    assert list(open_vectors(tmp_path / "model.safetensors")) == ["caf\u00e9", "##ing", "!"]


def test_rows_may_be_shared_by_tokens_and_weighted(tmp_path: Path) -> None:
    tensors = {
        "embeddings": MATRIX[:2],
        "mapping": np.array([1, 0, 1]),
        "weights": np.array([1, 2, 0.5], dtype=np.float64),
    }
    save_file(tensors, tmp_path / "model.safetensors")
    write_tokenizer(tmp_path, {"red": 0, "sky": 1, "tree": 2})
    assert open_vectors(tmp_path / "model.safetensors").vectors(WORDS).tolist() == [[2, 3], [0, 2], [1, 1.5]]
    save_file({**tensors, "mapping": np.array([1, 0, 7])}, tmp_path / "model.safetensors")
    with pytest.raises(AskewError, match=r"rows that are not there"):
        open_vectors(tmp_path / "model.safetensors")


@pytest.mark.parametrize(
    "vocabulary", [{"red": 0, "sky": 5, "tree": 2}, {"red": 0}, "red", {"red": "0", "sky": 1, "tree": 2}]
)
def test_tokens_that_do_not_fit_are_refused(vocabulary: object, tmp_path: Path) -> None:
    save_file({"embeddings": MATRIX}, tmp_path / "model.safetensors")
    content = json.dumps({"model": {"vocab": vocabulary}})
    (tmp_path / "tokenizer.json").write_text(content, "utf-8")
    with pytest.raises(AskewError, match=r"token"):
        open_vectors(tmp_path / "model.safetensors")


def test_the_bundled_file_is_askews_own_layout() -> None:
    import askew_assets

    path = askew_assets.path("vectors/glove.6B.50d.top50k.f16.safetensors")
    vectors = open_vectors(path)
    assert (len(vectors), vectors.dim) == (50_000, 50)
    assert vectors.origin.format == "safetensors"
    words = ["the", "king", "cat"]
    np.testing.assert_array_equal(vectors.vectors(words), open_vectors("glove-6b-50d").vectors(words))


@pytest.mark.parametrize("ending", [".safetensors", ".npy", ".npz"])
def test_text_under_the_name_of_arrays_is_said_to_be_text(tmp_path: Path, ending: str) -> None:
    file = tmp_path / f"broken{ending}"
    file.write_text("hello world this\n")
    with pytest.raises(AskewError, match="holds text"):
        open_vectors(file)
