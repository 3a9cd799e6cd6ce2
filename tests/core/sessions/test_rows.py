from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.core.sessions.built import DIM, TABLE, TABLES, simple

from askew.edits import with_token_edit, without_token_edits
from askew.errors import VectorsError
from askew.evaluation import evaluate
from askew.examples import default_experiment, example
from askew.experiment import Experiment
from askew.initializers import random_heads
from askew.session import Session
from askew.session_file import Loaded, from_bytes, to_bytes
from askew.session_vectors import SavedTable
from askew.tokens import TokenEdit, tokenize
from askew.vectors import WordVectors, open_vectors

FASTTEXT = Path(__file__).parents[2] / "data/cases/A19a_fasttext_unsupervised.bin"


def read_back(experiment: Experiment, vectors: WordVectors) -> Loaded:
    return from_bytes(to_bytes(Session((experiment,)), {vectors.fingerprint: vectors}), "s.askew")


def test_only_the_rows_used_are_in_the_session() -> None:
    saved = read_back(simple("red tree").experiment, TABLE).vectors[TABLE.fingerprint]
    assert list(saved.table) == ["red", "tree"]
    assert saved.table.vectors(["tree"]).tobytes() == TABLE.vectors(["tree"]).tobytes()


@settings(max_examples=50)
@given(
    st.lists(
        st.sampled_from(["Red", "sky", "wasn't", "new york", "new-york", "sky,red", "blue", "was"]),
        max_size=6,
    )
)
def test_a_text_is_taken_apart_in_the_same_way_by_the_words_in_the_session(parts: list[str]) -> None:
    text = " ".join(parts)
    rows = read_back(simple(text).experiment, TABLE).vectors[TABLE.fingerprint].table
    found = [(t.text, t.start, t.end, t.key, t.status) for t in tokenize(text, rows)]
    assert found == [(t.text, t.start, t.end, t.key, t.status) for t in tokenize(text, TABLE)]


def test_words_built_from_letters_are_kept_as_they_were_built() -> None:
    vectors = open_vectors(FASTTEXT)
    word = next(iter(vectors))
    text = f"{word} {word}ish unheard"
    heads = random_heads(2, d_model=vectors.dim, d_k=2, d_v=2)
    experiment = Experiment(text, vectors.ref, heads)
    rows = read_back(experiment, vectors).vectors[vectors.fingerprint].table
    before, after = evaluate(experiment, vectors), evaluate(experiment, rows)
    assert [token.status for token in after.tokens] == [token.status for token in before.tokens]
    assert "built" in [token.status for token in after.tokens]
    np.testing.assert_array_equal(after.pattern, before.pattern)


def test_an_edit_of_a_token_can_be_taken_back_without_the_file() -> None:
    experiment = with_token_edit(simple("red new york").experiment, TokenEdit(4, 12, "join"))
    loaded = read_back(experiment, TABLE)
    rows = loaded.vectors[TABLE.fingerprint].table
    assert [t.key for t in evaluate(loaded.session.experiment, rows).tokens] == ["red", "new_york"]
    back = without_token_edits(loaded.session.experiment, 4, 12)
    assert [t.key for t in evaluate(back, rows).tokens] == ["red", "new", "york"]


def test_special_tokens_are_kept_also_while_they_are_left_out() -> None:
    vectors = open_vectors("minilm-l6-v2")
    experiment = replace(example("trained", vectors), specials=False)
    rows = read_back(experiment, vectors).vectors[vectors.fingerprint].table
    shown = evaluate(replace(experiment, specials=True), rows)
    assert shown.tokens[0].key == "[CLS]"
    assert shown.tokens[-1].key == "[SEP]"


def test_words_without_accents_are_still_looked_up_without_them() -> None:
    vectors = open_vectors("minilm-l6-v2")
    experiment = default_experiment(vectors, "Café")
    rows = read_back(experiment, vectors).vectors[vectors.fingerprint].table
    assert [t.key for t in evaluate(experiment, rows).tokens] == ["cafe"]


def test_the_words_of_a_session_have_no_nearest_words_and_say_what_to_open() -> None:
    rows = read_back(simple().experiment, TABLE).vectors[TABLE.fingerprint].table
    assert isinstance(rows, SavedTable)
    assert not rows.searchable
    with pytest.raises(VectorsError, match=r"only the words of the session.*Open the file"):
        rows.neighbours("red")


def test_a_session_without_a_known_word_has_no_rows() -> None:
    loaded = read_back(simple("zzz").experiment, TABLE)
    assert len(loaded.vectors[TABLE.fingerprint].table) == 0


def test_a_context_keeps_its_words_too() -> None:
    rows = read_back(replace(simple("red").experiment, context="tree"), TABLE).vectors[TABLE.fingerprint]
    assert "tree" in rows.table
    assert rows.dim == DIM


def test_a_session_is_saved_again_from_its_own_rows() -> None:
    first = to_bytes(simple("red sky"), TABLES)
    loaded = from_bytes(first, "s.askew")
    saved = loaded.vectors[TABLE.fingerprint]
    again = from_bytes(to_bytes(loaded.session, {saved.fingerprint: saved.table}), "s.askew")
    assert list(again.vectors[TABLE.fingerprint].table) == ["red", "sky"]
