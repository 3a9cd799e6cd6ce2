"""From a session to its document and arrays."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from msgspec import convert

from askew.heads import FromFiles, Recipe
from askew.session_errors import SessionError, TooLargeError
from askew.session_made import (
    HEAD_ARRAYS,
    LAYER_ARRAYS,
    bundled_array,
    drawn_arrays,
    recipe_json,
    uses_bundled,
)
from askew.session_schema import (
    FORMAT,
    MAX_HEADS,
    MAX_VARIANTS,
    PLAIN,
    EditJson,
    FromFilesJson,
    HeadJson,
    LayerJson,
    MadeJson,
    OptionsJson,
    SessionJson,
    VariantJson,
    VectorsJson,
)
from askew.session_vectors import SavedTable, way_from
from askew.session_words import used_rows, used_words
from askew.vectors.bundled import BUNDLED
from askew.vectors.options import Options

if TYPE_CHECKING:
    from collections.abc import Mapping

    from askew.arrays import Float32
    from askew.embedding import EmbeddingLayer
    from askew.experiment import Experiment
    from askew.heads import Head, Origin
    from askew.session import Session
    from askew.session_schema import RecipeJson
    from askew.vectors.table import WordVectors

    Places = Mapping[str, Path | tuple[Path, Options]]


class Writer:
    """Collects the parts of one session; each array, layer and table is written once.

    Parameters
    ----------
    tables, places, folder, limit
        As for `askew.session_file.to_bytes`.
    """

    def __init__(
        self, tables: Mapping[str, WordVectors], places: Places, folder: Path | None, limit: int | None
    ) -> None:
        self._tables = tables
        self._places = places
        self._folder = folder
        self._limit = limit
        self._names: dict[int, str] = {}
        self._made: dict[str, MadeJson] = {}
        self._layers: list[EmbeddingLayer] = []
        self._bundled = False
        self.arrays: dict[str, Float32] = {}

    def document(self, session: Session) -> SessionJson:
        """Return the document of a session; its arrays are in `arrays` then.

        Raises
        ------
        SessionError
            If there is more of it than can be read back, or a table is missing.
        """
        _check_counts(session)
        self._bundled = self._limit is not None and any(map(uses_bundled, session.variants))
        prints = list(dict.fromkeys(each.vectors.fingerprint for each in session.variants))
        variants = [self._variant(v, each, prints) for v, each in enumerate(session.variants)]
        layers = [self._layer(index, layer) for index, layer in enumerate(self._layers)]
        vectors = [self._vectors(t, each, session.variants) for t, each in enumerate(prints)]
        self._check_limit()
        return SessionJson(
            format=FORMAT,
            title=session.title,
            active=session.active,
            variants=variants,
            vectors=vectors,
            layers=layers,
            made=self._made,
        )

    def _variant(self, v: int, experiment: Experiment, prints: list[str]) -> VariantJson:
        layer = experiment.embedding
        if layer is not None and all(each is not layer for each in self._layers):
            self._layers.append(layer)
        return VariantJson(
            **{name: getattr(experiment, name) for name in PLAIN},
            vectors=prints.index(experiment.vectors.fingerprint),
            edits=[
                EditJson(**{f.name: getattr(edit, f.name) for f in fields(edit)}) for edit in experiment.edits
            ],
            selected=list(experiment.selected),
            embedding=next((i for i, each in enumerate(self._layers) if each is layer), None),
            heads=[self._head(f"v{v}.h{h}", head) for h, head in enumerate(experiment.heads)],
        )

    def _head(self, prefix: str, head: Head) -> HeadJson:
        drawn = drawn_arrays(head) if self._limit is not None else {}
        names: dict[str, Any] = {
            each: self._array(f"{prefix}.{each}", getattr(head, each), drawn) for each in HEAD_ARRAYS
        }
        recipe, files = _origin(head.recipe)
        return HeadJson(**names, scoring=head.scoring, recipe=recipe, files=files, locked=sorted(head.locked))

    def _layer(self, index: int, layer: EmbeddingLayer) -> LayerJson:
        names = {each: self._array(f"l{index}.{each}", getattr(layer, each), {}) for each in LAYER_ARRAYS}
        return LayerJson(
            **names,
            name=layer.name,
            epsilon=layer.epsilon,
            first=layer.first,
            last=layer.last,
            complete=layer.complete,
        )

    def _array(self, name: str, array: Float32 | None, drawn: Mapping[int, MadeJson]) -> str | None:
        """Return the name of an array, its first one where it was met before."""
        if array is None:
            return None
        if id(array) in self._names:
            return self._names[id(array)]
        self._names[id(array)] = name
        made = drawn.get(id(array)) or (bundled_array(array) if self._bundled else None)
        if made is None:
            self.arrays[name] = array
        else:
            self._made[name] = made
        return name

    def _vectors(self, t: int, fingerprint: str, variants: tuple[Experiment, ...]) -> VectorsJson:
        experiments = [each for each in variants if each.vectors.fingerprint == fingerprint]
        ref, table = experiments[0].vectors, self._tables.get(fingerprint)
        if table is None:
            raise SessionError(f"the vectors '{ref.name}' are not open", remedy="Open them, then save again")
        words, built, rows = used_rows(*used_words(experiments, table), table)
        if len(rows):
            self.arrays[f"t{t}.rows"] = rows
        file = _File.of(table, self._places.get(fingerprint), self._folder)
        return VectorsJson(
            name=ref.name,
            fingerprint=fingerprint,
            dim=ref.dim,
            file=file.name,
            relative=file.relative,
            size=file.size,
            content=table.content,
            bundled=file.bundled,
            options=_options(file.options),
            unaccented=table.unaccented,
            words=words,
            built=built,
            rows=f"t{t}.rows" if len(rows) else None,
        )

    def _check_limit(self) -> None:
        size = sum(array.nbytes for array in self.arrays.values())
        if self._limit is not None and size > self._limit:
            raise TooLargeError(
                f"the picture does not carry its experiment: its own numbers take {size / 1e6:.1f} MB, "
                f"and a picture carries {self._limit / 1e6:.1f} MB at most",
                remedy="Save the session beside it",
            )


class _File:
    """What is known of the file of a table: name, way to it, size, bundled name, how it was read."""

    def __init__(
        self,
        name: str = "",
        *,
        path: Path | None = None,
        folder: Path | None = None,
        size: int | None = None,
        bundled: str | None = None,
        options: Options | None = None,
    ) -> None:
        self.name = name
        self.relative = None if path is None or folder is None else way_from(folder, path)
        self.size = size
        self.bundled = bundled
        self.options = options or Options()

    @classmethod
    def of(cls, table: WordVectors, place: Path | tuple[Path, Options] | None, folder: Path | None) -> _File:
        """Return what is known: by its place on disk, its own source, or the session it came from."""
        place = place or table.source
        if place is not None:
            path, options = place if isinstance(place, tuple) else (place, None)
            return cls(path.name, path=path, folder=folder, size=_size(path), options=options)
        if isinstance(table, SavedTable):
            known = table.saved
            return cls(
                known.file_name,
                path=known.expected,
                folder=folder,
                size=known.size,
                bundled=known.bundled,
                options=known.options,
            )
        return cls(bundled=table.name if table.name in BUNDLED else None)


def _check_counts(session: Session) -> None:
    if not session.variants:
        raise SessionError("the session holds no experiment")
    if len(session.variants) > MAX_VARIANTS:
        raise SessionError(
            f"the session has {len(session.variants)} variants, more than the {MAX_VARIANTS} a file can hold",
            remedy="Close some of them",
        )
    most = max(len(each.heads) for each in session.variants)
    if most > MAX_HEADS:
        raise SessionError(f"there are {most:,} heads, more than the {MAX_HEADS:,} that a file can hold")


def _options(options: Options) -> OptionsJson:
    """Return the choices as they are stored: a list of words by its name alone."""
    known = {name: getattr(options, name) for name in OptionsJson.__struct_fields__}
    known["words"] = None if options.words is None else Path(options.words).name
    return OptionsJson(**known)


def _size(path: Path) -> int | None:
    try:
        return path.stat().st_size
    except OSError:
        return None


def _origin(
    origin: Origin,
) -> tuple[RecipeJson | Literal["edited", "imported", "trained"], FromFilesJson | None]:
    """Return where a head came from as it is stored: its recipe, and the files of an imported one."""
    if isinstance(origin, FromFiles):
        return "imported", convert(origin, FromFilesJson, from_attributes=True)
    return recipe_json(origin) if isinstance(origin, Recipe) else origin, None
