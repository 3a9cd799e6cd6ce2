from __future__ import annotations

import io
import json
import struct
import tracemalloc
import zipfile
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from tests.core.sessions.built import TABLES, members, simple, with_arrays, with_document, zipped

from askew.session_file import SessionError, from_bytes, to_bytes

if TYPE_CHECKING:
    from collections.abc import Callable

GOOD = to_bytes(simple(), TABLES)
DOCUMENT = members(GOOD)["session.json"]
ARRAYS = members(GOOD)["arrays.npz"]
PARTS = {"session.json": DOCUMENT, "arrays.npz": ARRAYS}


def refused(data: bytes, where: str, what: str, most: int = 1 << 28) -> None:
    """Assert that a session is refused by a message with these parts, within `most` bytes of memory."""
    tracemalloc.start()
    try:
        with pytest.raises(SessionError) as caught:
            from_bytes(data, "s.askew")
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert str(caught.value).startswith(where), str(caught.value)
    assert what in str(caught.value)
    assert len(str(caught.value)) < 700
    assert peak < most


NO_FILES = {"q": None, "k": None, "v": None}


def at(*path: str | int) -> Callable[[dict[str, Any], object], None]:
    """Return what puts a value into a document."""

    def put(document: Any, value: object) -> None:  # noqa: ANN401
        for step in path[:-1]:
            document = document[step]
        document[path[-1]] = value

    return put


@pytest.mark.parametrize(
    ("path", "value", "where", "what"),
    [
        (("variants", 0, "heads", 2, "scoring"), "newest", "$.variants[0].heads[2].scoring", "'newest'"),
        (("variants", 0, "heads", 2, "scoring"), 3, "$.variants[0].heads[2].scoring", "Expected 'str'"),
        (("variants", 0, "heads", 1, "secret"), 3, "$.variants[0].heads[1]", "unknown key 'secret'"),
        (("more",), {}, "$", "unknown key 'more'"),
        (("variants", 0, "heads"), [], "$.variants[0].heads", "length >= 1"),
        (("variants", 0, "heads"), None, "$.variants[0].heads", "Expected 'array'"),
        (("variants", 0, "heads", 0, "w_q"), "../../x", "$.variants[0].heads[0].w_q", "matching regex"),
        (("variants", 0, "heads", 0, "w_q"), "v9.h9.w_q", "$.variants[0].heads[0].w_q", "no array"),
        (("variants", 0, "heads", 0, "b_q"), "v0.h0.w_v", "$.variants[0].heads[0]", "b_q has shape"),
        (("variants", 0, "heads", 0, "locked"), ["x"], "$.variants[0].heads[0].locked[0]", "Invalid enum"),
        (("variants", 0, "heads", 0, "recipe"), "stolen", "$.variants[0].heads[0].recipe", "Invalid enum"),
        (("variants", 0, "heads", 0, "recipe", "seed"), -1, "$.variants[0].heads[0].recipe.seed", ">= 0"),
        (("variants", 0, "heads", 0, "recipe", "rank"), 10**9, "$.variants[0].heads[0].recipe.rank", "<= "),
        (("variants", 0, "heads", 0, "recipe", "tau"), 2, "$.variants[0].heads[0].recipe.tau", "<= 1"),
        (("variants", 0, "heads", 0, "files"), NO_FILES, "$.variants[0].heads[0].files", "only an imported"),
        (
            ("variants", 0, "heads", 0, "files"),
            {"q": 1},
            "$.variants[0].heads[0].files.q",
            "Expected 'object",
        ),
        (("variants", 0, "vectors"), 1, "$.variants[0].vectors", "no vectors 1"),
        (("variants", 0, "embedding"), 0, "$.variants[0].embedding", "no layer 0"),
        (("variants", 0, "selected"), [3], "$.variants[0].selected[0]", "no head 3"),
        (("variants", 0, "selected"), [], "$.variants[0].selected", "no head is selected"),
        (("variants", 0, "temperature"), -1, "$.variants[0].temperature", "above 0"),
        (("variants", 0, "temperature"), "1", "$.variants[0].temperature", "Expected 'float'"),
        (("variants", 0, "mask"), "iron", "$.variants[0].mask", "no mask 'iron'"),
        (("variants", 0, "positions"), "x" * 999, "$.variants[0].positions", "no positions 'xxx"),
        (("variants", 0, "positions"), "x" * 1001, "$.variants[0].positions", "length <= 1000"),
        (("variants", 0, "unknown"), "\ud800", "$.variants[0].unknown", "Invalid enum value '?'"),
        (("variants", 0, "\udfff"), 1, "$.variants[0]", "unknown key '?'"),
        (("variants",), [], "$.variants", "length >= 1"),
        (("variants",), [1] * 65, "$.variants", "length <= 64"),
        (("active",), 1, "$.active", "no variant 1"),
        (("active",), 10**30, "$.active", "no variant 1000"),
        (("vectors", 0, "dim"), 5, "$.vari", "the vectors have 5 numbers"),
        (("vectors", 0, "words"), ["red"], "$.vectors[0].rows", "(2, 4), not (1, 4)"),
        (("vectors", 0, "file"), "../x", "$.vectors[0].file", "no name of a file"),
        (
            ("vectors", 0, "options", "words"),
            "/etc/passwd",
            "$.vectors[0].options.words",
            "no name of a file",
        ),
    ],
)
def test_a_wrong_field_is_named_by_its_path(
    path: tuple[str | int, ...], value: object, where: str, what: str
) -> None:
    data = with_document(GOOD, lambda document: at(*path)(document, value))
    refused(data, f"s.askew, session.json {where}", what)


def test_arrays_in_the_wrong_places_are_named_by_the_head() -> None:
    names = {"w_q": "v0.h1.w_q", "w_k": "v0.h1.w_k", "w_v": "v0.h1.w_v"}
    for changes, what in (
        ({"w_k": names["w_v"], "w_v": names["w_k"]}, "w_q is (4, 2) and w_k is (4, 3); they must agree"),
        ({"w_v": names["w_q"], "extra": names["w_v"]}, "d_k and d_v are 2 and 2, and 2 and 3 in head 0"),
        ({"w_v": "t0.rows", "extra": names["w_v"]}, "w_v has 2 rows, w_q has 4; they must agree"),
    ):
        document = json.loads(DOCUMENT)
        document["variants"][0]["heads"][1].update(changes)
        data = zipped({**PARTS, "session.json": json.dumps(document).encode()})
        refused(data, "s.askew, session.json $.variants[0].heads[1]:", what)


def test_a_missing_key_is_named_by_its_path() -> None:
    refused(
        with_document(GOOD, lambda d: d["variants"][0]["heads"][1].pop("scoring")),
        "s.askew, session.json $.variants[0].heads[1]:",
        "there is no key 'scoring'",
    )


@pytest.mark.parametrize(
    ("text", "where", "what"),
    [
        (DOCUMENT.replace(b'"active": 0', b'"active": 0, "active": 0'), " $:", "'active' is there twice"),
        (
            DOCUMENT.replace(b'"w_q"', b'"b_q": null, "w_q"', 1),
            " $.variants[0].heads[0]:",
            "'b_q' is there twice",
        ),
        (DOCUMENT.replace(b'"gain": 1.0', b'"gain": NaN', 1), ":", "'NaN' is no number"),
        (DOCUMENT.replace(b'"gain": 1.0', b'"gain": -Infinity', 1), ":", "'-Infinity' is no number"),
        (DOCUMENT.replace(b'"gain": 1.0', b'"gain": 1e999', 1), " $.variants[0].heads[0].recipe.gain", "<="),
        (DOCUMENT.replace(b'"active": 0', b'"active": ' + b"9" * 41), ":", "has 41 digits"),
        (DOCUMENT.replace(b'"active": 0', b'"active": ' + b"9" * 1_000_000), ":", "has 1,000,000 digits"),
        (b"[" * 200_000, ":", "nested too deep"),
        (b'{"format": 1, "a": ' + b'{"a":' * 200_000, ":", "nested too deep"),
        (b'{"format": 1, "title": ' + b"[" * 900 + b"]" * 900 + b"}", " $", "Expected 'str'"),
        (b'{"format": 1, "variants": [' + b"[]," * 2_700_000 + b"[]]}", ":", "larger than a session"),
        (b'{"format": 1, "variants": [' + b"{}," * 600_000 + b"{}]}", " $", ""),
        (b'{"format": 1, "title": "' + b"x" * 9_000_000 + b'"}', ":", "it declares 9,000,026 bytes"),
        (b"\xff\xfe{}", ":", "damaged at byte 1"),
        (b'{"format": 1,, }', ":", "damaged at line 1, column 14"),
        (b"[]", " $:", "holds no session"),
        (b"", ":", "cut short"),
    ],
)
def test_a_document_that_is_none_is_refused_in_words(text: bytes, where: str, what: str) -> None:
    refused(zipped({**PARTS, "session.json": text}), f"s.askew, session.json{where}", what)


def test_a_billion_heads_are_refused_before_they_are_made() -> None:
    one = json.dumps(json.loads(DOCUMENT)["variants"][0]["heads"][0]).encode()
    many = b",".join([one] * 1025)
    text = DOCUMENT.replace(b'"heads": [', b'"heads": [' + many + b",", 1)
    refused(
        zipped({**PARTS, "session.json": text}), "s.askew, session.json $.variants[0].heads", "length <= 1024"
    )
    head = b"{'descr': '<f4', 'fortran_order': False, 'shape': (1000000000, 2), }\n"
    npy = b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head + bytes(64)
    refused(
        with_arrays(GOOD, lambda arrays: arrays.update({"v0.h0.w_q.npy": npy})),
        's.askew, arrays.npz "v0.h0.w_q"',
        "its shape is (1000000000, 2)",
    )


def npy_of(array: object, **how: Any) -> bytes:  # noqa: ANN401
    target = io.BytesIO()
    np.lib.format.write_array(target, np.asarray(array), **how)
    return target.getvalue()


WHOLE = np.ones((4, 2), dtype=np.float32)


@pytest.mark.parametrize(
    ("content", "what"),
    [
        (npy_of(WHOLE.astype(np.float64)), "no matrix or list of float32"),
        (npy_of(WHOLE.astype(">f4")), "no matrix or list of float32"),
        (npy_of(WHOLE.T.copy().T), "no matrix or list of float32"),
        (npy_of(WHOLE.astype(object), allow_pickle=True), "no matrix or list of float32"),
        (npy_of(WHOLE, version=(2, 0)), "no matrix or list of float32"),
        (npy_of(np.float32(3)), "no matrix or list of float32"),
        (npy_of(WHOLE.reshape(4, 2, 1)), "no matrix or list of float32"),
        (npy_of(WHOLE[:0]), "its shape is (0, 2)"),
        (npy_of(WHOLE)[:-1], "its shape is (4, 2)"),
        (npy_of(WHOLE) + b"x", "its shape is (4, 2)"),
        (npy_of(WHOLE).replace(b"(4, 2)", b"(9, 2)"), "its shape is (9, 2)"),
        (npy_of(WHOLE).replace(b"(4, 2)", b"(-4,2)"), "no matrix or list of float32"),
        (
            npy_of(np.array([[1, 2], [3, np.nan], [5, 6], [7, 8]], dtype=np.float32)),
            "row 2, column 2 is not a finite",
        ),
        (npy_of(np.full((4, 2), -np.inf, dtype=np.float32)), "row 1, column 1 is not a finite"),
        (npy_of(np.full(4, np.nan, dtype=np.float32)), "column 1 is not a finite"),
        (b"", "no matrix or list of float32"),
        (b"\x93NUMPY\x01\x00\xff\xff{", "no matrix or list of float32"),
        (b"\x80\x04c__builtin__\nexit\n.", "no matrix or list of float32"),
    ],
)
def test_an_array_of_another_kind_is_named(content: bytes, what: str) -> None:
    data = with_arrays(GOOD, lambda arrays: arrays.update({"v0.h1.w_k.npy": content}))
    refused(data, 's.askew, arrays.npz "v0.h1.w_k"', what)


def test_arrays_that_are_missing_or_too_many_are_named() -> None:
    refused(
        with_arrays(GOOD, lambda arrays: arrays.pop("v0.h1.w_k.npy")),
        "s.askew, session.json $.variants[0].heads[1].w_k",
        "there is no array 'v0.h1.w_k' in arrays.npz",
    )
    more = with_arrays(GOOD, lambda arrays: arrays.update({"v0.h9.w_k.npy": npy_of(WHOLE)}))
    refused(more, "s.askew, arrays.npz", "v0.h9.w_k")


@pytest.mark.parametrize(
    "name", ["../evil", "/etc/passwd", "..\\evil", "session.json/", "SESSION.JSON", "x" * 60_000]
)
def test_members_of_other_names_are_refused_and_nothing_is_unpacked(name: str) -> None:
    refused(zipped({**PARTS, name: b"x"}), "s.askew", "which is no part of a session")
    inner = {**members(ARRAYS), name: b"x"}
    refused(zipped({**PARTS, "arrays.npz": zipped(inner)}), "s.askew, arrays.npz", "which is no part")


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_a_member_that_is_there_twice_is_refused() -> None:
    target = io.BytesIO(GOOD)
    with zipfile.ZipFile(target, "a") as archive:
        archive.writestr("session.json", DOCUMENT)
    refused(target.getvalue(), "s.askew", "'session.json' is in it twice")


def test_a_part_that_is_missing_is_named() -> None:
    refused(zipped({"arrays.npz": ARRAYS}), "s.askew", "there is no 'session.json' in it")
    refused(zipped({"session.json": DOCUMENT}), "s.askew", "there is no 'arrays.npz' in it")
    refused(zipped({**PARTS, "arrays.npz": b"no zip"}), "s.askew, arrays.npz", "cut short")


def test_a_zip_bomb_is_refused_before_it_goes_off() -> None:
    zeros = bytes(1 << 27)
    refused(
        zipped({**PARTS, "arrays.npz": zeros}),
        "s.askew, arrays.npz",
        "it unpacks to 134,217,728 bytes",
        1 << 24,
    )
    inner = zipped({**members(ARRAYS), "v0.h0.w_q.npy": zeros})
    refused(
        zipped({**PARTS, "arrays.npz": inner}), "s.askew, arrays.npz", "it unpacks to 134,217,728", 1 << 24
    )
    parts = {f"v0.h{h}.w_q.npy": npy_of(np.zeros((4, 1 << 21), np.float32)) for h in range(3)}
    many = zipped({**PARTS, "arrays.npz": zipped({**members(ARRAYS), **parts})})
    refused(many, "s.askew, arrays.npz", "it unpacks to 33,554,560", 1 << 27)
    refused(
        zipped({**PARTS, "session.json": zeros}), "s.askew, session.json", "it declares 134,217,728", 1 << 24
    )


LOCAL, CENTRAL, END = 0, struct.unpack_from("<L", GOOD, len(GOOD) - 6)[0], len(GOOD) - 22


def patched(data: bytes, record: int, offset: int, form: str, value: int) -> bytes:
    """Return a zip file with a field of its first record of a kind changed."""
    changed = bytearray(data)
    struct.pack_into(form, changed, record + offset, value)
    return bytes(changed)


@pytest.mark.parametrize(
    ("data", "what"),
    [
        (patched(GOOD, CENTRAL, 8, "<H", 1), "it is encrypted"),
        (patched(GOOD, CENTRAL, 10, "<H", 14), "packed in a way"),
        (patched(GOOD, CENTRAL, 10, "<H", 99), "packed in a way"),
        (patched(GOOD, CENTRAL, 24, "<L", 10), "damaged"),
        (patched(GOOD, CENTRAL, 24, "<L", 100_000), "damaged"),
        (patched(GOOD, CENTRAL, 24, "<L", 0xFFFFFFFE), "it declares 4,294,967,294 bytes"),
        (patched(GOOD, CENTRAL, 24, "<L", 0xFFFFFFFF), ""),
        (patched(GOOD, CENTRAL, 16, "<L", 1), "damaged"),
        (patched(GOOD, CENTRAL, 42, "<L", 5), "damaged"),
        (patched(GOOD, CENTRAL, 42, "<L", 0xFFFFFFF0), "damaged"),
        (patched(GOOD, LOCAL, 26, "<H", 500), "damaged"),
        (patched(GOOD, END, 8, "<H", 3), "damaged"),
        (patched(patched(GOOD, END, 8, "<H", 60_000), END, 10, "<H", 60_000), "60,000 parts"),
        (patched(GOOD, END, 12, "<L", 0xFFFFFFFF), "damaged"),
        (patched(GOOD, END, 16, "<L", 0xFFFFFFFF), "damaged"),
        (patched(GOOD, END, 16, "<L", 7), "damaged"),
        (patched(GOOD, END, 20, "<H", 7), "damaged"),
        (GOOD[:-22] + b"PK\x06\x07" + bytes(16) + GOOD[-22:], "damaged"),
        (GOOD + b"\n", "cut short"),
    ],
)
def test_a_zip_file_that_lies_about_itself_is_refused(data: bytes, what: str) -> None:
    refused(data, "s.askew", what)


def test_recipes_of_a_picture_may_not_draw_what_fills_memory() -> None:
    data = to_bytes(simple(), TABLES, limit=100_000)

    def wide(document: dict[str, Any], **changes: object) -> None:
        for made in document["made"].values():
            made["drawn"]["recipe"].update(changes.pop("recipe", {}))
            made["drawn"].update(changes)

    refused(
        with_document(data, lambda d: wide(d, d_k=2**24)),
        "s.askew, session.json $.made",
        "would draw",
        1 << 24,
    )
    refused(
        with_document(
            data, lambda d: wide(d, d_model=4096, d_k=4096, d_v=1, recipe={"initializer": "orthogonal"})
        ),
        "s.askew, session.json $.made",
        "would draw",
        1 << 24,
    )
    refused(
        with_document(
            data, lambda d: wide(d, d_model=10_000, recipe={"initializer": "low-rank", "rank": 60_000})
        ),
        "s.askew, session.json $.made",
        "would draw",
        1 << 24,
    )
    refused(
        with_document(data, lambda d: wide(d, recipe={"initializer": "magic"})),
        's.askew, session.json $.made["v0.h0.w_q"].drawn',
        "there is no initializer 'magic'",
    )
    refused(
        with_document(data, lambda d: wide(d, recipe={"gain": 1.7e308})),
        's.askew, session.json $.made["v0.h0.w_q"].drawn',
        "not finite",
    )
