from __future__ import annotations

import subprocess
import sys
from dataclasses import fields, replace
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given, settings
from tests.core.sessions.built import DIM, TABLE, TABLES, members, same, sessions, simple, table

from askew.embedding import EmbeddingLayer
from askew.evaluation import evaluate
from askew.examples import EXAMPLES, example
from askew.experiment import Experiment, VectorsRef
from askew.heads import FromFile, FromFiles, Head, Recipe
from askew.initializers import random_heads
from askew.session import Session
from askew.session_file import SessionError, from_bytes, load, save, to_bytes
from askew.session_schema import (
    PLAIN,
    EditJson,
    FromFileJson,
    FromFilesJson,
    HeadJson,
    LayerJson,
    OptionsJson,
    RecipeJson,
    SessionJson,
    VariantJson,
)
from askew.tokens import TokenEdit
from askew.trained import trained_embedding, trained_heads
from askew.vectors import open_vectors
from askew.vectors.options import Options

if TYPE_CHECKING:
    from pathlib import Path

    import msgspec


@settings(max_examples=60)
@given(sessions())
def test_any_session_comes_back_as_it_was_bit_for_bit(session: Session) -> None:
    loaded = from_bytes(to_bytes(session, TABLES), "any.askew")
    assert same(loaded.session, session)
    assert loaded.notes == ()
    assert loaded.format == 1


@settings(max_examples=60)
@given(sessions())
def test_what_a_picture_carries_comes_back_as_it_was_too(session: Session) -> None:
    loaded = from_bytes(to_bytes(session, TABLES, limit=1_000_000), "any.png")
    assert same(loaded.session, session)
    assert loaded.notes == ()


@settings(max_examples=30)
@given(sessions())
def test_what_is_shared_stays_shared_and_what_is_not_stays_apart(session: Session) -> None:
    loaded = from_bytes(to_bytes(session, TABLES), "any.askew").session
    before = [head for variant in session.variants for head in variant.heads]
    after = [head for variant in loaded.variants for head in variant.heads]
    for old, new in zip(before, after, strict=True):
        for other, again in zip(before, after, strict=True):
            assert (old.w_k is other.w_k) == (new.w_k is again.w_k)
            assert old is not other or new is again


@settings(max_examples=30)
@given(sessions())
def test_the_same_session_gives_the_same_bytes_also_after_it_was_read(session: Session) -> None:
    data = to_bytes(session, TABLES)
    loaded = from_bytes(data, "any.askew")
    assert to_bytes(session, TABLES) == data
    assert to_bytes(loaded.session, {key: each.table for key, each in loaded.vectors.items()}) == data


def test_another_process_writes_the_same_bytes(tmp_path: Path) -> None:
    code = "from tests.core.sessions.built import *; from askew.session_file import save; import sys;"
    code += "save(sys.argv[1], simple(), TABLES)"
    for name, seed in (("a.askew", "1"), ("b.askew", "2")):
        command = [sys.executable, "-c", code, str(tmp_path / name)]
        subprocess.run(
            command, check=True, timeout=60, env={"PYTHONHASHSEED": seed, "PYTHONPATH": ":".join(sys.path)}
        )
    assert (tmp_path / "a.askew").read_bytes() == (tmp_path / "b.askew").read_bytes()


@pytest.mark.parametrize("name", EXAMPLES)
def test_an_example_gives_the_very_same_maps_from_the_rows_in_the_session(name: str, tmp_path: Path) -> None:
    vectors = open_vectors(EXAMPLES[name].vectors or "glove-6b-50d")
    experiment = example(name, vectors)
    save(tmp_path / "s.askew", Session((experiment,)), {vectors.fingerprint: vectors})
    loaded = load(tmp_path / "s.askew")
    rows = loaded.vectors[vectors.fingerprint].table
    assert rows.ref == vectors.ref
    before, after = evaluate(experiment, vectors), evaluate(loaded.session.experiment, rows)
    assert [(t.text, t.key, t.status) for t in after.tokens] == [
        (t.text, t.key, t.status) for t in before.tokens
    ]
    for field in ("scores", "pattern", "outputs"):
        np.testing.assert_array_equal(getattr(after, field), getattr(before, field), strict=True)
    np.testing.assert_array_equal(after.raw.pattern, before.raw.pattern, strict=True)


def test_the_bundled_trained_layer_comes_back_as_the_very_bundled_objects() -> None:
    vectors = open_vectors("minilm-l6-v2")
    pair = tuple(example(name, vectors) for name in ("trained", "exchanged"))
    tables = {vectors.fingerprint: vectors}
    for limit in (None, 100_000):
        loaded = from_bytes(to_bytes(Session(pair), tables, limit=limit), "s.askew").session
        trained, exchanged = loaded.variants
        assert trained.embedding is trained_embedding()
        assert all(a is b for a, b in zip(trained.heads, trained_heads(), strict=True))
        assert exchanged.heads[2].w_q is trained_heads()[2].w_k
        assert exchanged.heads[2].recipe == "edited"


def test_the_numbers_are_kept_and_not_only_the_seed() -> None:
    heads = random_heads(3, d_model=DIM, d_k=2, d_v=2, seed=7)
    other = replace(heads[1], w_q=heads[1].w_q + 1, recipe=heads[1].recipe)  # as another numpy might draw it
    session = Session((Experiment("red", TABLE.ref, (heads[0], other, heads[2])),))
    loaded = from_bytes(to_bytes(session, TABLES), "s.askew").session.experiment.heads
    assert loaded[1].w_q.tobytes() == other.w_q.tobytes()
    assert loaded[1].recipe == Recipe("gaussian", 7, 1)


def test_digits_are_never_lost() -> None:
    w = np.array([[0.1, 1047552.3], [-0.0, 1e-45], [3.4e38, 1], [2, 3]], dtype=np.float32)
    session = Session((Experiment("red", TABLE.ref, (Head(w, w, w),), temperature=0.1234567890123456),))
    loaded = from_bytes(to_bytes(session, TABLES), "s.askew").session.experiment
    assert loaded.heads[0].w_q.tobytes() == w.tobytes()
    assert loaded.temperature == 0.1234567890123456


@pytest.mark.parametrize(
    ("stored", "kind"),
    [
        (VariantJson, Experiment),
        (HeadJson, Head),
        (FromFilesJson, FromFiles),
        (FromFileJson, FromFile),
        (RecipeJson, Recipe),
        (EditJson, TokenEdit),
        (LayerJson, EmbeddingLayer),
        (OptionsJson, Options),
        (SessionJson, Session),
    ],
)
def test_no_field_is_forgotten_in_the_file(stored: type[msgspec.Struct], kind: type) -> None:
    more = {SessionJson: {"format", "vectors", "layers", "made"}, HeadJson: {"files"}}.get(stored, set())
    assert set(stored.__struct_fields__) - more == {each.name for each in fields(kind)}


def test_plain_fields_are_those_that_are_no_objects() -> None:
    objects = {"vectors", "heads", "edits", "selected", "embedding"}
    assert set(PLAIN) == {each.name for each in fields(Experiment)} - objects


def test_texts_that_are_no_characters_come_back() -> None:
    session = replace(simple("red \ud800 sky"), title="\udcff")
    assert same(from_bytes(to_bytes(session, TABLES), "s.askew").session, session)


def test_a_table_that_is_not_open_is_named() -> None:
    with pytest.raises(SessionError, match="the vectors 'colours' are not open"):
        to_bytes(simple(), {})


def test_what_could_not_be_read_back_is_not_written() -> None:
    session = Session((replace(simple().experiment, temperature=float("nan")),))
    with pytest.raises(SessionError, match="no finite number"):
        to_bytes(session, TABLES)
    with pytest.raises(SessionError, match="65 variants"):
        to_bytes(Session(simple().variants * 65), TABLES)
    with pytest.raises(SessionError, match="no experiment"):
        to_bytes(Session(()), TABLES)


def test_two_tables_of_two_variants_are_both_kept() -> None:
    other = table(["red", "blue"], 3, "two")
    heads = random_heads(1, d_model=3, d_k=1, d_v=1, seed=5)
    session = Session((simple().experiment, Experiment("blue red", other.ref, heads)))
    loaded = from_bytes(to_bytes(session, {**TABLES, other.fingerprint: other}), "s.askew")
    assert same(loaded.session, session)
    assert (
        loaded.vectors[other.fingerprint].table.vectors(["blue"]).tobytes()
        == other.vectors(["blue"]).tobytes()
    )


def test_zeros_by_the_million_are_stored_so_that_they_can_be_read() -> None:
    big = table(["red"], 3000, "wide")
    zeros = random_heads(1, d_model=3000, d_k=2000, d_v=2000, initializer="zero")
    heads = (zeros[0], replace(zeros[0], w_q=zeros[0].w_q.copy()))
    session = Session((Experiment("red", VectorsRef("wide", big.fingerprint, 3000), heads),))
    data = to_bytes(session, {big.fingerprint: big})
    assert same(from_bytes(data, "s.askew").session, session)
    assert set(members(data)) == {"session.json", "arrays.npz"}
