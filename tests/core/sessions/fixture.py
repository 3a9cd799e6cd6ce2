"""The session in `tests/data/sessions`, by numbers that are written down here and drawn nowhere.

Each format that was ever released keeps its files there. To write those of a new format:
`python -m tests.core.sessions.fixture`; those of older formats are never written again.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from tests.core.sessions.built import PNG, SVG

from askew.carried import embed_png, embed_svg
from askew.embedding import EmbeddingLayer
from askew.experiment import Experiment
from askew.heads import FromFile, FromFiles, Head, Recipe
from askew.initializers import random_heads
from askew.session import Session
from askew.session_file import CARRIED_LIMIT, save, to_bytes
from askew.session_schema import FORMAT
from askew.tokens import TokenEdit
from askew.trained import trained_heads
from askew.vectors import WordVectors, open_vectors

if TYPE_CHECKING:
    from askew.arrays import Float32

FOLDER = Path(__file__).parents[2] / "data/sessions"
WORDS = ["red", "sky", "tree", "was", "n't", "new_york", "new", "york", "[CLS]", "[SEP]"]


def counted(*shape: int, start: float = 0.0) -> Float32:
    """Return numbers that float32 holds exactly: start, start − 1/8, start − 2/8, …."""
    return (start - np.arange(np.prod(shape)) / 8).reshape(shape).astype(np.float32)


TABLE = WordVectors.from_arrays(WORDS, counted(len(WORDS), 4, start=3), "colours.vec")


def heads() -> tuple[Head, ...]:
    """Return heads of every kind: edited, sharing keys, locked, imported, with biases, from recipes."""
    first = Head(counted(4, 2), counted(4, 2, start=1), counted(4, 3, start=2), scoring="cosine")
    biased = replace(
        first,
        w_q=counted(4, 2, start=5),
        b_q=counted(2),
        b_k=counted(2, start=0.1),
        recipe=FromFiles(q=FromFile("q.npy", "out-in"), v=FromFile("ü.safetensors", "in-out", 3)),
    )
    return (
        first,
        biased,  # it shares the keys of the first
        replace(biased, b_v=counted(3, start=1e-45), scoring="dot", locked=frozenset({"q", "v"})),
        replace(first, extra=counted(2, start=1047552.3), recipe=Recipe("low-rank", 2**40, 3, 1.5, 1, 1.0)),
        replace(first, w_v=counted(4, 3, start=-1), recipe=Recipe("tied", 7, 4, 2.0, None, 0.25)),
    )


def session() -> Session:
    """Return a session that has a bit of everything."""
    edits = (
        TokenEdit(0, 3, "leave-out"),
        TokenEdit(8, 14, "split", "", 11),
        TokenEdit(15, 23, "join"),
        TokenEdit(4, 7, "replace", "tree"),
    )
    everything = Experiment(
        "red sky wasn't new york 猫",
        TABLE.ref,
        heads(),
        context="the tree",
        edits=edits,
        normalize="unit",
        mask="causal",
        temperature=0.1234567890123456,
        raw="cosine",
        compare="matched",
        quantity="scores",
        selected=(4, 0),
        unknown="keep",
        stretch="row",
    )
    layer = EmbeddingLayer(
        "small",
        counted(9, 4),
        counted(4),
        counted(4, start=2),
        counted(4, start=1),
        1e-5,
        "[CLS]",
        "[SEP]",
        False,
    )
    model = replace(
        everything,
        context=None,
        edits=(),
        positions="learned",
        normalize="layer",
        embedding=layer,
        specials=False,
    )
    minilm = open_vectors("minilm-l6-v2")
    trained = Experiment("the cat", minilm.ref, (trained_heads()[2],), positions="rope")
    return Session((everything, model, trained), 1, "Ünï 文件")


def carried() -> Session:
    """Return the session that the pictures carry: drawn heads, which go in as recipes."""
    drawn = random_heads(2, d_model=4, d_k=2, d_v=2, seed=7)
    return Session((Experiment("red sky", TABLE.ref, drawn),))


def tables() -> dict[str, WordVectors]:
    """Return the vectors of the sessions."""
    minilm = open_vectors("minilm-l6-v2")
    return {TABLE.fingerprint: TABLE, minilm.fingerprint: minilm}


if __name__ == "__main__":
    save(FOLDER / f"format-{FORMAT}.askew", session(), tables())
    picture = to_bytes(carried(), tables(), limit=CARRIED_LIMIT)
    (FOLDER / f"format-{FORMAT}.png").write_bytes(embed_png(PNG, picture))
    (FOLDER / f"format-{FORMAT}.svg").write_bytes(embed_svg(SVG, picture))
