"""What a file is, by its content; the name decides nothing."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass

from askew.errors import VectorsError
from askew.vectors.lines import FIELD, numbers_at_the_end, shown_bytes, what_is_wrong
from askew.vectors.problems import DamagedError

HEAD = 1 << 20
MOST_NUMBERS = 1 << 16  # per word; no vectors have so many, and each row must fit into memory
_SAMPLE = 200
_TEXTLESS = re.compile(rb"[\x00-\x08\x0e-\x1f]")
_INTEGER = re.compile(rb"\d{1,18}")
_LFS = b"version https://git-lfs"
_FASTTEXT = b"\xba\x16\x4f\x2f"
_CONTAINERS = (
    (b"\x1f\x8b", "gz"),
    (b"BZh", "bz2"),
    (b"\xfd7zXZ\x00", "xz"),
    (b"\x28\xb5\x2f\xfd", "zst"),
    (b"PK\x03\x04", "zip"),
    (b"PK\x05\x06", "zip"),
)
_ARRAYS = (".safetensors", ".npz", ".npy")
_NUMBERBATCH = re.compile(rb"/c/[a-z]{2,3}/")


@dataclass(frozen=True, slots=True)
class Detected:
    """What a file is.

    Parameters
    ----------
    format
        A name of the formats that `vectors info` tells, or the name of a container.
    dim, count
        Numbers per word; words promised by the header, None without one.
    start, first_line
        Where the first row begins: bytes from the start, line from 1.
    header
        The header line as text, None without one.
    encoding, newline
        Of text; `newline` is what ends a line.
    row_newline
        Whether each row of a binary file ends in a newline.
    note
        How an unclear first line was read; empty where nothing was unclear.
    """

    format: str
    dim: int = 0
    count: int | None = None
    start: int = 0
    first_line: int = 1
    header: str | None = None
    encoding: str = "utf-8"
    newline: bytes = b"\n"
    row_newline: bool = False
    note: str = ""


class WrongHeaderError(DamagedError):
    """The header says another number of numbers than the lines have; `instead` is read without it."""

    def __init__(self, what: str, name: str, instead: Detected) -> None:
        self.instead = instead
        self.way_out = f"Read {instead.dim} numbers per word"
        remedy = f"If {instead.dim} is right, read the file without its first line (--skip-damaged)"
        super().__init__(what, where=name, remedy=remedy)


def sniff_container(head: bytes) -> str | None:
    """Return the name of the container that begins so, or None."""
    for magic, name in _CONTAINERS:
        if head.startswith(magic):
            return name
    return "tar" if head[257:262] == b"ustar" else None


def sniff(head: bytes, size: int | None, name: str) -> Detected:
    """Return what a file is.

    Parameters
    ----------
    head
        Its first bytes, `HEAD` of them or all there are.
    size
        Bytes in all, None where that is not known.
    name
        Of the file, for messages.

    Raises
    ------
    VectorsError
        If it is nothing that holds word vectors; the message says what it is instead.
    """
    _refuse_other_things(head, name)
    whole = len(head) < HEAD if size is None else len(head) >= size
    container = sniff_container(head)
    if container:
        return Detected(container)
    if head.startswith(_FASTTEXT):
        return Detected("fasttext-bin")
    if head[:1] == b"\x80" and head[1:2] in (b"\x02", b"\x03", b"\x04", b"\x05"):
        return Detected("gensim-kv")
    if head.startswith(b"\x93NUMPY"):
        return Detected("npy")
    if head[8:9] == b"{" and head[6:8] == b"\0\0":
        return Detected("safetensors")
    for mark, encoding in ((b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be")):
        if head.startswith(mark):
            return Detected("text", encoding=encoding, start=2)
    return _sniff_rows(head, size, name, whole)


def _refuse_other_things(head: bytes, name: str) -> None:
    """Raise for what people save by mistake in place of a vector file."""
    if not head:
        raise VectorsError("the file is empty (0 bytes)", where=name, remedy="Download it again")
    if head.startswith(_LFS):
        match = re.search(rb"^size (\d+)", head, re.MULTILINE)
        amount = f" of {int(match[1]) / 1e6:.0f} MB" if match else ""
        raise VectorsError(
            f"this is a Git LFS pointer, not the file itself{amount}",
            where=name,
            remedy="Fetch the real file, for example with `git lfs pull`",
        )
    start = head[:1000].lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    if start.startswith((b"<!doctype", b"<html", b"<?xml", b"<head")):
        raise VectorsError(
            "this is a web page, not a vector file; the download was refused or needs a sign-in",
            where=name,
            remedy="Download it again in a browser, signed in",
        )


def _sniff_rows(head: bytes, size: int | None, name: str, whole: bool) -> Detected:
    """Tell text with and without a header and binary rows apart."""
    start = 3 if head.startswith(b"\xef\xbb\xbf") else 0
    newline = b"\n" if b"\n" in head or b"\r" not in head else b"\r"
    first, _, rest = head[start:].partition(newline)
    fields = FIELD.findall(first.rstrip(b"\r"))
    if len(fields) == 2 and all(_INTEGER.fullmatch(field) for field in fields):
        after = start + len(first) + len(newline)
        return _with_header(rest, first.rstrip(b" \t\r"), (start, after), newline, name, size)
    lines = _sample(head[start:], newline, whole)
    usual = _usual(lines)
    _refuse_wide(usual, lines, head[start:], 1, name)
    if usual and not whole:
        _refuse_cut(head[start:], newline, name)
    if _TEXTLESS.search(head[:4096]) and usual == 0:
        raise VectorsError(
            "this is not a vector file of a kind that Askew knows",
            where=name,
            remedy="Askew reads word2vec, GloVe, fastText, gensim, numpy, safetensors and spaCy vectors",
        )
    return _without_header(lines, start, newline, name)


def _sample(text: bytes, newline: bytes, whole: bool) -> list[bytes]:
    """Return the first lines that are not blank; a line cut off by the end of the sample is left out."""
    lines = text.split(newline, _SAMPLE)
    lines = lines[:_SAMPLE] if len(lines) > _SAMPLE else lines if whole else lines[:-1] or lines
    return [line for line in lines if line.strip(b" \t\r")]


def refuse_too_many(dim: int, place: str, name: str) -> None:
    """Refuse a file that says it has more numbers per word than any vectors have.

    Raises
    ------
    VectorsError
        If `dim` is above `MOST_NUMBERS`; `place` is what says so.
    """
    if dim > MOST_NUMBERS:
        what = f"{place} says {dim} numbers per word, more than any vectors have ({MOST_NUMBERS} at most)"
        raise VectorsError(what, where=name)


def _refuse_wide(usual: int, lines: list[bytes], text: bytes, number: int, name: str) -> None:
    """Raise for lines of more numbers than any vectors have; line `number` is the first of `text`."""
    if usual <= MOST_NUMBERS:
        return
    line = next(line for line in lines if numbers_at_the_end(line) == usual)
    place = text.index(line)
    least = "" if place + len(line) < len(text) else "at least "  # the sample may end inside it
    number += len(re.findall(rb"\r?\n|\r", text[:place]))
    what = f"line {number} has {least}{usual} numbers, more than any vectors have ({MOST_NUMBERS} at most)"
    raise VectorsError(what, where=name)


def _refuse_cut(text: bytes, newline: bytes, name: str) -> None:
    """Raise where not even one line ends within the sample: it would be taken for one of fewer numbers."""
    if newline not in text.lstrip(b" \t\r\n"):
        raise VectorsError(f"the first line of words is longer than {HEAD >> 20} MB", where=name)


def _usual(lines: list[bytes]) -> int:
    """Return how many numbers most lines end in, 0 if none ends in any."""
    counts = Counter(map(numbers_at_the_end, lines))
    without = counts.pop(0, 0)
    return counts.most_common(1)[0][0] if counts and without <= counts.total() else 0


def _text_format(lines: list[bytes], fallback: str) -> str:
    named = sum(_NUMBERBATCH.match(line) is not None for line in lines)
    return "numberbatch" if lines and 2 * named > len(lines) else fallback


def _with_header(
    rest: bytes, first: bytes, places: tuple[int, int], newline: bytes, name: str, size: int | None
) -> Detected:
    """Weigh a first line of two whole numbers against what follows."""
    whole = places[1] + len(rest) < HEAD if size is None else places[1] + len(rest) >= size
    lines = _sample(rest, newline, whole)
    header = shown_bytes(first)
    count, dim = (int(field) for field in FIELD.findall(first))
    usual = _usual(lines)
    pairs = usual == 1 and all(len(FIELD.findall(line)) == 2 for line in lines)
    if pairs and (dim != 1 or (whole and len(lines) <= _SAMPLE and count != len(lines))):
        note = f"line 1 ('{header}') was read as a word and its number, not as a header"
        return Detected("glove", 1, start=places[0], newline=newline, note=note)
    _refuse_wide(usual, lines, rest, 2, name)
    if usual and not whole:
        _refuse_cut(rest, newline, name)
    if usual in (0, dim):
        refuse_too_many(dim, "line 1", name)
    if usual == dim and dim > 0:
        kind = _text_format(lines, "word2vec-text")
        return Detected(kind, dim, count, places[1], 2, header, newline=newline)
    textless = _TEXTLESS.search(rest[: 4 * min(dim, HEAD) + 1000])
    if textless or (usual == 0 and whole and _ends_as_binary(rest, count, 4 * dim)):
        return _binary(rest, count, dim, places[1], header, name, size)
    if not lines:
        raise VectorsError(f"line 1 ('{header}') is a header, but no words follow", where=name)
    if usual == 0:
        raise VectorsError(what_is_wrong(lines[0], dim), where=f"{name}, line 2")
    note = f"line 1 says {dim} numbers per word, but the lines have {usual}; so {usual} were read"
    kind = _text_format(lines, "word2vec-text")
    instead = Detected(kind, usual, count, places[1], 2, header, newline=newline, note=note)
    what = f"line 1 says {dim} numbers per word, line 2 has {numbers_at_the_end(lines[0])}"
    raise WrongHeaderError(what, name, instead)


def _without_header(lines: list[bytes], start: int, newline: bytes, name: str) -> Detected:
    dim = _usual(lines)
    if not lines:
        raise VectorsError("the file holds only blank lines", where=name)
    if dim == 0:
        if name.lower().endswith(_ARRAYS):
            what = "the file holds text, neither arrays as its name says nor vectors of words"
            raise VectorsError(what, where=name, remedy="Get it again from where it came")
        raise VectorsError(
            what_is_wrong(lines[0], 0) if _says_more(lines[0]) else "there are no numbers after the words",
            where=f"{name}, line 1",
            remedy="A line of a vector file is a word and its numbers, with blanks between",
        )
    return Detected(_text_format(lines, "glove"), dim, start=start, newline=newline)


def _says_more(line: bytes) -> bool:
    return "conflict" in what_is_wrong(line, 0) or "notation" in what_is_wrong(line, 0)


def _ends_as_binary(rest: bytes, count: int, width: int) -> bool:
    """Whether exactly the promised rows fit into a small file that has no byte to give binary away."""
    if width < 4 or count * (width + 2) > len(rest):
        return False
    place = 0
    for _ in range(count):
        blank = rest.find(b" ", place)
        if blank < 0:
            return False
        place = blank + 1 + width
    return place == len(rest.rstrip(b"\n")) or place == len(rest)


def _binary(
    rest: bytes, count: int, dim: int, after: int, header: str, name: str, size: int | None
) -> Detected:
    """Tell the two dialects of word2vec binary apart by the byte after the first row."""
    if dim < 1 or (size is not None and after + 4 * dim > size):
        raise VectorsError(
            f"line 1 says {dim} numbers per word, but the file has only {size} bytes",
            where=name,
            remedy="It may be an incomplete download",
        )
    blank = rest.find(b" ")
    end = blank + 1 + 4 * dim
    row_newline = blank >= 0 and rest[end : end + 1] == b"\n"
    return Detected("word2vec-binary", dim, count, after, header=header, row_newline=row_newline)
