"""From a document and its arrays, which are not trusted, to a session."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from msgspec import convert

from askew.embedding import EmbeddingLayer
from askew.errors import AskewError
from askew.experiment import Experiment, VectorsRef
from askew.heads import FromFiles, Head
from askew.initializers import INITIALIZERS
from askew.inputs import COMPARISONS, ENCODERS, POSITIONS, QUANTITIES
from askew.masks import MASKS
from askew.normalize import NORMALIZATIONS
from askew.scoring import SCORINGS
from askew.session import Session
from askew.session_arrays import digest
from askew.session_errors import SessionError, in_document
from askew.session_made import HEAD_ARRAYS, LAYER_ARRAYS, bundled_arrays, bundled_names, recipe_of
from askew.session_schema import PLAIN, RecipeJson
from askew.session_vectors import SavedTable, SavedVectors, is_way
from askew.similarity import RAWS
from askew.token_edits import TokenEdit
from askew.trained import trained_embedding, trained_heads
from askew.vectors.options import Options
from askew.vectors.table import ArrayRows, DictIndex, Origin

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence
    from pathlib import Path

    from askew.arrays import Float32
    from askew.heads import Origin as HeadOrigin
    from askew.session_schema import HeadJson, LayerJson, SessionJson, VariantJson, VectorsJson

NEWER = "It may be damaged, or made by a newer Askew"
_NAMES: dict[str, Collection[str]] = {
    "positions": POSITIONS,
    "normalize": NORMALIZATIONS,
    "encoder": ENCODERS,
    "mask": MASKS,
    "raw": RAWS,
    "compare": COMPARISONS,
    "quantity": QUANTITIES,
}


class Reader:
    """Makes the parts of one session; the same arrays and heads come back as the same objects.

    Parameters
    ----------
    name
        Of the file, for messages.
    document
        What its `session.json` holds.
    arrays
        All arrays that the document names, stored and made.
    folder
        Of the file on disk, None where it is on none.
    """

    def __init__(
        self, name: str, document: SessionJson, arrays: Mapping[str, Float32], folder: Path | None
    ) -> None:
        self._name = name
        self._document = document
        self._arrays = dict(arrays)
        self._folder = folder
        self._heads: dict[tuple[object, ...], Head] = {}
        self._layers: list[EmbeddingLayer] = []

    def session(self) -> Session:
        """Return the session.

        Raises
        ------
        SessionError
            If parts of it do not fit together; the message names the path.
        """
        document = self._document
        if document.active >= len(document.variants):
            raise self._wrong("$.active", f"there is no variant {document.active}")
        if document.layers or any(h.recipe == "trained" for each in document.variants for h in each.heads):
            self._take_bundled()
        self._layers = [self._layer(f"$.layers[{i}]", each) for i, each in enumerate(document.layers)]
        variants = [self._variant(f"$.variants[{v}]", each) for v, each in enumerate(document.variants)]
        return Session(tuple(variants), document.active, document.title)

    def vectors(self) -> dict[str, SavedVectors]:
        """Return what is known of the vectors, by fingerprint."""
        found: dict[str, SavedVectors] = {}
        for index, each in enumerate(self._document.vectors):
            path = f"$.vectors[{index}]"
            if each.fingerprint in found:
                raise self._wrong(f"{path}.fingerprint", "it is there twice")
            found[each.fingerprint] = self._saved(path, each)
        return found

    def _take_bundled(self) -> None:
        """Put the very objects that examples use in the place of arrays with the same numbers."""
        known, names = bundled_arrays(), bundled_names()
        taken: set[str] = set()
        for each, array in self._arrays.items():
            name = names.get(digest(array))
            if name is not None and name not in taken:  # what was apart stays apart
                taken.add(name)
                self._arrays[each] = known[name]
        for head in trained_heads():
            self._heads[_key(head)] = head

    def _variant(self, path: str, stored: VariantJson) -> Experiment:
        for field, known in _NAMES.items():
            self._check_name(f"{path}.{field}", field, getattr(stored, field), known)
        if not stored.temperature > 0:
            raise self._wrong(f"{path}.temperature", f"the temperature is {stored.temperature}, not above 0")
        ref = self._ref(f"{path}.vectors", stored.vectors)
        for place, selected in enumerate(stored.selected):
            if selected >= len(stored.heads):
                raise self._wrong(f"{path}.selected[{place}]", f"there is no head {selected}")
        if not stored.selected:
            raise self._wrong(f"{path}.selected", "no head is selected")
        heads = [self._head(f"{path}.heads[{h}]", each, ref.dim) for h, each in enumerate(stored.heads)]
        self._check_widths(path, heads)
        return Experiment(
            **{name: getattr(stored, name) for name in PLAIN},
            vectors=ref,
            heads=tuple(heads),
            edits=tuple(
                TokenEdit(each.start, each.end, each.what, each.replacement, each.at) for each in stored.edits
            ),
            selected=tuple(stored.selected),
            embedding=self._embedding(f"{path}.embedding", stored.embedding, ref.dim),
        )

    def _ref(self, path: str, index: int) -> VectorsRef:
        if index >= len(self._document.vectors):
            raise self._wrong(path, f"there are no vectors {index}")
        stored = self._document.vectors[index]
        return VectorsRef(stored.name, stored.fingerprint, stored.dim)

    def _embedding(self, path: str, index: int | None, dim: int) -> EmbeddingLayer | None:
        if index is None:
            return None
        if index >= len(self._layers):
            raise self._wrong(path, f"there is no layer {index}")
        layer = self._layers[index]
        if layer.dim not in (None, dim):
            raise self._wrong(path, f"the layer is for vectors of {layer.dim} numbers, these have {dim}")
        return layer

    def _head(self, path: str, stored: HeadJson, dim: int) -> Head:
        self._check_name(f"{path}.scoring", "scoring", stored.scoring, SCORINGS)
        origin = self._origin(path, stored)
        parts = {name: self._array(f"{path}.{name}", getattr(stored, name)) for name in HEAD_ARRAYS}
        try:
            head = Head(
                **parts,  # type: ignore[arg-type]  # matrices are never null in the schema
                scoring=stored.scoring,
                recipe=origin,
                locked=frozenset(stored.locked),
            )
        except AskewError as error:
            raise self._wrong(path, error.what) from error
        if head.d_model != dim:
            what = f"w_q has {head.d_model} rows, and the vectors have {dim} numbers"
            raise self._wrong(f"{path}.w_q", what)
        return self._heads.setdefault(_key(head), head)

    def _origin(self, path: str, stored: HeadJson) -> HeadOrigin:
        """Return where a head came from."""
        recipe = stored.recipe
        if stored.files is not None and recipe != "imported":
            raise self._wrong(f"{path}.files", "only an imported head comes from files")
        if recipe == "imported":
            known = stored.files is not None
            return convert(stored.files, FromFiles, from_attributes=True) if known else FromFiles()
        if not isinstance(recipe, RecipeJson):
            return recipe
        self._check_name(f"{path}.recipe.initializer", "initializer", recipe.initializer, INITIALIZERS)
        return recipe_of(recipe)

    def _check_widths(self, path: str, heads: Sequence[Head]) -> None:
        first = heads[0]
        for h, head in enumerate(heads):
            if (head.d_k, head.d_v) != (first.d_k, first.d_v):
                what = f"d_k and d_v are {head.d_k} and {head.d_v}, and {first.d_k} and {first.d_v} in head 0"
                raise self._wrong(f"{path}.heads[{h}]", what)

    def _layer(self, path: str, stored: LayerJson) -> EmbeddingLayer:
        parts = {name: self._array(f"{path}.{name}", getattr(stored, name)) for name in LAYER_ARRAYS}
        try:
            layer = EmbeddingLayer(
                stored.name,
                **parts,
                epsilon=stored.epsilon,
                first=stored.first,
                last=stored.last,
                complete=stored.complete,
            )
        except AskewError as error:
            raise self._wrong(path, error.what) from error
        return trained_embedding() if _layer_key(layer) == _layer_key(trained_embedding()) else layer

    def _saved(self, path: str, stored: VectorsJson) -> SavedVectors:
        if "/" in stored.file or "\\" in stored.file or "\0" in stored.file:
            raise self._wrong(f"{path}.file", "it is no name of a file")
        if stored.relative is not None and not is_way(stored.relative):
            raise self._wrong(f"{path}.relative", "the way leads out of the folders beside the session")
        choices = {name: getattr(stored.options, name) for name in Options.__dataclass_fields__}
        words = choices["words"]
        if words is not None and ("/" in words or "\\" in words):
            raise self._wrong(f"{path}.options.words", "it is no name of a file")
        table = self._table(path, stored)
        expected = None
        if self._folder is not None and stored.relative is not None:
            expected = self._folder / stored.relative
        table.saved = SavedVectors(
            stored.name,
            stored.fingerprint,
            stored.dim,
            stored.file,
            stored.relative,
            stored.size,
            stored.content,
            stored.bundled,
            Options(**choices),
            table,
            expected,
        )
        return table.saved

    def _table(self, path: str, stored: VectorsJson) -> SavedTable:
        count = len(stored.words) + len(stored.built)
        rows = self._array(f"{path}.rows", stored.rows)
        if rows is None:
            rows = np.zeros((0, stored.dim), dtype=np.float32)
        if rows.shape != (count, stored.dim):
            raise self._wrong(f"{path}.rows", f"it has shape {rows.shape}, not {(count, stored.dim)}")
        known = len(stored.words)
        return SavedTable(
            stored.name,
            DictIndex(stored.words),
            ArrayRows(rows[:known]),
            fingerprint=stored.fingerprint,
            origin=Origin("session"),
            letters=_Built(stored.built, rows[known:]) if stored.built else None,
            content=stored.content,
            unaccented=stored.unaccented,
        )

    def _array(self, path: str, name: str | None) -> Float32 | None:
        """Return an array by its name; all that the document names were read or made."""
        return None if name is None else self._arrays[name]

    def _check_name(self, path: str, what: str, name: str, known: Collection[str]) -> None:
        if name not in known:
            raise self._wrong(path, f"there is no {what} {name[:60]!r}")

    def _wrong(self, path: str, what: str) -> SessionError:
        return SessionError(what, where=in_document(self._name, path), remedy=NEWER)


class _Built:
    """Vectors that the table built from letters, and no others."""

    def __init__(self, words: Sequence[str], rows: Float32) -> None:
        self._rows = dict(zip(words, rows, strict=True))

    def vector(self, word: str) -> Float32 | None:
        """Return the vector of a word, (dim,), or None."""
        return self._rows.get(word)


def array_names(document: SessionJson) -> dict[str, str]:
    """Return every array that a document names, and the path of the first that names it."""
    found: dict[str, str] = {}
    for v, variant in enumerate(document.variants):
        for h, head in enumerate(variant.heads):
            for each in HEAD_ARRAYS:
                found.setdefault(getattr(head, each), f"$.variants[{v}].heads[{h}].{each}")
    for i, layer in enumerate(document.layers):
        for each in LAYER_ARRAYS:
            found.setdefault(getattr(layer, each), f"$.layers[{i}].{each}")
    for t, vectors in enumerate(document.vectors):
        if vectors.rows is not None:
            found.setdefault(vectors.rows, f"$.vectors[{t}].rows")
    return {name: path for name, path in found.items() if name is not None}


def _key(head: Head) -> tuple[object, ...]:
    """Return what two heads that are the same have in common."""
    parts = (id(getattr(head, name)) for name in HEAD_ARRAYS)
    return (*parts, head.scoring, head.recipe, head.locked)


def _layer_key(layer: EmbeddingLayer) -> tuple[object, ...]:
    """Return what two layers that are the same have in common."""
    parts = (id(getattr(layer, name)) for name in LAYER_ARRAYS)
    return (*parts, layer.name, layer.epsilon, layer.first, layer.last, layer.complete)
