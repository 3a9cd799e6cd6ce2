"""What `session.json` holds, format 1. Unknown keys are refused; see docs/sessions.md.

Arrays are named here and lie in `arrays.npz` under the same names; the same name is the same array. Those in
`made` are not stored: they come with the program, or are drawn from a recipe.
"""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

FORMAT = 1
"""The format that is written."""
MAX_VARIANTS = 64
MAX_HEADS = 1024
MAX_WORDS = 50_000

_LARGEST = 1.7976931348623157e308
Finite = Annotated[float, Meta(ge=-_LARGEST, le=_LARGEST)]
Natural = Annotated[int, Meta(ge=0)]
Small = Annotated[int, Meta(ge=0, le=2**31 - 1)]
Size = Annotated[int, Meta(ge=1, le=2**24)]
Array = Annotated[str, Meta(pattern=r"^[a-z0-9_]+(\.[a-z0-9_]+){1,3}$", max_length=64)]
Hash = Annotated[str, Meta(pattern=r"^[0-9a-f]+$", max_length=128)]
Name = Annotated[str, Meta(max_length=1000)]
Matrix = Literal["w_q", "w_k", "w_v"]


class _Strict(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A part of the document: any key that is not named is an error."""


class RecipeJson(_Strict, frozen=True, kw_only=True):
    """`askew.heads.Recipe`."""

    initializer: Name
    seed: Natural
    index: Natural
    gain: Finite
    rank: Annotated[int, Meta(ge=1, le=2**16)] | None
    tau: Annotated[float, Meta(ge=0, le=1)]


class FromFileJson(_Strict, frozen=True, kw_only=True):
    """`askew.heads.FromFile`."""

    file: Name
    orientation: Literal["in-out", "out-in"]
    layer: Small | None


class FromFilesJson(_Strict, frozen=True, kw_only=True):
    """`askew.heads.FromFiles`."""

    q: FromFileJson | None
    k: FromFileJson | None
    v: FromFileJson | None


class HeadJson(_Strict, frozen=True, kw_only=True):
    """`askew.heads.Head`; `files` is for an imported one alone."""

    w_q: Array
    w_k: Array
    w_v: Array
    b_q: Array | None
    b_k: Array | None
    b_v: Array | None
    scoring: Name
    extra: Array | None
    recipe: RecipeJson | Literal["edited", "imported", "trained"]
    files: FromFilesJson | None = None
    locked: Annotated[list[Literal["q", "k", "v"]], Meta(max_length=3)]


class EditJson(_Strict, frozen=True, kw_only=True):
    """`askew.token_edits.TokenEdit`."""

    start: Small
    end: Small
    what: Literal["leave-out", "replace", "split", "join"]
    replacement: str
    at: Small


class LayerJson(_Strict, frozen=True, kw_only=True):
    """`askew.embedding.EmbeddingLayer`."""

    name: Name
    positions: Array | None
    token_type: Array | None
    norm_weight: Array | None
    norm_bias: Array | None
    epsilon: Annotated[float, Meta(ge=0, le=_LARGEST)]
    first: Name
    last: Name
    complete: bool


class VariantJson(_Strict, frozen=True, kw_only=True):
    """`askew.experiment.Experiment`; `vectors` and `embedding` count the document's from 0."""

    text: str
    context: str | None
    vectors: Natural
    edits: list[EditJson]
    positions: Name
    normalize: Name
    encoder: Name
    mask: Name
    temperature: Finite
    raw: Name
    compare: Name
    quantity: Name
    selected: Annotated[list[Small], Meta(max_length=MAX_HEADS)]
    unknown: Literal["drop", "keep"]
    stretch: Literal["fixed", "map", "row"]
    embedding: Natural | None
    specials: bool
    heads: Annotated[list[HeadJson], Meta(min_length=1, max_length=MAX_HEADS)]


PLAIN = (
    "text",
    "context",
    "positions",
    "normalize",
    "encoder",
    "mask",
    "temperature",
    "raw",
    "compare",
    "quantity",
    "unknown",
    "stretch",
    "specials",
)
"""Fields of an experiment that are written as they are."""


class OptionsJson(_Strict, frozen=True, kw_only=True):
    """`askew.vectors.options.Options`; `words` is a file's name without folders."""

    skip_damaged: bool
    limit: Natural | None
    encoding: Name | None
    member: Name | None
    words: Name | None
    language: Name | None


class VectorsJson(_Strict, frozen=True, kw_only=True):
    """Word vectors, and the rows used: first those of `words`, then those of `built`, made from letters."""

    name: Name
    fingerprint: Annotated[str, Meta(min_length=1, max_length=128)]
    dim: Size
    file: Name
    relative: Annotated[str, Meta(max_length=4096)] | None
    size: Natural | None
    content: Hash | None
    bundled: Name | None
    options: OptionsJson
    unaccented: bool
    words: Annotated[list[str], Meta(max_length=MAX_WORDS)]
    built: Annotated[list[str], Meta(max_length=MAX_WORDS)]
    rows: Array | None


class DrawnJson(_Strict, frozen=True, kw_only=True):
    """A matrix of the head that a recipe draws."""

    recipe: RecipeJson
    part: Matrix
    d_model: Size
    d_k: Size
    d_v: Size


class MadeJson(_Strict, frozen=True, kw_only=True):
    """An array that is not stored: the name of a bundled one, or how it is drawn; and its hash."""

    hash: Hash
    bundled: Name | None
    drawn: DrawnJson | None


class SessionJson(_Strict, frozen=True, kw_only=True):
    """The whole document."""

    format: int
    title: str
    active: Natural
    variants: Annotated[list[VariantJson], Meta(min_length=1, max_length=MAX_VARIANTS)]
    vectors: Annotated[list[VectorsJson], Meta(max_length=MAX_VARIANTS)]
    layers: Annotated[list[LayerJson], Meta(max_length=MAX_VARIANTS)]
    made: dict[Array, MadeJson]
