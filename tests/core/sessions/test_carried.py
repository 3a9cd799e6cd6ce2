from __future__ import annotations

import base64
import struct
import xml.etree.ElementTree as ET
import zlib
from dataclasses import replace
from html.parser import HTMLParser
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.core.sessions.built import (
    DIM,
    HTML,
    PIXELS,
    PNG,
    SVG,
    TABLE,
    TABLES,
    chunk,
    members,
    same,
    simple,
    with_document,
)

from askew import carried
from askew.carried import embed_html, embed_png, embed_svg, extract, is_picture
from askew.examples import example
from askew.experiment import Experiment
from askew.initializers import INITIALIZERS, random_heads
from askew.session import Session
from askew.session_file import (
    CARRIED_LIMIT,
    SessionError,
    TooLargeError,
    from_bytes,
    kind_of,
    open_any,
    save,
    to_bytes,
)
from askew.vectors import open_vectors

if TYPE_CHECKING:
    from pathlib import Path

SESSION = to_bytes(simple(), TABLES, limit=CARRIED_LIMIT)


EMBEDDED = {
    "p.png": embed_png(PNG, SESSION),
    "p.svg": embed_svg(SVG, SESSION),
    "p.html": embed_html(HTML, SESSION),
}
PLAIN = {"p.png": PNG, "p.svg": SVG, "p.html": HTML}


@given(st.binary(max_size=300))
def test_any_bytes_come_back_from_each_kind(data: bytes) -> None:
    for embed, host in ((embed_png, PNG), (embed_svg, SVG), (embed_html, HTML)):
        assert extract(embed(host, data), "p") == data
        assert extract(host, "p") is None


@pytest.mark.parametrize("name", EMBEDDED)
def test_a_picture_opens_as_the_experiment_that_made_it(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(EMBEDDED[name])
    assert kind_of(tmp_path / name) == "picture"
    assert same(open_any(tmp_path / name).session, simple())


def test_content_decides_and_not_the_ending(tmp_path: Path) -> None:
    save(tmp_path / "a.png", simple(), TABLES)
    assert kind_of(tmp_path / "a.png") == "session"
    assert same(open_any(tmp_path / "a.png").session, simple())
    (tmp_path / "b.vec").write_bytes(EMBEDDED["p.svg"])
    assert same(open_any(tmp_path / "b.vec").session, simple())


@pytest.mark.parametrize("name", PLAIN)
def test_a_picture_without_a_session_says_so(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(PLAIN[name])
    with pytest.raises(
        SessionError, match=rf"{name}: it is no session, and no picture that carries one"
    ) as e:
        open_any(tmp_path / name)
    assert ("saved by another program" in str(e.value)) == (name[-3:] in ("png", "svg"))


def test_other_files_are_told_from_sessions_and_pictures(tmp_path: Path) -> None:
    others = {
        "v.txt": b"red 1 2\nsky 3 4\n",
        "e": b"",
        "p.html": HTML,
        "x": b"<?xml?><a/>",
        "w.npz": members(SESSION)["arrays.npz"],
        "j": b"{}",
    }
    for name, content in others.items():
        (tmp_path / name).write_bytes(content)
        assert kind_of(tmp_path / name) == "other"
        with pytest.raises(SessionError, match="no session, and no picture"):
            open_any(tmp_path / name)
    (tmp_path / "broken.askew").write_bytes(b"")
    assert kind_of(tmp_path / "broken.askew") == "session"
    assert kind_of(tmp_path / "nowhere") == "other"
    with pytest.raises(SessionError, match="cannot read"):
        open_any(tmp_path / "nowhere.askew")
    with pytest.raises(SessionError, match="this is no file"):
        open_any(tmp_path)


def test_a_png_stays_a_png() -> None:
    data, kinds, place = EMBEDDED["p.png"], [], 8
    while place < len(data):
        length, kind = struct.unpack_from(">I4s", data, place)
        content = data[place + 8 : place + 8 + length]
        assert struct.unpack_from(">I", data, place + 8 + length)[0] == zlib.crc32(kind + content)
        kinds.append(kind)
        place += 12 + length
    assert kinds == [b"IHDR", b"tEXt", b"iTXt", b"IDAT", b"IEND"]
    assert b"tEXtDescription\0This picture carries the experiment that made it. Open it with Askew." in data
    assert data.endswith(PIXELS)


def test_an_svg_stays_well_formed() -> None:
    root = ET.fromstring(EMBEDDED["p.svg"])
    assert [child.tag.rpartition("}")[2] for child in root] == ["text", "metadata"]
    assert root[1][0].attrib["note"].startswith("This picture carries the experiment")


def test_an_svg_that_was_written_anew_by_another_program_still_carries_it() -> None:
    root = ET.fromstring(EMBEDDED["p.svg"])
    ET.indent(root)
    again = ET.tostring(root)
    assert b"<ns" in again
    assert extract(again, "p.svg") == SESSION
    text = base64.b64encode(SESSION)
    lines = b"\n  ".join(text[i : i + 76] for i in range(0, len(text), 76))
    assert extract(EMBEDDED["p.svg"].replace(text, lines), "p.svg") == SESSION


def test_a_page_stays_as_it_is_but_for_a_block_that_no_browser_runs() -> None:
    kinds: list[str | None] = []

    class Parser(HTMLParser):
        def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
            if tag == "script":
                kinds.append(dict(attrs)["type"])

    Parser().feed(EMBEDDED["p.html"].decode())
    assert kinds == ["application/vnd.askew.session"]
    assert EMBEDDED["p.html"].endswith(b"</body></html>\n")
    assert b"This page carries the experiment" in EMBEDDED["p.html"]
    assert extract(embed_html(b"<html>", SESSION), "p.html") == SESSION


def test_what_is_no_picture_is_not_given_a_session() -> None:
    for embed in (embed_png, embed_svg):
        with pytest.raises(ValueError, match="not a"):
            embed(b"GIF89a", SESSION)
    assert not is_picture(b"GIF89a")


def damaged(name: str, old: bytes, new: bytes) -> bytes:
    assert old in EMBEDDED[name]
    return EMBEDDED[name].replace(old, new, 1)


TEXT = base64.b64encode(SESSION)


@pytest.mark.parametrize(
    ("name", "data", "where", "what"),
    [
        ("p.png", damaged("p.png", TEXT[:9], TEXT[:8] + b"_"), "chunk iTXt at byte 126", "damaged"),
        ("p.png", EMBEDDED["p.png"][:200], "byte 126", "cut short"),
        (
            "p.png",
            PNG[:33] + chunk(b"iTXt", b"askew-session\0\0\0\0\0!!!!") + PIXELS,
            "iTXt at byte 33",
            "damaged",
        ),
        ("p.png", PNG[:33] + chunk(b"iTXt", b"askew-session\0\1\0\0\0AAAA") + PIXELS, "iTXt", "packed"),
        ("p.png", PNG[:33] + chunk(b"iTXt", b"askew-session\0") + PIXELS, "iTXt", "packed"),
        ("p.png", PNG[:33] + b"\xff\xff\xff\xffiTXt" + PIXELS, "byte 33", "cut short"),
        ("p.svg", damaged("p.svg", TEXT, TEXT[:-1] + b"!"), "byte ", "damaged"),
        ("p.svg", damaged("p.svg", TEXT, TEXT[:5]), "byte ", "damaged"),
        ("p.svg", EMBEDDED["p.svg"][:300], "p.svg", "cut short or damaged"),
        ("p.html", EMBEDDED["p.html"][:300], "p.html", "cut short or damaged"),
        ("p.html", damaged("p.html", TEXT, b"\xff" * 8), "byte 1", "damaged"),
    ],
)
def test_a_damaged_session_in_a_picture_is_named_by_its_place(
    name: str, data: bytes, where: str, what: str
) -> None:
    with pytest.raises(SessionError, match=what) as caught:
        extract(data, name)
    assert str(caught.value).startswith(name)
    assert where in str(caught.value)


def test_too_much_is_refused_before_it_is_decoded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(carried, "MAX_SESSION", 300)
    for name, data in EMBEDDED.items():
        with pytest.raises(SessionError, match="more than a picture carries"):
            extract(data, name)
    monkeypatch.setattr(carried, "MAX_PICTURE", 100)
    with pytest.raises(SessionError, match="larger than the 100 bytes"):
        extract(EMBEDDED["p.svg"], "p.svg")


def test_a_png_of_more_chunks_than_a_picture_has_is_not_walked_through(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(carried, "MAX_CHUNKS", 5)
    many = PNG[:33] + chunk(b"tEXt", b"") * 5 + EMBEDDED["p.png"][33:]
    assert extract(many, "p.png") is None
    assert extract(EMBEDDED["p.png"], "p.png") == SESSION


def test_entities_of_an_svg_are_not_expanded() -> None:
    bomb = b'<!DOCTYPE svg [<!ENTITY a "' + b"x" * 1000 + b'">]><svg><metadata><session xmlns='
    bomb += b'"urn:askew:session">' + b"&a;" * 1000 + b"</session></metadata></svg>"
    with pytest.raises(SessionError, match="damaged"):
        extract(bomb, "p.svg")
    many = b"<svg xmlns:a='urn:askew:session'>" + b"<session " * 100_000 + b"</svg>"
    with pytest.raises(SessionError, match="cut short or damaged"):
        extract(many, "p.svg")


@pytest.mark.parametrize("name", INITIALIZERS)
def test_recipes_go_in_instead_of_numbers_and_draw_the_same(name: str) -> None:
    heads = random_heads(3, d_model=DIM, d_k=2, d_v=3, seed=2**40, initializer=name, gain=1.5)
    session = Session((Experiment("red sky", TABLE.ref, heads),))
    data = to_bytes(session, TABLES, limit=100)
    assert list(members(members(data)["arrays.npz"])) == ["t0.rows.npy"]
    loaded = from_bytes(data, "p.png")
    assert loaded.notes == ()
    assert same(loaded.session, session)


def test_edited_matrices_go_in_as_numbers_and_the_others_as_recipe() -> None:
    heads = simple().experiment.heads
    edited = replace(heads[1], w_q=heads[1].w_q * 2)
    session = Session((replace(simple().experiment, heads=(heads[0], edited, heads[2])),))
    data = to_bytes(session, TABLES, limit=1000)
    assert "v0.h1.w_q.npy" in members(members(data)["arrays.npz"])
    assert same(from_bytes(data, "p.png").session, session)


@pytest.mark.parametrize("limit", [None, 100_000])
def test_equal_matrices_that_are_not_shared_stay_apart(limit: int | None) -> None:
    vectors = open_vectors("minilm-l6-v2")
    trained = example("trained", vectors)
    drawn = random_heads(1, d_model=384, d_k=32, d_v=32)[0]
    copies = (
        replace(trained.heads[2], w_k=trained.heads[2].w_k.copy()),
        replace(drawn, w_k=drawn.w_k.copy()),
    )
    session = Session((replace(trained, heads=(*trained.heads[2:4], drawn, *copies)),))
    loaded = from_bytes(to_bytes(session, {vectors.fingerprint: vectors}, limit=limit), "p.png").session
    assert same(loaded, session)
    heads = loaded.experiment.heads
    assert heads[0] is trained.heads[2]
    assert heads[3].w_q is heads[0].w_q
    assert heads[3].w_k is not heads[0].w_k
    assert heads[4].w_k is not heads[2].w_k
    assert heads[4].w_q is heads[2].w_q


def test_the_trained_layer_goes_in_by_name() -> None:
    vectors = open_vectors("minilm-l6-v2")
    session = Session((example("exchanged", vectors),))
    data = to_bytes(session, {vectors.fingerprint: vectors}, limit=30_000)
    assert len(data) < 40_000
    loaded = from_bytes(data, "p.png")
    assert loaded.notes == ()
    assert same(loaded.session, session)


def test_a_session_of_too_many_numbers_is_left_off_with_a_line() -> None:
    with pytest.raises(
        TooLargeError, match=r"the picture does not carry its experiment: .* Save the session"
    ):
        to_bytes(simple(), TABLES, limit=10)


def test_numbers_that_come_out_otherwise_on_this_machine_are_told() -> None:
    def change(document: dict[str, Any]) -> None:
        for name in ("v0.h1.w_k", "v0.h2.w_v"):
            document["made"][name]["hash"] = "00"

    loaded = from_bytes(with_document(SESSION, change), "p.png")
    (note,) = loaded.notes
    assert "variants[0].heads[1].w_k, variants[0].heads[2].w_v come out otherwise here" in note
    np.testing.assert_array_equal(loaded.session.experiment.heads[1].w_k, simple().experiment.heads[1].w_k)


def test_a_bundled_array_that_is_not_there_is_named() -> None:
    def change(document: dict[str, Any]) -> None:
        document["made"]["v0.h1.w_k"].update(drawn=None, bundled="minilm-l7.h1.w_k")

    with pytest.raises(SessionError, match=r'\$\.made\["v0\.h1\.w_k"\]\.bundled: there is no bundled array'):
        from_bytes(with_document(SESSION, change), "p.png")
