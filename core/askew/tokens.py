"""From the text to tokens, looked up in a vocabulary."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from askew.token_edits import TokenEdit, shift_edits, split_points, with_edit, without_edits
from askew.word_forms import Found, LookUp, Vocabulary, shown

if TYPE_CHECKING:
    from collections.abc import Sequence

_CHUNK = re.compile(r"\S+")
_TRIMMED = re.compile(r"\S(?:.*\S)?", re.DOTALL)

__all__ = [
    "Found",
    "Token",
    "TokenEdit",
    "Vocabulary",
    "shift_edits",
    "shown",
    "split_points",
    "tokenize",
    "with_edit",
    "without_edits",
]


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of the sentence.

    `text` is as typed (or as replaced), `start` and `end` are offsets in code points, `key` the word of the
    vocabulary that was used (None: unknown), `row` its row (None: unknown, or built from letters).
    A `special` token stands for no text: the model puts it before or after the sentence.
    """

    text: str
    start: int
    end: int
    key: str | None = None
    row: int | None = None
    left_out: bool = False
    special: bool = False

    @property
    def status(self) -> Literal["known", "changed", "built", "unknown", "left-out", "special"]:
        """What the chip says: `changed` means found only in another form (lower case, other apostrophe)."""
        if self.special:
            return "special"
        if self.left_out:
            return "left-out"
        if self.key is None:
            return "unknown"
        if self.row is None:
            return "built"
        return "known" if self.key == self.text else "changed"


def tokenize(text: str, vocabulary: Vocabulary, edits: Sequence[TokenEdit] = ()) -> tuple[Token, ...]:
    """Return the tokens of a text, in order; together they cover all of it but the blanks.

    What stands between blanks is looked up whole first: as typed, in other normal forms, then in lower case.
    What is not found is taken apart: marks, contractions (was·n't), parts of a compound; scripts without
    spaces by the longest word the vocabulary has. A part that is not found stays, as an unknown token.

    Parameters
    ----------
    text
        The sentence as typed.
    vocabulary
        Which words have vectors.
    edits
        What a person did to single tokens, in order; their spans are boundaries of tokens.
    """
    from askew.lexer import Lexer  # its patterns are slow to load, and not needed for vectors alone

    look_up = LookUp(vocabulary)
    cuts = sorted({place for edit in edits for place in (edit.start, edit.end) if 0 < place < len(text)})
    tokens: list[Token] = []
    for start, end in zip([0, *cuts], [*cuts, len(text)], strict=True):
        for chunk in _CHUNK.finditer(text, start, end):
            for start_of, end_of, found in Lexer(text, chunk.start(), chunk.end(), look_up).pieces():
                tokens.append(_token(text[start_of:end_of], start_of, end_of, found, look_up))
    for edit in edits:
        tokens = _edited(tokens, text, edit, look_up)
    return tuple(tokens)


def _edited(tokens: list[Token], text: str, edit: TokenEdit, look_up: LookUp) -> list[Token]:
    """Apply one edit to the tokens inside its span."""
    first = next((i for i, token in enumerate(tokens) if token.start >= edit.start), len(tokens))
    last = first
    while last < len(tokens) and tokens[last].end <= edit.end:
        last += 1
    if first == last:
        return tokens
    inside = tokens[first:last]
    start, end = inside[0].start, inside[-1].end
    if edit.what == "leave-out":
        new = [replace(token, left_out=True) for token in inside]
    elif edit.what == "replace" and edit.replacement.strip():
        new = [replace(_as_one(edit.replacement, 0, look_up), start=start, end=end)]
    elif edit.what == "join":
        new = [_as_one(text[start:end], start, look_up)]
    elif edit.what == "split" and start < edit.at < end:
        halves = [_TRIMMED.search(text, start, edit.at), _TRIMMED.search(text, edit.at, end)]
        new = [_as_one(half[0], half.start(), look_up) for half in halves if half]
    else:
        new = inside
    return [*tokens[:first], *new, *tokens[last:]]


def _as_one(text: str, start: int, look_up: LookUp) -> Token:
    """Look a text up as one token, blanks as such or as the underscores of phrases."""
    token = _token(text, start, start + len(text), look_up.row(text), look_up)
    if token.row is None and len(text.split()) > 1:
        phrase = look_up.row("_".join(text.split()))
        if phrase is not None:
            return replace(token, key=phrase[0], row=phrase[1])
    return token


def _token(text: str, start: int, end: int, found: tuple[str, int] | None, look_up: LookUp) -> Token:
    """Make a token of what was found; an unknown one may still be built from its letters."""
    if found is not None:
        return Token(text, start, end, *found)
    return Token(text, start, end, text if look_up.built(text) else None)
