"""The forms in which a word is looked up, and how invisible words are shown."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterator


@dataclass(frozen=True, slots=True)
class Found:
    """A word that has a vector: its row, or None where the vector is built from the word's letters."""

    row: int | None


class Vocabulary(Protocol):
    """Anything that knows which words have vectors."""

    def find(self, word: str) -> Found | None:
        """Return where the word's vector is, looked up exactly as given, or None."""


_PLAIN_MARKS = str.maketrans(
    {
        **dict.fromkeys("\u2018\u2019\u201b\u02bc\uff07", "'"),
        **dict.fromkeys("\u201c\u201d\u201e\u201f", '"'),
        **dict.fromkeys("\u2010\u2011", "-"),
    }
)
_INVISIBLE = frozenset("\ufe0e\ufe0f\U0001f3fb\U0001f3fc\U0001f3fd\U0001f3fe\U0001f3ff")
_GROUPED_NUMBER = re.compile(r"\d{1,3}(,\d{3})+(\.\d+)?", re.ASCII)
_LONGEST = 256  # no vocabulary has longer words worth the time of looking


def plain_marks(word: str) -> str:
    """Return the word with straight apostrophes, quotes and hyphens, of the same length."""
    return word.translate(_PLAIN_MARKS)


def shown(word: str) -> str:
    """Return the word as a person can see it: one without visible characters by its code points."""
    if any(not char.isspace() and unicodedata.category(char) not in _UNSEEN for char in word):
        return word
    return " ".join(f"U+{ord(char):04X}" for char in word)


_UNSEEN = frozenset({"Cc", "Cf", "Cs", "Cn", "Zl", "Zp", "Zs"})


def _bases(word: str) -> Iterator[str]:
    yield word
    if word.isascii():
        return
    yield unicodedata.normalize("NFC", word)
    yield unicodedata.normalize("NFD", word)
    seen = "".join(c for c in word if c not in _INVISIBLE and unicodedata.category(c) != "Cf")
    plain = plain_marks(seen)
    yield seen
    yield plain
    yield unicodedata.normalize("NFC", plain)
    yield unicodedata.normalize("NFD", plain)
    yield unicodedata.normalize("NFKC", plain)


def forms(word: str) -> list[str]:
    """Return the forms to look up, best first: as typed, then in other normal forms, then in lower case."""
    bases = list(_bases(word))
    found = dict.fromkeys(bases)
    found.update(dict.fromkeys(base.lower() for base in bases))
    if _GROUPED_NUMBER.fullmatch(word):
        found[word.replace(",", "")] = None
    if sum(char.isdecimal() for char in word) > 1:  # word2vec's news vectors keep digits as #
        found[re.sub(r"\d", "#", word)] = None
    found.pop("", None)
    return list(found)


def unaccented(word: str) -> str:
    """Return the word in lower case without its accents, as models without either read it."""
    parts = unicodedata.normalize("NFD", word.lower())
    return "".join(char for char in parts if unicodedata.category(char) != "Mn")


class LookUp:
    """Look-ups against one vocabulary, remembered for the length of a text."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._vocabulary = vocabulary
        self._unaccented = getattr(vocabulary, "unaccented", False)
        self._known: dict[str, tuple[str, int] | None] = {}

    def row(self, word: str) -> tuple[str, int] | None:
        """Return the form of a word that the table holds and its row."""
        if word not in self._known:
            self._known[word] = self._search(word) if len(word) <= _LONGEST else None
        return self._known[word]

    def _search(self, word: str) -> tuple[str, int] | None:
        exact = self._vocabulary.find(word)
        if exact is not None and exact.row is not None:
            return word, exact.row
        for form in self._forms(word):
            found = self._vocabulary.find(form)
            if found is not None and found.row is not None:
                return form, found.row
        return None

    def _forms(self, word: str) -> list[str]:
        """Return what else a word is looked up as."""
        known = forms(word)
        more = [unaccented(form) for form in known] if self._unaccented and not word.isascii() else []
        return [*known[1:], *dict.fromkeys(form for form in more if form)]

    def built(self, word: str) -> bool:
        """Return whether the vector of a word outside the table can be built from its letters."""
        return len(word) <= _LONGEST and self._vocabulary.find(word) is not None
