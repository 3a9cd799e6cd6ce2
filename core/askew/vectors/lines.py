"""One line of a text vector file: the last fields are the numbers, what is before them is the word."""

from __future__ import annotations

import re

# A line is split on blanks and tabs only: words may hold any other kind of space.
FIELD = re.compile(rb"[^ \t]+")
NUMBER = re.compile(rb"[+-]?(?:(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?|nan|inf(?:inity)?)", re.IGNORECASE)
_SPARSE = re.compile(rb"\d+:[+-]?[\d.]+(?:e[+-]?\d+)?", re.IGNORECASE)
_COMMA = re.compile(rb"[+-]?\d*,\d+(?:e[+-]?\d+)?", re.IGNORECASE)
_CONFLICT = re.compile(rb"(?:<{7}|={7}|>{7})(?: .*)?")
_SHOWN = 40
_LONGEST_WORD, _LONGEST_NUMBER = 1 << 16, 64  # bytes of a line that is taken apart field by field


def shown_bytes(text: bytes) -> str:
    """Return bytes of a file as text fit for a message."""
    whole = text.decode("utf-8", "backslashreplace")
    return whole if len(whole) <= _SHOWN else whole[:_SHOWN] + "..."


def numbers_at_the_end(line: bytes) -> int:
    """Return how many fields at the end are numbers, leaving at least one field for the word."""
    fields = FIELD.findall(line.rstrip(b" \t\r"))
    count = 0
    for field in reversed(fields[1:]):
        if not NUMBER.fullmatch(field):
            break
        count += 1
    if fields and count == len(fields) - 1 and line[:1] in (b" ", b"\t") and NUMBER.fullmatch(fields[0]):
        count += 1  # the word is empty
    return count


def at_lone_returns(line: bytes) -> list[bytes]:
    """Return the lines within one that ends in LF: a CR alone ends a line too, but counts for none."""
    return line.split(b"\r") if b"\r" in line.rstrip(b" \t\r") else [line]


def too_long(line: bytes, dim: int) -> bool:
    """Whether a line is far longer than a word and its numbers, so that to take it apart fills the memory."""
    return len(line) > _LONGEST_WORD + _LONGEST_NUMBER * dim


def split_line(line: bytes, dim: int) -> tuple[bytes, list[float]] | None:
    """Return the word and its `dim` numbers, or None if the line does not hold them.

    `line` comes without its end; blanks at its end are ignored.
    """
    line = line.rstrip(b" \t\r")
    parts = line.rsplit(b" ", dim)
    if len(parts) == dim + 1 and b"_" not in line:
        try:
            return parts[0], [float(part) for part in parts[1:]]
        except ValueError:
            pass
    if too_long(line, dim):
        return None
    spans = [field.span() for field in FIELD.finditer(line)]
    if len(spans) < dim or dim < 1:
        return None
    numbers = [line[start:end] for start, end in spans[-dim:]]
    word_end = spans[-dim][0]
    if word_end == 0 or not all(NUMBER.fullmatch(number) for number in numbers):
        return None
    return line[:word_end].rstrip(b" \t"), [float(number) for number in numbers]


def what_is_wrong(line: bytes, dim: int) -> str:
    """Return in words why a line does not hold a word and `dim` numbers."""
    line = line.rstrip(b" \t\r")
    if _CONFLICT.fullmatch(line):
        return f"'{shown_bytes(line)}' is a version-control conflict mark (an unfinished merge), not a word"
    if too_long(line, dim):
        return f"the line has {len(line)} bytes, far more than a word and {dim} numbers"
    fields = FIELD.findall(line)
    for field in fields[1:]:
        if _SPARSE.fullmatch(field):
            return (
                f"'{shown_bytes(field)}' is sparse notation, which Askew does not read; "
                "convert the file to plain numbers"
            )
        if _COMMA.fullmatch(field):
            return f"'{shown_bytes(field)}' has a decimal comma; write the numbers with decimal points"
    count = numbers_at_the_end(line)
    word = shown_bytes(b" ".join(fields[: len(fields) - count]))
    for field in fields[-dim:]:
        if len(fields) > dim and not NUMBER.fullmatch(field):
            return f"'{shown_bytes(field)}' in the line of '{shown_bytes(fields[0])}' is not a number"
    return f"the line of '{word}' has {count} numbers, the others have {dim}"


def is_conflict_mark(line: bytes) -> bool:
    """Whether version control left the line behind."""
    return _CONFLICT.fullmatch(line.rstrip(b" \t\r")) is not None
