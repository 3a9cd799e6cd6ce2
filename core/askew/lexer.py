"""Takes the text between two blanks apart, by what the vocabulary knows."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from askew.word_forms import plain_marks

if TYPE_CHECKING:
    from collections.abc import Iterable

    import regex

    from askew.word_forms import LookUp


class Piece(NamedTuple):
    """Part of the text that becomes a token; `found` is the form and the row, None where unknown."""

    start: int
    end: int
    found: tuple[str, int] | None


_EDGES = ".,;:!?\"'()[]{}\u00ab\u00bb\u2018\u2019\u201c\u201d\u201e"
_LONGEST_WINDOW = 16
_LONGEST_COMPOUND = 128


class Lexer:
    """Takes one chunk, `text[start:end]`, apart; no blank is inside it."""

    def __init__(self, text: str, start: int, end: int, look_up: LookUp) -> None:
        self._text = text
        self._plain = plain_marks(text[start:end])
        self._start = start
        self._end = end
        self._look_up = look_up

    def pieces(self) -> list[Piece]:
        """Return the pieces, in order; together they are the whole chunk."""
        whole = self._whole(self._start, self._end)
        if whole is not None:
            return [whole]
        pieces: list[Piece] = []
        place = self._start
        while place < self._end:
            found = self._unit(place)
            pieces.extend(found)
            place = found[-1].end
        return pieces

    def _find(self, start: int, end: int) -> Piece:
        return Piece(start, end, self._look_up.row(self._text[start:end]))

    def _find_plain(self, start: int, end: int) -> Piece:
        """Look up with straight apostrophes first, as the parts of contractions are written."""
        found = self._look_up.row(self._plain[start - self._start : end - self._start])
        return Piece(start, end, found) if found is not None else self._find(start, end)

    def _whole(self, start: int, end: int) -> Piece | None:
        """Return the text as one piece, unless marks at its edges are there by chance.

        Vocabularies hold "u.s." and "mr.", but also "no."; the more frequent of the forms with and
        without its marks is taken, and files are in order of frequency.
        """
        piece = self._find(start, end)
        text = self._text[start:end]
        if piece.found is None:
            return None
        core = text.strip(_EDGES)
        if core and core != text and not _is_special(text):
            bare = self._look_up.row(core)
            if bare is not None and bare[1] < piece.found[1]:
                return None
        return piece

    def _unit(self, place: int) -> list[Piece]:
        from askew import lexer_patterns as patterns

        match = patterns.UNIT.match(self._text, place, self._end)
        if match is None:  # cannot be, for \X takes anything; a piece all the same
            return [self._find(place, place + 1)]
        end = match.end()
        if match.lastgroup == "dense":
            return [
                piece
                for part in self._parts(patterns.NO_BREAK_NEEDED, place, end)
                for piece in self._longest(*part)
            ]
        if match.lastgroup in ("run", "same"):
            return self._longest(place, end)
        if match.lastgroup != "word":
            return [self._find(place, end)]
        if end < self._end and self._text[end] == ".":
            dotted = self._whole(place, end + 1)
            if dotted is not None:
                return [dotted]
        return self._word(place, end)

    def _parts(self, pattern: regex.Pattern[str], start: int, end: int) -> list[tuple[int, int]]:
        return [part.span() for part in pattern.finditer(self._text, start, end)]

    def _longest(self, start: int, end: int) -> list[Piece]:
        """Cut by the longest known word at each place; what lies between is one unknown piece."""
        from askew import lexer_patterns as patterns

        bounds = [match.start() for match in patterns.CLUSTER.finditer(self._text, start, end)]
        bounds.append(end)
        pieces: list[Piece] = []
        unknown = at = 0
        while at < len(bounds) - 1:
            for to in range(min(at + _LONGEST_WINDOW, len(bounds) - 1), at, -1):
                piece = self._find(bounds[at], bounds[to])
                if piece.found is not None:
                    break
            else:
                at += 1
                continue
            if unknown < at:
                pieces.append(Piece(bounds[unknown], bounds[at], None))
            pieces.append(piece)
            unknown = at = to
        if unknown < at:
            pieces.append(Piece(bounds[unknown], end, None))
        return pieces

    def _word(self, start: int, end: int) -> list[Piece]:
        """Look a word up whole, then its parts; without a known part it stays one unknown piece."""
        from askew import lexer_patterns as patterns

        whole = self._find(start, end)
        if whole.found is not None or end - start > _LONGEST_COMPOUND:
            return [whole]
        contracted = self._contracted(start, end)
        if contracted:
            return contracted
        parts = self._parts(patterns.SEPARATED, start, end)
        if len(parts) > 1:
            return self._if_known(self._compound(parts)) or [whole]
        parts = self._parts(patterns.NO_BREAK_NEEDED, start, end)
        if len(parts) > 1:
            return self._if_known([[self._find(*part)] for part in parts]) or [whole]
        return [whole]

    def _compound(self, parts: list[tuple[int, int]]) -> list[list[Piece]]:
        """Look up the parts of a compound, longest known words first: "mother·-·in-law"."""
        pieces: list[list[Piece]] = []
        at = 0
        while at < len(parts):
            start = parts[at][0]
            last = min(at + _LONGEST_WINDOW, len(parts)) - 1
            for to in range(last, at, -1) if self._is_word(start) else ():
                joined = self._find(start, parts[to][1])
                if joined.found is not None and self._is_word(parts[to][0]):
                    pieces.append([joined])
                    at = to + 1
                    break
            else:
                pieces.append(self._simple(*parts[at]))
                at += 1
        return pieces

    def _is_word(self, place: int) -> bool:
        return self._text[place].isalnum()

    def _simple(self, start: int, end: int) -> list[Piece]:
        """Look up a part of a compound, which may still be a contraction."""
        piece = self._find(start, end)
        return [piece] if piece.found is not None else self._contracted(start, end) or [piece]

    def _if_known(self, parts: Iterable[list[Piece]]) -> list[Piece]:
        """Return the pieces if one of them is a known word, not only a known mark."""
        pieces = [piece for part in parts for piece in part]
        known = any(piece.found and self._text[piece.start].isalnum() for piece in pieces)
        return pieces if known else []

    def _contracted(self, start: int, end: int) -> list[Piece]:
        """Split "was·n't", "cat·'s", "l'·homme"; an empty list if there is nothing known to split off."""
        from askew import lexer_patterns as patterns

        plain = self._plain[start - self._start : end - self._start]
        if "'" not in plain:
            return []
        match = patterns.CONTRACTED.search(plain)
        if match:
            cut = start + match.start()
            split = [*self._simple(start, cut), self._find_plain(cut, end)]
            if split[-2].found is None and self._find(start, cut + 1).found is not None:
                split = [self._find(start, cut + 1), self._find_plain(cut + 1, end)]
            if split[-2].found is not None or split[-1].found is not None:
                return split
        match = patterns.ELISION.match(plain)
        if match:
            article = self._find_plain(start, start + match.end())
            if article.found is not None:
                return [article, *self._simple(start + match.end(), end)]
        parts = [(start + part.start(), start + part.end()) for part in patterns.APOSTROPHES.finditer(plain)]
        return self._if_known([[self._find_plain(*part)] for part in parts])


def _is_special(text: str) -> bool:
    from askew import lexer_patterns as patterns

    match = patterns.UNIT.match(text)
    return match is not None and match.lastgroup == "special" and match.end() == len(text)
