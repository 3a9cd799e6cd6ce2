"""Sessions inside exported pictures and pages: PNG, SVG, HTML.

What is read is not trusted: nothing is parsed but the length of chunks and one marked block of base64.
"""

from __future__ import annotations

import base64
import binascii
import re
import struct
import zlib
from typing import TYPE_CHECKING

from askew.session_errors import SessionError

if TYPE_CHECKING:
    from collections.abc import Iterator

NOTE = "This picture carries the experiment that made it. Open it with Askew."
MAX_PICTURE = 1 << 28
MAX_CHUNKS = 1_000_000
MAX_SESSION = 1 << 23
"""Bytes of a session that a picture may carry."""

_PNG = b"\x89PNG\r\n\x1a\n"
_KEYWORD = b"askew-session"
_SPACE = "urn:askew:session"
_TYPE = "application/vnd.askew.session"
_MARKUP = re.compile(rb"<(?:\?xml|!doctype|!--|html|(?:[\w-]{1,40}:)?svg)\b", re.IGNORECASE)
_SVG = re.compile(rb"<(?:[\w-]{1,40}:)?svg\b", re.IGNORECASE)
_IN_SVG = re.compile(rb"<(?:[\w-]{1,40}:)?session\b[^<>]{0,400}>([^<>]*)<")
_IN_HTML = re.compile(rb"<script\b[^<>]{0,400}\bapplication/vnd\.askew\.session\b[^<>]{0,400}>([^<>]*)<")
_REMEDY = "Export the picture again, or open the session itself"


def embed_png(png: bytes, session: bytes) -> bytes:
    """Return a PNG with a session in a text chunk, and a chunk that says so."""
    after_header = len(_PNG) + 25
    if not png.startswith(_PNG) or png[12:16] != b"IHDR":
        raise ValueError("not a PNG")
    text = _KEYWORD + b"\0\0\0\0\0" + base64.b64encode(session)
    added = _chunk(b"tEXt", b"Description\0" + NOTE.encode("latin-1")) + _chunk(b"iTXt", text)
    return png[:after_header] + added + png[after_header:]


def embed_svg(svg: bytes, session: bytes) -> bytes:
    """Return an SVG with a session in a `<metadata>` element, which says so."""
    place = svg.rfind(b"</svg>")
    if place < 0:
        raise ValueError("not an SVG")
    text = base64.b64encode(session).decode("ascii")
    block = f'<metadata><session xmlns="{_SPACE}" note="{NOTE}">{text}</session></metadata>\n'
    return svg[:place] + block.encode() + svg[place:]


def embed_html(html: bytes, session: bytes) -> bytes:
    """Return an HTML page with a session in a block that no browser runs, and a comment that says so."""
    place = html.rfind(b"</body>")
    place = len(html) if place < 0 else place
    text = base64.b64encode(session).decode("ascii")
    note = NOTE.replace("picture", "page")
    block = f'<!-- {note} -->\n<script type="{_TYPE}">{text}</script>\n'
    return html[:place] + block.encode() + html[place:]


def is_picture(head: bytes) -> bool:
    """Tell by the first bytes of a file whether it is a PNG or SVG."""
    return head.startswith(_PNG) or (is_markup(head) and _SVG.search(head) is not None)


def is_markup(head: bytes) -> bool:
    """Tell by the first bytes of a file whether it is an SVG or an HTML page."""
    return _MARKUP.match(head.removeprefix(b"\xef\xbb\xbf").lstrip()) is not None


def is_marked(data: bytes) -> bool:
    """Tell whether an SVG or HTML page says that it carries a session."""
    return _TYPE.encode() in data or _SPACE.encode() in data


def extract(data: bytes, name: str) -> bytes | None:
    """Return the session that a PNG, SVG or HTML carries, or None where it carries none.

    Raises
    ------
    SessionError
        If what it carries is damaged or too large; the message names the place.
    """
    if len(data) > MAX_PICTURE:
        raise SessionError(f"it is larger than the {MAX_PICTURE:,} bytes that are looked through", where=name)
    if data.startswith(_PNG):
        return _from_png(data, name)
    return _from_markup(data, name) if is_markup(data[:4096]) else None


def _from_png(data: bytes, name: str) -> bytes | None:
    for kind, place, content in _chunks(data, name):
        if kind == b"iTXt" and content[:14].tobytes() == _KEYWORD + b"\0":
            where = f"{name}, chunk iTXt at byte {place}"
            (crc,) = struct.unpack_from(">I", data, place + 8 + len(content))
            if zlib.crc32(data[place + 4 : place + 8 + len(content)]) != crc:
                raise SessionError("the session in it is damaged", where=where, remedy=_REMEDY)
            if content[14:18].tobytes() != b"\0\0\0\0":
                raise SessionError(
                    "the session in it is packed as Askew never does", where=where, remedy=_REMEDY
                )
            return _decoded(content[18:].tobytes(), where)
    return None


def _chunks(data: bytes, name: str) -> Iterator[tuple[bytes, int, memoryview]]:
    """Give kind, place and content of the chunks of a PNG, none of which is longer than the file."""
    place = len(_PNG)
    view = memoryview(data)
    for _ in range(MAX_CHUNKS):
        if place + 12 > len(data):
            return
        length, kind = struct.unpack_from(">I4s", data, place)
        if place + 12 + length > len(data):
            raise SessionError("the picture is cut short", where=f"{name}, byte {place}", remedy=_REMEDY)
        yield kind, place, view[place + 8 : place + 8 + length]
        if kind == b"IEND":
            return
        place += 12 + length


def _from_markup(data: bytes, name: str) -> bytes | None:
    for mark, block in ((_TYPE, _IN_HTML), (_SPACE, _IN_SVG)):
        if mark.encode() in data:
            match = block.search(data)
            if match is None:
                raise SessionError("the session in it is cut short or damaged", where=name, remedy=_REMEDY)
            return _decoded(b"".join(match[1].split()), f"{name}, byte {match.start() + 1}")
    return None


def _decoded(text: bytes, where: str) -> bytes:
    if len(text) > MAX_SESSION // 3 * 4:
        raise SessionError(
            f"it declares a session of {len(text):,} characters, more than a picture carries", where=where
        )
    try:
        return base64.b64decode(text, validate=True)
    except binascii.Error as error:
        raise SessionError("the session in it is damaged", where=where, remedy=_REMEDY) from error


def _chunk(kind: bytes, content: bytes) -> bytes:
    """Return a chunk of a PNG: length, kind, content and checksum."""
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))
