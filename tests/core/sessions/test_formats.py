from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np
import pytest
from tests.core.sessions.built import members, same
from tests.core.sessions.fixture import FOLDER, TABLE, carried, heads, session, tables

from askew.evaluation import evaluate
from askew.heads import Recipe
from askew.session_file import load, open_any, to_bytes
from askew.session_schema import FORMAT
from askew.trained import trained_heads

if TYPE_CHECKING:
    from pathlib import Path

SESSIONS = sorted(FOLDER.glob("format-*.askew"))
PICTURES = sorted([*FOLDER.glob("format-*.png"), *FOLDER.glob("format-*.svg")])


def format_of(path: Path) -> int:
    return int(re.findall(r"\d+", path.name)[0])


def test_there_is_a_file_of_every_format() -> None:
    assert [format_of(path) for path in SESSIONS] == list(range(1, FORMAT + 1))
    assert len(PICTURES) == 2 * FORMAT


@pytest.mark.parametrize("path", SESSIONS, ids=lambda path: path.name)
def test_a_session_of_each_format_loads_with_its_exact_numbers(path: Path) -> None:
    before = path.read_bytes()
    loaded = load(path)
    assert loaded.format == format_of(path)
    assert same(loaded.session, session())
    first, second, third, drawn, tied = loaded.session.variants[0].heads
    assert first.w_q.tolist() == [[0, -0.125], [-0.25, -0.375], [-0.5, -0.625], [-0.75, -0.875]]
    assert second.b_k is not None
    assert second.b_k.tobytes() == np.array([0.1, 0.1 - 0.125], dtype=np.float32).tobytes()
    assert second.w_k is first.w_k
    assert third.locked == {"q", "v"}
    assert drawn.recipe == Recipe("low-rank", 2**40, 3, 1.5, 1, 1.0)
    assert tied.recipe == Recipe("tied", 7, 4, 2.0, None, 0.25)
    assert loaded.session.variants[2].heads == (trained_heads()[2],)
    assert loaded.session.variants[0].heads[0] is loaded.session.variants[1].heads[0]
    assert path.read_bytes() == before


@pytest.mark.parametrize("path", SESSIONS, ids=lambda path: path.name)
def test_a_session_of_each_format_gives_the_same_maps_from_its_own_rows(path: Path) -> None:
    loaded = load(path)
    for old, new in zip(session().variants[1:], loaded.session.variants[1:], strict=True):
        rows = loaded.vectors[old.vectors.fingerprint].table
        before, after = evaluate(old, tables()[old.vectors.fingerprint]), evaluate(new, rows)
        np.testing.assert_array_equal(after.pattern, before.pattern)


@pytest.mark.parametrize("path", PICTURES, ids=lambda path: path.name)
def test_a_picture_of_each_format_opens(path: Path) -> None:
    loaded = open_any(path)
    assert loaded.format == format_of(path)
    assert loaded.notes == ()
    assert same(loaded.session, carried())


def test_the_present_format_has_not_changed_under_its_number() -> None:
    path = FOLDER / f"format-{FORMAT}.askew"
    assert (
        members(path.read_bytes())["session.json"] == members(to_bytes(session(), tables()))["session.json"]
    )


def test_the_file_is_made_of_numbers_that_are_written_down() -> None:
    assert TABLE.vectors(["red", "[SEP]"]).tolist() == [
        [3, 2.875, 2.75, 2.625],
        [-1.5, -1.625, -1.75, -1.875],
    ]
    assert len(heads()) == 5
