"""What a person did to single tokens, and how it follows the text."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Iterable


@dataclass(frozen=True, slots=True)
class TokenEdit:
    """What a person did to the text from `start` to `end` (offsets in code points).

    `replacement` goes with `replace`; `at` with `split`: the offset in the text where the second part begins.
    """

    start: int
    end: int
    what: Literal["leave-out", "replace", "split", "join"]
    replacement: str = ""
    at: int = 0


def shift_edits(
    edits: Iterable[TokenEdit], old_text: str, new_text: str, *, at: int | None = None
) -> tuple[TokenEdit, ...]:
    """Return the edits that still hold in `new_text`, moved to where their words are now.

    An edit whose text changed, or grew together with what was typed beside it, goes away.

    Parameters
    ----------
    at
        Where the change begins, if known; without it, of two equal words side by side the first is taken
        for the old one.
    """
    start, removed, added = _change(old_text, new_text, at)
    delta = added - removed
    kept = []
    for edit in edits:
        if edit.end <= start:
            moved = edit
        elif edit.start >= start + removed:
            moved = replace(
                edit,
                start=edit.start + delta,
                end=edit.end + delta,
                at=edit.at + delta if edit.what == "split" else edit.at,
            )
        else:
            continue
        if _same_edges(edit, old_text, moved, new_text):
            kept.append(moved)
    return tuple(kept)


def _change(old: str, new: str, at: int | None) -> tuple[int, int, int]:
    """Return where the texts differ: start, characters removed, characters added."""
    shorter = min(len(old), len(new))
    start = 0
    limit = shorter if at is None else min(shorter, at)
    while start < limit and old[start] == new[start]:
        start += 1
    tail = 0
    while tail < shorter - start and old[len(old) - 1 - tail] == new[len(new) - 1 - tail]:
        tail += 1
    return start, len(old) - tail - start, len(new) - tail - start


def _same_edges(edit: TokenEdit, old: str, moved: TokenEdit, new: str) -> bool:
    """Whether the word still ends where it did: what was typed beside it did not become part of it."""
    before = (_joined(old, edit.start), _joined(new, moved.start))
    after = (_joined(old, edit.end), _joined(new, moved.end))
    return before[0] == before[1] and after[0] == after[1]


def _joined(text: str, place: int) -> bool:
    """Whether the characters on both sides of a place belong to one word."""
    return 0 < place < len(text) and _wordlike(text[place - 1]) and _wordlike(text[place])


def _wordlike(char: str) -> bool:
    return char == "_" or unicodedata.category(char)[0] in "LMN" or char == "\u200d"


def with_edit(edits: Iterable[TokenEdit], edit: TokenEdit) -> tuple[TokenEdit, ...]:
    """Return the edits with one more; a split, join or replacement undoes older edits of the same text."""
    kept = []
    for old in edits:
        overlaps = old.start < edit.end and edit.start < old.end
        inside = edit.start <= old.start and old.end <= edit.end
        if overlaps and ((edit.what == "leave-out" and old == edit) or (edit.what != "leave-out" and inside)):
            continue
        kept.append(old)
    return (*kept, edit)


def without_edits(edits: Iterable[TokenEdit], start: int, end: int) -> tuple[TokenEdit, ...]:
    """Return the edits that do not touch the text from `start` to `end`."""
    return tuple(edit for edit in edits if edit.end <= start or end <= edit.start)


def split_points(text: str, start: int, end: int) -> tuple[int, ...]:
    """Return the offsets between `start` and `end` where a token can be split: never inside a character."""
    import regex  # slow to import, and not needed for vectors alone

    pieces = regex.finditer(r"\X", text, pos=start, endpos=end)
    return tuple(piece.start() for piece in pieces if piece.start() > start)
