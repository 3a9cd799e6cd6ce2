"""Sessions for tests: by hand, and any that can be."""

from __future__ import annotations

import io
import json
import struct
import zipfile
import zlib
from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from hypothesis import strategies as st

from askew.embedding import EmbeddingLayer
from askew.errors import AskewError
from askew.experiment import Experiment
from askew.heads import FromFile, FromFiles, Head, Recipe
from askew.initializers import INITIALIZERS, draw_head, random_heads
from askew.inputs import COMPARISONS, POSITIONS, QUANTITIES
from askew.masks import MASKS
from askew.normalize import NORMALIZATIONS
from askew.scoring import SCORINGS
from askew.session import Session
from askew.similarity import RAWS
from askew.tokens import TokenEdit
from askew.vectors.table import WordVectors

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from askew.arrays import Float32

WORDS = ["red", "sky", "tree", "was", "n't", "not", "new_york", "new", "york", "[CLS]"]
DIM = 4


def table(words: list[str] = WORDS, dim: int = DIM, name: str = "colours") -> WordVectors:
    matrix = np.random.default_rng(7).standard_normal((len(words), dim)).astype(np.float32)
    return WordVectors.from_arrays(words, matrix, name)


TABLE = table()
TABLES = {TABLE.fingerprint: TABLE}


def simple(text: str = "red sky", count: int = 3) -> Session:
    heads = random_heads(count, d_model=DIM, d_k=2, d_v=3, seed=5)
    return Session((Experiment(text, TABLE.ref, heads),))


def same_array(a: Float32 | None, b: Float32 | None) -> bool:
    """Whether two arrays have the same bits."""
    if a is None or b is None:
        return a is b
    return a.shape == b.shape and a.tobytes() == b.tobytes() and not b.flags.writeable


def same(a: object, b: object) -> bool:
    """Whether two parts of a session say the same, arrays bit for bit."""
    if isinstance(a, np.ndarray) or isinstance(b, np.ndarray):
        return same_array(a, b)  # type: ignore[arg-type]
    if isinstance(a, tuple) and isinstance(b, tuple):
        return len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, Session | Experiment | Head | EmbeddingLayer) and type(a) is type(b):
        return all(same(getattr(a, each.name), getattr(b, each.name)) for each in fields(a))
    return type(a) is type(b) and a == b


numbers = st.floats(width=32, allow_nan=False, allow_infinity=False)
texts = st.text(max_size=20)


def arrays(*shape: int) -> st.SearchStrategy[Float32]:
    count = int(np.prod(shape))
    return st.lists(numbers, min_size=count, max_size=count).map(
        lambda values: np.array(values, dtype=np.float32).reshape(shape)
    )


recipes = st.builds(
    Recipe,
    st.sampled_from(list(INITIALIZERS)),
    st.integers(0, 2**70),
    st.integers(0, 2000),
    st.floats(allow_nan=False, allow_infinity=False),
    st.none() | st.integers(1, 100),
    st.floats(0, 1),
)


def _drawn(recipe: Recipe, d_k: int, d_v: int) -> st.SearchStrategy[Head]:
    """Return the head that a recipe draws, or none where it cannot be drawn."""
    try:
        with np.errstate(over="ignore", invalid="ignore"):
            return st.just(draw_head(recipe, DIM, d_k, d_v))
    except AskewError:
        return st.nothing()


files = st.none() | st.builds(
    FromFile, texts, st.sampled_from(["in-out", "out-in"]), st.none() | st.integers(0, 2**31 - 1)
)
brought = st.builds(FromFiles, files, files, files)


def heads(d_k: int, d_v: int) -> st.SearchStrategy[Head]:
    return recipes.flatmap(lambda recipe: _drawn(recipe, d_k, d_v)) | st.builds(
        Head,
        arrays(DIM, d_k),
        arrays(DIM, d_k),
        arrays(DIM, d_v),
        st.none() | arrays(d_k),
        st.none() | arrays(d_k),
        st.none() | arrays(d_v),
        scoring=st.sampled_from(list(SCORINGS)),
        extra=st.none() | arrays(d_k) | arrays(DIM, DIM),
        recipe=recipes | st.sampled_from(["edited", "trained"]) | brought,
        locked=st.frozensets(st.sampled_from(["q", "k", "v"])),
    )


edits = st.builds(
    TokenEdit,
    st.integers(0, 30),
    st.integers(0, 30),
    st.sampled_from(["leave-out", "replace", "split", "join"]),
    texts,
    st.integers(0, 30),
)

layers = st.builds(
    EmbeddingLayer,
    texts,
    st.none() | arrays(3, DIM),
    st.none() | arrays(DIM),
    st.none() | arrays(DIM),
    st.none() | arrays(DIM),
    st.floats(0, 1),
    st.sampled_from(["", "[CLS]"]),
    st.sampled_from(["", "red"]),
    st.booleans(),
)


@st.composite
def experiments(draw: st.DrawFn) -> Experiment:
    d_k, d_v = draw(st.integers(1, 3)), draw(st.integers(1, 3))
    some = draw(st.lists(heads(d_k, d_v), min_size=1, max_size=3))
    if draw(st.booleans()):  # grouped keys: one object for two heads
        some.append(replace(some[0], w_q=draw(arrays(DIM, d_k))))
    return Experiment(
        draw(texts | st.sampled_from(["the red sky wasn't new york", "new york!"])),
        TABLE.ref,
        tuple(some),
        context=draw(st.none() | texts),
        edits=tuple(draw(st.lists(edits, max_size=3))),
        positions=draw(st.sampled_from(POSITIONS)),
        normalize=draw(st.sampled_from(list(NORMALIZATIONS))),
        mask=draw(st.sampled_from(list(MASKS))),
        temperature=draw(st.floats(1e-300, 1e300)),
        raw=draw(st.sampled_from(list(RAWS))),
        compare=draw(st.sampled_from(COMPARISONS)),
        quantity=draw(st.sampled_from(QUANTITIES)),
        selected=tuple(draw(st.lists(st.integers(0, len(some) - 1), min_size=1, max_size=4))),
        unknown=draw(st.sampled_from(["drop", "keep"])),
        stretch=draw(st.sampled_from(["fixed", "map", "row"])),
        embedding=draw(st.none() | layers),
        specials=draw(st.booleans()),
    )


@st.composite
def sessions(draw: st.DrawFn) -> Session:
    variants = draw(st.lists(experiments(), min_size=1, max_size=2))
    if draw(st.booleans()):  # a variant that shares all its heads with another
        variants.append(replace(variants[0], text=draw(texts)))
    return Session(tuple(variants), draw(st.integers(0, len(variants) - 1)), draw(texts))


def members(data: bytes) -> dict[str, bytes]:
    """Return the members of a zip file."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def zipped(parts: Mapping[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    """Return a zip file as anyone can write it."""
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", method) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return target.getvalue()


def with_document(data: bytes, change: Callable[[dict[str, Any]], object]) -> bytes:
    """Return a session file with its document changed in place."""
    parts = members(data)
    document = json.loads(parts["session.json"])
    change(document)
    return zipped({**parts, "session.json": json.dumps(document).encode()})


def with_arrays(data: bytes, change: Callable[[dict[str, bytes]], object]) -> bytes:
    """Return a session file with the members of its arrays changed in place."""
    parts = members(data)
    inner = members(parts["arrays.npz"])
    change(inner)
    return zipped({**parts, "arrays.npz": zipped(inner)})


def chunk(kind: bytes, content: bytes) -> bytes:
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))


HEADER = chunk(b"IHDR", struct.pack(">IIBBBBB", 1, 1, 8, 2, 0, 0, 0))
PIXELS = chunk(b"IDAT", zlib.compress(b"\0\1\2\3")) + chunk(b"IEND", b"")
PNG = b"\x89PNG\r\n\x1a\n" + HEADER + PIXELS
SVG = b'<?xml version="1.0"?>\n<svg xmlns="http://www.w3.org/2000/svg"><text>&lt;svg&gt;</text></svg>\n'
HTML = b"<!DOCTYPE html><html><head><title>x</title></head><body><p>y</p></body></html>\n"
