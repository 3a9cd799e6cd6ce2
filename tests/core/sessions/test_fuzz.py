from __future__ import annotations

import contextlib
import os
import random
import tracemalloc

import pytest
from tests.core.sessions.built import HTML, PNG, SVG, TABLES, members, simple, zipped

from askew.carried import embed_html, embed_png, embed_svg, extract
from askew.errors import AskewError
from askew.session_file import from_bytes, to_bytes

ROUNDS = int(os.environ.get("ASKEW_FUZZ", "600"))
WHOLE = to_bytes(simple(), TABLES)
CARRIED = to_bytes(simple(), TABLES, limit=1000)
PARTS = members(WHOLE)
INNER = members(PARTS["arrays.npz"])
PIECES = [
    b"0",
    b"9" * 20,
    b"-1",
    b"null",
    b"[]",
    b"{}",
    b'"',
    b",",
    b"\0",
    b"\xff",
    b"1e999",
    b"PK\x05\x06",
    b"\\ud800",
]


def mutated(data: bytes, dice: random.Random) -> bytes:
    """Return the bytes with one to three small changes."""
    changed = bytearray(data)
    for _ in range(dice.randint(1, 3)):
        place = dice.randint(0, len(changed))
        match dice.randint(0, 5):
            case 0:
                del changed[place : place + dice.randint(1, 30)]
            case 1:
                changed[place:place] = dice.choice(PIECES)
            case 2 if place < len(changed):
                changed[place] = dice.randint(0, 255)
            case 3 if place < len(changed):
                changed[place] ^= 1 << dice.randint(0, 7)
            case 4:
                changed[place:place] = changed[: dice.randint(0, 60)]
            case _:
                piece = dice.choice(PIECES)
                changed[place : place + len(piece)] = piece
    return bytes(changed)


def session_of(round_: int, dice: random.Random) -> bytes:
    """Return a session that is damaged as a zip, in its document, in its arrays, or in one of them."""
    match round_ % 5:
        case 0:
            return mutated(WHOLE, dice)
        case 1:
            return zipped({**PARTS, "session.json": mutated(PARTS["session.json"], dice)})
        case 2:
            return zipped({**PARTS, "arrays.npz": mutated(PARTS["arrays.npz"], dice)})
        case 3:
            name = dice.choice(list(INNER))
            inner = {**INNER, name: mutated(INNER[name], dice)}
            return zipped({**PARTS, "arrays.npz": zipped(inner)})
        case _:
            parts = members(CARRIED)
            return zipped({**parts, "session.json": mutated(parts["session.json"], dice)})


@pytest.mark.timeout(1800)
def test_a_damaged_session_opens_or_is_refused_in_words_and_in_little_memory() -> None:
    dice = random.Random(os.environ.get("ASKEW_FUZZ_SEED", "askew"))
    messages = []
    tracemalloc.start()
    try:
        for round_ in range(ROUNDS):
            data = session_of(round_, dice)
            try:
                from_bytes(data, "s.askew")
            except AskewError as error:
                messages.append(str(error))
        assert tracemalloc.get_traced_memory()[1] < 1 << 28
    finally:
        tracemalloc.stop()
    assert len(messages) > ROUNDS // 3
    assert [text for text in messages if not text.startswith("s.askew") or len(text) > 1000] == []


@pytest.mark.timeout(1800)
def test_a_damaged_picture_gives_its_session_or_none_or_is_refused_in_words() -> None:
    dice = random.Random(os.environ.get("ASKEW_FUZZ_SEED", "askew"))
    hosts = [embed_png(PNG, CARRIED), embed_svg(SVG, CARRIED), embed_html(HTML, CARRIED)]
    for round_ in range(ROUNDS):
        with contextlib.suppress(AskewError):
            session = extract(mutated(hosts[round_ % 3], dice), "p")
            if session is not None:
                from_bytes(session, "p")
