"""gensim's .kv and .model, of versions 0.12 to 4: words and vectors, some of them in .npy files beside it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from askew.errors import VectorsError
from askew.vectors.formats.composed import Composed
from askew.vectors.formats.contents import Contents, Request, contents_of_table
from askew.vectors.formats.letters import LettersPlace
from askew.vectors.formats.matrix import StoredMatrix, is_number
from askew.vectors.formats.npy_header import stored_matrix
from askew.vectors.formats.pickled import read_pickle
from askew.vectors.formats.source import Source
from askew.vectors.formats.stand_ins import PickledArray, Thing
from askew.vectors.formats.word_list import as_bytes

if TYPE_CHECKING:
    from askew.vectors.formats.contents import Matrix

_LARGEST = 1 << 30
_WORDS = ("index_to_key", "index2word", "index2entity")
_VECTORS = ("vectors", "syn0")
_OWN = ("vectors_vocab", "syn0_vocab")
_GROUPS = ("vectors_ngrams", "syn0_ngrams")
_HOLDERS = ("wv", "kv", "dv", "docvecs")


def read(request: Request) -> Contents:
    """Read the words and vectors of a gensim file."""
    source = request.source
    if source.size > _LARGEST:
        raise VectorsError(
            f"the file is too big ({source.size >> 20} MB) for a gensim file", where=source.name
        )
    root = read_pickle(source.read(0, source.size), source.name)
    if not isinstance(root, Thing):
        raise _not_gensim(source)
    holder, beside = _holder(root, source)
    words = next((holder[name] for name in _WORDS if isinstance(holder.get(name), list)), None)
    matrix: Matrix | None = _array(holder, _VECTORS, beside, source)
    if words is None and not root.kind.startswith("gensim"):
        raise _not_gensim(source)
    if words is None:
        kind = root.kind.rpartition(" ")[2]
        raise VectorsError(f"this is a gensim file ({kind}), but it holds no word vectors", where=source.name)
    letters = _letters(root, holder, beside, source)
    if matrix is None:
        matrix = _composed(words, holder, beside, source, letters)
    if matrix is None:
        raise VectorsError("the gensim file holds words, but not their vectors", where=source.name)
    if matrix.rows != len(words):
        raise VectorsError(
            f"the gensim file has {len(words)} words, but {matrix.rows} rows of vectors",
            where=source.name,
            remedy="The files beside it may belong to another one; get both again",
        )
    listed = [as_bytes(word) if isinstance(word, str) else b"" for word in words]
    return contents_of_table("gensim-kv", listed, matrix, request, unit="word", letters=letters)


def _not_gensim(source: Source) -> VectorsError:
    return VectorsError(
        "this is a Python pickle, but not gensim word vectors",
        where=source.name,
        remedy="Save the vectors from Python, for example with gensim's save_word2vec_format",
    )


def _holder(root: Thing, source: Source) -> tuple[dict[str, Any], str]:
    """Return the attributes that hold words and vectors, and what files beside it begin with."""
    for name in _HOLDERS:
        inner = root.state.get(name)
        if isinstance(inner, Thing) and any(isinstance(inner.state.get(words), list) for words in _WORDS):
            return inner.state, f"{source.name}.{name}"
    return root.state, source.name


def _array(
    holder: dict[str, Any], names: tuple[str, ...], beside: str, source: Source
) -> StoredMatrix | None:
    """Return an array of the file, or of the one beside it where the file says so; None if there is none.

    Raises
    ------
    VectorsError
        If the file beside it is missing.
    """
    apart = holder.get("__numpys")
    for name in names:
        array = holder.get(name)
        if isinstance(array, PickledArray):
            return _pickled(array, name, source)
        if isinstance(apart, list) and name in apart:
            return _beside(f"{beside}.{name}.npy", source)
    return None


def _pickled(array: PickledArray, name: str, source: Source) -> StoredMatrix:
    if len(array.shape) != 2 or not is_number(array.kind):
        raise VectorsError(f"'{name}' is not a matrix of numbers", where=source.name)
    data = Source(source.path, source.name, len(array.data), data=array.data)
    rows, dim = array.shape
    return StoredMatrix(data, 0, rows, dim, array.kind, array.by_columns)


def _beside(name: str, source: Source) -> StoredMatrix:
    path = source.path.with_name(name)
    if source.data is not None or not path.is_file():
        raise VectorsError(
            f"the file needs {name} in the same folder, which holds its vectors",
            where=source.name,
            remedy=f"Put {name} beside it" if source.data is None else "Unpack both into one folder",
        )
    return stored_matrix(Source.of_file(path))


def _letters(root: Thing, holder: dict[str, Any], beside: str, source: Source) -> LettersPlace | None:
    """Return where the letter groups of a fastText model are, if its hash is fastText's."""
    known = {**root.state, **holder}
    buckets, shortest, longest = (known.get(name) for name in ("bucket", "min_n", "max_n"))
    if holder.get("compatible_hash") is not True or not all(
        isinstance(number, int) for number in (buckets, shortest, longest)
    ):
        return None
    matrix = _array(holder, _GROUPS, beside, source)
    if matrix is None or matrix.rows != buckets:
        return None
    place = LettersPlace(matrix, int(str(shortest)), int(str(longest)))
    return place if place.usable else None


def _composed(
    words: list[Any], holder: dict[str, Any], beside: str, source: Source, letters: LettersPlace | None
) -> Matrix | None:
    """Return the vectors of words that a fastText model holds only in parts."""
    own = _array(holder, _OWN, beside, source)
    if own is None or letters is None:
        return own
    listed = [as_bytes(word) if isinstance(word, str) else b"" for word in words]
    return Composed(listed, own, letters)
