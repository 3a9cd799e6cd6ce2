"""From the text to tokens, looked up in a vocabulary."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Protocol


@dataclass(frozen=True, slots=True)
class Found:
    """A word that has a vector: its row, or None where the vector is built from the word's letters."""

    row: int | None


class Vocabulary(Protocol):
    """Anything that knows which words have vectors."""

    def find(self, word: str) -> Found | None:
        """Return where the word's vector is, looked up exactly as given, or None."""


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of the sentence.

    `text` is as typed (or as replaced), `start` and `end` are offsets in code points, `key` the word of the
    vocabulary that was used (None: unknown), `row` its row (None: unknown, or built from letters).
    """

    text: str
    start: int
    end: int
    key: str | None = None
    row: int | None = None
    left_out: bool = False

    @property
    def status(self) -> Literal["known", "changed", "built", "unknown", "left-out"]:
        """What the chip says: `changed` means found only in another form (lower case, other apostrophe)."""
        if self.left_out:
            return "left-out"
        if self.key is None:
            return "unknown"
        if self.row is None:
            return "built"
        return "known" if self.key == self.text else "changed"


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
