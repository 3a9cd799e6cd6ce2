from __future__ import annotations

import os
import pickle
import shutil
import subprocess
import warnings
from collections import OrderedDict
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
import pytest
from tests.core.vectors.written import as_gensim_in_parts, gensim_of

from askew.errors import AskewError
from askew.vectors import open_vectors
from askew.vectors.formats.pickled import MOST_KEYS, read_pickle
from askew.vectors.formats.stand_ins import PickledArray, Thing

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy.typing as npt

    from askew.arrays import Float32

FORMATS = Path(__file__).parents[2] / "data/cases/formats"
PROTOCOLS = pytest.mark.parametrize("protocol", [2, 3, 4, 5])


class Keyed(Protocol):
    """What is used of gensim's KeyedVectors."""

    index_to_key: list[str]
    vectors: Float32

    def __getitem__(self, word: str) -> Float32: ...


def datapath(name: str) -> Path:
    from gensim.test.utils import datapath

    return Path(datapath(name))


def loaded(path: Path) -> Keyed:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from gensim.models import FastText, Word2Vec

        kind = FastText if "hash" in path.name else Word2Vec
        vectors: Keyed = kind.load(str(path)).wv
    return vectors


@pytest.mark.parametrize(
    "name",
    [
        *(f"old_w2v_models/w2v_{version}.mdl" for version in ("0.13.4", "1.0.1", "2.3.0", "3.0.0", "3.4.0")),
        "word2vec_old",
        "word2vec_old_sep",
        "model-from-gensim-3.8.0.w2v",
        "compatible-hash-true.model",
    ],
)
def test_models_of_old_versions_have_gensims_words_and_vectors(name: str) -> None:
    theirs, ours = loaded(datapath(name)), open_vectors(datapath(name))
    assert list(ours) == theirs.index_to_key
    np.testing.assert_array_equal(ours.vectors(list(ours)), theirs.vectors)
    assert ours.origin.format == "gensim-kv"


@pytest.mark.parametrize(
    ("name", "count"),
    [
        ("old_w2v_models/w2v_0.12.0.mdl", 3),
        ("word2vec_pre_kv_py2", 9),
        ("word2vec_pre_kv_sep_py2", 9),
        ("word2vec_pre_kv_py3_4", 9),
        ("word2vec_pre_kv_sep_py3_4", 9),
        ("fasttext_old", 12),
        ("old_d2v_models/d2v_3.4.0.mdl", 3),
    ],
)
def test_models_too_old_for_gensim_itself_are_read(name: str, count: int) -> None:
    vectors = open_vectors(datapath(name))
    assert len(vectors) == count
    assert np.abs(vectors.vectors(list(vectors))).max() > 0


@pytest.mark.parametrize("apart", [False, True], ids=["whole", "in-parts"])
def test_a_fasttext_model_of_gensims_builds_words_from_letters(tmp_path: Path, apart: bool) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from gensim.models import FastText

        texts = [["red", "sky", "tree"], ["sky", "blue"]] * 3
        model = FastText(texts, vector_size=6, min_count=1, bucket=200, seed=3, workers=1)
        separately = ["vectors_ngrams", "vectors_vocab"] if apart else []
        model.wv.save(str(tmp_path / "m.kv"), separately=separately)
        model.save(str(tmp_path / "m.model"))
    for name in ("m.kv", "m.model"):
        ours = open_vectors(tmp_path / name)
        assert list(ours) == model.wv.index_to_key
        for word in (*ours, "blues", "redden"):
            np.testing.assert_array_equal(ours.get(word), model.wv[word])


@pytest.mark.parametrize("words", [False, True])
def test_a_part_opened_alone_says_which_file_to_open(tmp_path: Path, words: bool) -> None:
    path = as_gensim_in_parts(tmp_path, ["red"], np.ones((1, 2), dtype=np.float32))
    part = tmp_path / "m.kv.vectors.npy"
    if words:  # with a list of words it is a matrix like any other
        (tmp_path / "list").write_text("red\n", "utf-8")
        assert list(open_vectors(part, words=str(tmp_path / "list"))) == ["red"]
        return
    with pytest.raises(AskewError, match=r"Open m\.kv instead, which is in the same folder"):
        open_vectors(part)
    path.unlink()
    with pytest.raises(AskewError, match=r"Open m\.kv instead, which should be in the same folder"):
        open_vectors(part)


def test_a_missing_part_of_a_model_is_named_as_gensim_names_it(tmp_path: Path) -> None:
    for file in datapath("").glob("word2vec_pre_kv_sep_py2*"):
        shutil.copy(file, tmp_path)
    assert len(open_vectors(tmp_path / "word2vec_pre_kv_sep_py2")) == 9
    (tmp_path / "word2vec_pre_kv_sep_py2.syn0.npy").unlink()
    with pytest.raises(AskewError, match=r"needs word2vec_pre_kv_sep_py2\.syn0\.npy in the same folder"):
        open_vectors(tmp_path / "word2vec_pre_kv_sep_py2")


def test_a_part_of_another_file_is_noticed(tmp_path: Path) -> None:
    path = as_gensim_in_parts(tmp_path, ["red", "sky"], np.ones((2, 2), dtype=np.float32))
    np.save(tmp_path / "m.kv.vectors.npy", np.ones((3, 2), dtype=np.float32))
    with pytest.raises(AskewError, match=r"2 words, but 3 rows"):
        open_vectors(path)


@pytest.mark.parametrize("name", ["lda_3_0_1_model", "dtm_test.dict", "phraser-3.6.0.model"])
def test_other_files_of_gensims_are_refused_in_words(name: str) -> None:
    with pytest.raises(AskewError, match=r"gensim file \(\w+\), but it holds no word vectors"):
        open_vectors(datapath(name))


def test_a_pickle_of_something_else_is_refused_in_words(tmp_path: Path) -> None:
    (tmp_path / "d.pkl").write_bytes(pickle.dumps({"red": [1.0, 2.0]}))
    with pytest.raises(AskewError, match=r"a Python pickle, but not gensim word vectors"):
        open_vectors(tmp_path / "d.pkl")


class Calls:
    """Pickled as a call of a function."""

    def __init__(self, call: Callable[..., object], *arguments: object) -> None:
        self.made = (call, arguments)

    def __reduce__(self) -> tuple[Callable[..., object], tuple[object, ...]]:
        return self.made


def text(value: str) -> bytes:
    return b"\x8c" + bytes([len(value)]) + value.encode()


def harmful(mark: Path) -> dict[str, bytes]:
    """Pickles that write a file when they are loaded as pickles are."""
    command = f"echo > {mark}"
    class_of_gensim = b"cgensim.models.keyedvectors\nKeyedVectors\n)\x81"
    system = text("posix") + text("system") + b"\x93" + text(command) + b"\x85R"
    return {
        "reduce": pickle.dumps(Calls(os.system, command)),
        "reduce-protocol-2": pickle.dumps(Calls(os.system, command), protocol=2),
        "popen": pickle.dumps(Calls(subprocess.getoutput, command)),
        "open": pickle.dumps(Calls(open, str(mark), "w")),
        "eval": pickle.dumps(Calls(eval, f"open({str(mark)!r}, 'w')")),
        "in-the-state": b"\x80\x04" + class_of_gensim + b"}" + text("vectors") + system + b"sb.",
        "in-a-memo": b"\x80\x04" + system + b"\x940" + class_of_gensim + b"}b.",
        "setstate": b"\x80\x04cgensim.models.keyedvectors\nKeyedVectors\n)\x81"
        + b"}"
        + text("__setstate__")
        + text("posix")
        + text("system")
        + b"\x93sb"
        + text(command)
        + b"b.",
        "getattr-of-gensim": b"\x80\x04"
        + text("builtins")
        + text("getattr")
        + b"\x93"
        + text("gensim.utils")
        + text("os")
        + b"\x93"
        + text("system")
        + b"\x86R"
        + text(command)
        + b"\x85R.",
        "dotted-name": b"\x80\x04"
        + text("gensim.utils")
        + text("os.system")
        + b"\x93"
        + text(command)
        + b"\x85R.",
        "numpy-testing": b"\x80\x04"
        + text("numpy.testing._private.utils")
        + text("runstring")
        + b"\x93"
        + text(f"open({str(mark)!r}, 'w')")
        + b"}\x86R.",
        "object-array": pickle.dumps(np.array([Calls(os.system, command)], dtype=object)),
        "state-of-an-array": pickle.dumps(np.zeros(1)).replace(b".", b"") + system + b".",
    }


@pytest.mark.parametrize("trick", harmful(Path("mark")))
def test_no_pickle_runs_anything(trick: str, tmp_path: Path) -> None:
    mark = tmp_path / "ran"
    data = harmful(mark)[trick]
    path = tmp_path / "m.kv"
    path.write_bytes(data)
    with pytest.raises(AskewError, match=r"m\.kv: "):
        open_vectors(path)
    assert not mark.exists()


def test_the_tricks_would_work_on_pythons_own_reader(tmp_path: Path) -> None:
    mark = tmp_path / "ran"
    for trick in ("reduce", "popen", "object-array"):
        pickle.loads(harmful(mark)[trick])
        assert mark.exists()
        mark.unlink()


def test_an_object_that_is_named_but_not_needed_is_refused_by_name(tmp_path: Path) -> None:
    (tmp_path / "m.kv").write_bytes(pickle.dumps(Calls(os.system, "true"), protocol=4))
    with pytest.raises(AskewError, match=r"refers to '(posix|nt)\.system'.*nothing in it was run"):
        open_vectors(tmp_path / "m.kv")


def test_gadgets_of_allowed_libraries_stay_names(tmp_path: Path) -> None:
    mark = tmp_path / "ran"
    data = (
        b"\x80\x04"
        + text("gensim.utils")
        + text("check_output")
        + b"\x93"
        + text(f"touch {mark}")
        + b"\x85R."
    )
    found = read_pickle(data, "m.kv")
    assert found == Thing("gensim.utils check_output")
    assert not mark.exists()


@PROTOCOLS
def test_plain_values_are_those_of_pythons_reader(protocol: int) -> None:
    value = {
        "numbers": [0, 255, 65535, 1 << 20, -5, 1 << 70, -(1 << 70), 0.1, True, False, None],
        "texts": ["", "caf\u00e9", "\U0001f44d" * 100, b"\0\xff", b"x" * 300],
        "nested": ((1,), (1, 2), (1, 2, 3), (1, 2, 3, 4), [], [[]], {}, ()),
        "ordered": OrderedDict(),
    }
    assert read_pickle(pickle.dumps(value, protocol=protocol), "m") == value


@PROTOCOLS
@pytest.mark.parametrize("kind", ["<f4", ">f4", "<f8", "<f2", "<i8"])
@pytest.mark.parametrize("order", [np.ascontiguousarray, np.asfortranarray])
def test_arrays_become_their_bytes(
    protocol: int, kind: str, order: Callable[[npt.NDArray[Any]], npt.NDArray[Any]]
) -> None:
    array = order(np.array([[1, 2, 3], [4, 5, 6]], dtype=kind))
    found = read_pickle(pickle.dumps(array, protocol=protocol), "m")
    assert isinstance(found, PickledArray)
    rows = np.frombuffer(found.data, dtype=found.kind)
    back = rows.reshape(found.shape, order="F" if found.by_columns else "C")
    np.testing.assert_array_equal(back, array)


def test_a_dictionary_is_kept_only_in_part() -> None:
    found = read_pickle(pickle.dumps({str(number): number for number in range(3 * MOST_KEYS)}), "m")
    assert len(found) == MOST_KEYS


# A list of twice the same list, sixty times over: sixty lines in memory, but endless as text.
LAUGHS = b"(Nl" + b"".join(b"q%c0(h%ch%cl" % (n, n, n) for n in range(60))


@pytest.mark.parametrize(
    "data",
    [
        b"\x80\x02N\x72\xff\xff\xff\x7f.",  # a place in memory far beyond all others
        b"\x80\x04\x95\xff\xff\xff\xff\xff\xff\xff\x7fN.",  # a frame of 8 EiB
        b"\x80\x04\x8e\xff\xff\xff\xff\xff\xff\xff\x7f.",  # bytes of 8 EiB
        b"\x80\x02X\xff\xff\xff\x7fred.",  # text of 2 GiB
        b"\x80\x02\x8b\xff\xff\xff\x7f\x01.",  # a number of 2 GiB
        b"\x80\x02" + b"(" * 1000 + b"t" * 1000 + b".",  # nested a thousand times
        b"\x80\x02]" + b"2a" * 1000 + b".",  # a list in itself
        b"\x80\x02cnumpy\ndtype\n(" + LAUGHS + b"tR.",  # text of 2^60 letters
        b"\x80\x04" + LAUGHS + b"\x8c\x01x\x93.",  # the same as the name of a module
        b"\x80\x04cnumpy._core.numeric\n_frombuffer\n(J\xff\xff\xff\x7fNN\x8c\x01CtR.",  # 2 GiB of zeros
    ],
)
def test_absurd_pickles_take_no_memory_and_no_recursion(data: bytes, tmp_path: Path) -> None:
    (tmp_path / "m.kv").write_bytes(data)
    with pytest.raises(AskewError, match=r"m\.kv: "):
        open_vectors(tmp_path / "m.kv")


def array_of_shape(shape: bytes) -> bytes:
    """A gensim file whose matrix claims a shape."""
    return (
        b"\x80\x02cgensim.models.keyedvectors\nKeyedVectors\n)\x81}("
        + b"X\x0c\x00\x00\x00index_to_key(X\x01\x00\x00\x00al"
        + b"X\x07\x00\x00\x00vectorscnumpy.core.multiarray\n_reconstruct\n)R(K\x01"
        + shape
        + b"cnumpy\ndtype\n(X\x02\x00\x00\x00f4tR\x89C\x04\x00\x00\x00\x00tbub."
    )


@pytest.mark.parametrize(
    ("shape", "said"),
    [
        (b"K\x01K\x01\x86", None),
        (b"J\xff\xff\xff\x7fJ\xff\xff\xff\x7f\x86", r"incomplete: 4 of \d+ bytes"),
        (b"K\x01J\xff\xff\xff\xff\x86", r"damaged"),
        (b"\x8b\x00\x40\x00\x00" + b"\x7f" * 0x4000 + b"K\x01\x86", r"damaged"),
    ],
)
def test_absurd_shapes_are_refused_before_anything_is_allocated(
    shape: bytes, said: str | None, tmp_path: Path
) -> None:
    (tmp_path / "m.kv").write_bytes(array_of_shape(shape))
    if said is None:
        assert open_vectors(tmp_path / "m.kv").vectors(["a"]).tolist() == [[0]]
        return
    with pytest.raises(AskewError, match=said):
        open_vectors(tmp_path / "m.kv")


def test_the_reader_takes_what_gensim_writes_whatever_the_words(tmp_path: Path) -> None:
    words = ["", " ", "\n", "\u0085", "a b", "\ufeffx", "nan", "x" * 70_000]
    matrix = np.arange(16, dtype=np.float32).reshape(8, 2)
    gensim_of(words, matrix).save(str(tmp_path / "m.kv"))
    vectors = open_vectors(tmp_path / "m.kv")
    assert list(vectors) == words
    np.testing.assert_array_equal(vectors.vectors(words), matrix)


def test_pickles_are_read_without_the_pickle_module() -> None:
    from askew.vectors.formats import pickled

    assert "import pickle" not in Path(str(pickled.__file__)).read_text("utf-8")
