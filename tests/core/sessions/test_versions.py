from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from tests.core.sessions.built import TABLES, members, same, simple, with_document

from askew import session_json
from askew.session_file import NewerSessionError, SessionError, load, open_any, save, to_bytes

if TYPE_CHECKING:
    from pathlib import Path


def from_zero(document: dict[str, Any]) -> dict[str, Any]:
    """What might have been: a format with one experiment, whose sentence was called so."""
    experiment = document.pop("experiment")
    experiment["text"] = experiment.pop("sentence")
    return {**document, "variants": [experiment], "active": 0}


@pytest.fixture
def older(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A session of an older format, which can be migrated."""
    monkeypatch.setitem(session_json.MIGRATIONS, 0, from_zero)

    def change(document: dict[str, Any]) -> None:
        (document["experiment"],) = document.pop("variants")
        document["experiment"]["sentence"] = document["experiment"].pop("text")
        del document["active"]
        document["format"] = 0

    path = tmp_path / "old.askew"
    path.write_bytes(with_document(to_bytes(simple(), TABLES), change))
    return path


@pytest.mark.parametrize("as_text", [True, False])
def test_a_newer_format_is_refused_politely_and_left_untouched(tmp_path: Path, as_text: bool) -> None:
    path = tmp_path / "new.askew"
    data = with_document(
        to_bytes(simple(), TABLES), lambda d: (d.update(format=999, more={"a": 1}), d.pop("variants"))
    )
    path.write_bytes(members(data)["session.json"] if as_text else data)
    before = path.read_bytes(), path.stat().st_mtime_ns
    with pytest.raises(
        NewerSessionError, match=r"new.askew: it was made by a newer Askew.*999.*Update Askew"
    ):
        load(path)
    assert (path.read_bytes(), path.stat().st_mtime_ns) == before


def test_an_older_format_is_converted_in_memory_each_time(older: Path) -> None:
    before = older.read_bytes(), older.stat().st_mtime_ns
    for _ in range(2):
        loaded = load(older)
        assert same(loaded.session, simple())
        assert loaded.format == 0
        assert "older format" in loaded.notes[0]
    assert (older.read_bytes(), older.stat().st_mtime_ns) == before
    assert list(older.parent.glob("*.askew")) == [older]


def test_saving_over_an_older_format_keeps_the_original(older: Path) -> None:
    original = older.read_bytes()
    save(older, load(older).session, TABLES)
    kept = older.with_name("old (format 0).askew")
    assert kept.read_bytes() == original
    assert load(older).format == 1
    assert load(older).notes == ()
    save(older, simple("sky"), TABLES)
    assert sorted(older.parent.glob("*.askew")) == [kept, older]


def test_opening_the_original_again_does_not_touch_what_was_converted(older: Path) -> None:
    original = older.read_bytes()
    save(older, simple("red tree"), TABLES)
    converted = older.read_bytes()
    assert same(load(older.with_name("old (format 0).askew")).session, simple())
    assert older.read_bytes() == converted
    older.write_bytes(original)
    save(older, simple("sky"), TABLES)
    assert older.with_name("old (format 0).askew").read_bytes() == original


def test_another_original_of_the_same_name_is_kept_as_well(older: Path) -> None:
    first = older.read_bytes()
    save(older, simple(), TABLES)
    second = with_document(first, lambda d: d.update(title="another"))
    older.write_bytes(second)
    save(older, simple(), TABLES)
    assert older.with_name("old (format 0).askew").read_bytes() == first
    assert older.with_name("old (format 0, 2).askew").read_bytes() == second


@pytest.mark.parametrize("document", [{}, {"experiment": 3}, {"experiment": {}}])
def test_a_damaged_older_format_is_an_error_in_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, document: dict[str, Any]
) -> None:
    monkeypatch.setitem(session_json.MIGRATIONS, 0, from_zero)
    text = json.dumps({"format": 0, **document}).encode()
    with pytest.raises(SessionError, match=r"s.askew, session.json: it is no session of format 0"):
        session_json.loaded(text, "s.askew")


@pytest.mark.parametrize("number", [-1, "1", 1.5, None, True, [1], 0])
def test_what_is_no_format_is_refused(number: object) -> None:
    text = json.dumps({"format": number}).encode()
    with pytest.raises(SessionError, match=r"s.askew, session.json \$.format"):
        session_json.loaded(text, "s.askew")


def test_empty_and_cut_short_sessions_are_told_and_left_as_they_are(tmp_path: Path) -> None:
    whole = to_bytes(simple(), TABLES)
    cut = [(b"", "empty"), (b'{"format": 1, "sentences": ["red sky", "tre', "cut short")]
    cut += [(whole[:size], "cut short") for size in range(1, len(whole), len(whole) // 40)]
    for data, word in cut:
        path = tmp_path / "s.askew"
        path.write_bytes(data)
        for way in (load, open_any):
            with pytest.raises(SessionError, match=word):
                way(path)
        assert path.read_bytes() == data


def test_a_document_without_its_arrays_says_so(tmp_path: Path) -> None:
    path = tmp_path / "s.askew"
    path.write_bytes(members(to_bytes(simple(), TABLES))["session.json"])
    with pytest.raises(SessionError, match=r"there is no arrays\.npz in it"):
        load(path)
