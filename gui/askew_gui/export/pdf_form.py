"""Takes out of a PDF that Qt has written what differs from one time to the next.

Qt numbers the fonts in an order that changes with every process, writes the time and an identifier, and
rounds the size of the page to whole points. Here objects are numbered as they are reached from the first.
"""

from __future__ import annotations

import hashlib
import re
from itertools import pairwise

_REFERENCE = re.compile(rb"\b(\d+) 0 R\b")
_SUBSET = re.compile(rb"/FontName /[A-Z]{6}\+")
_DROPPED = re.compile(rb"/(?:CreationDate|ModDate) \([^)]*\)\n|/Metadata \d+ 0 R\n")
_BOX = re.compile(rb"/(MediaBox|TrimBox|CropBox|BleedBox|ArtBox) \[[^\]]*\]")


def canonical(content: bytes, size: tuple[float, float]) -> bytes:
    """Return a PDF of one page in its canonical form, the page `size` points of its upper left corner."""
    objects, trailer = _objects(content)
    root, info = (_named(trailer, name) for name in (b"Root", b"Info"))
    objects = {number: _DROPPED.sub(b"", head) + body for number, (head, body) in _parted(objects).items()}
    order = _reached(objects, [info, root])
    renumbered = {old: new for new, old in enumerate(order, start=1)}
    written = [_rewritten(objects[old], renumbered, size) for old in order]
    header = content[: content.index(b"\n1 0 obj") + 1]
    return _file(header, written, renumbered[root], renumbered[info])


def _objects(content: bytes) -> tuple[dict[int, bytes], bytes]:
    """Return the text of each object, `obj` to `endobj`, and that of the trailer."""
    start = int(content[content.rindex(b"startxref") + 9 :].split()[0])
    table, trailer = content[start:].split(b"trailer", 1)
    places = [int(line[:10]) for line in table.split(b"\n")[2:] if line.rstrip().endswith(b"n")]
    found = {}
    ends = [*sorted(places), start]
    for begin, end in pairwise(ends):
        number, _, rest = content[begin:end].partition(b" 0 obj\n")
        found[int(number)] = rest
    return found, trailer


def _named(trailer: bytes, name: bytes) -> int:
    found = re.search(rb"/" + name + rb" (\d+) 0 R", trailer)
    if found is None:
        raise ValueError(f"the trailer of a PDF has no {name!r}")
    return int(found[1])


def _parted(objects: dict[int, bytes]) -> dict[int, tuple[bytes, bytes]]:
    """Return each object as what is said of it and its stream, which is not to be looked into."""
    parted = {}
    for number, text in objects.items():
        place = text.find(b"stream\n")
        parted[number] = (text, b"") if place < 0 else (text[:place], text[place:])
    return parted


def _reached(objects: dict[int, bytes], first: list[int]) -> list[int]:
    """Return the numbers of the objects in the order in which they are reached."""
    order: list[int] = []
    waiting = first[::-1]
    while waiting:
        number = waiting.pop()
        if number in order or number not in objects:
            continue
        order.append(number)
        head = objects[number].partition(b"stream\n")[0]
        waiting += [int(found[1]) for found in _REFERENCE.finditer(head)][::-1]
    return order


def _rewritten(text: bytes, numbers: dict[int, int], size: tuple[float, float]) -> bytes:
    head, stream, body = text.partition(b"stream\n")

    def renumbered(found: re.Match[bytes]) -> bytes:
        return b"%d 0 R" % numbers[int(found[1])]

    def resized(found: re.Match[bytes]) -> bytes:
        high = float(found[0].split()[-1].rstrip(b"]"))
        box = f"/{found[1].decode()} [0 {high - size[1]:.4f} {size[0]:.4f} {high:.4f}]"
        return box.encode()

    head = _BOX.sub(resized, _REFERENCE.sub(renumbered, head))
    return _SUBSET.sub(b"/FontName /ASKEWA+", head) + stream + body


def _file(header: bytes, objects: list[bytes], root: int, info: int) -> bytes:
    parts, places, length = [header], [], len(header)
    for number, text in enumerate(objects, start=1):
        part = b"%d 0 obj\n%s" % (number, text)
        places.append(length)
        parts.append(part)
        length += len(part)
    identifier = hashlib.sha256(b"".join(parts)).hexdigest()[:32].encode()
    parts.append(b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1))
    parts += [b"%010d 00000 n \n" % place for place in places]
    parts.append(
        b"trailer\n<<\n/Size %d\n/Info %d 0 R\n/Root %d 0 R\n/ID [<%s> <%s>]\n>>\nstartxref\n%d\n%%%%EOF\n"
        % (len(objects) + 1, info, root, identifier, identifier, length)
    )
    return b"".join(parts)
