"""The tokens of a tokenizer.json, in the order of their numbers, read as words where they are words."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from askew.errors import VectorsError
from askew.vectors.formats.source import read_beside
from askew.vectors.formats.word_list import as_bytes, by_number, parsed

if TYPE_CHECKING:
    from pathlib import Path

    from askew.vectors.formats.word_list import Value
    from askew.vectors.problems import Problems

_LARGEST = 1 << 26
_BLANK, _BYTE_BLANK = "\u2581", "\u0120"  # how a blank before a word is written


def tokens_of(path: Path, problems: Problems) -> list[bytes]:
    """Return the tokens of a tokenizer.json in the order of their numbers.

    Tokens that begin with a mark for a blank are read as words, pieces inside of words get the `##` of
    WordPiece in front.

    Raises
    ------
    VectorsError
        If the file names no tokens, or numbers are left out.
    """
    content = parsed(read_beside(path, _LARGEST), path.name)
    try:
        numbers = _numbers(content["model"]["vocab"])
        for added in content.get("added_tokens") or ():
            numbers[str(added["content"])] = added["id"]
    except (KeyError, TypeError, AttributeError, ValueError, IndexError) as error:
        raise VectorsError("the file names no tokens", where=path.name) from error
    tokens = by_number(numbers)
    if tokens is None:
        raise VectorsError("the tokens are not numbered from 0 on without a gap", where=path.name)
    return as_words(tokens, path.name, problems)


def _numbers(vocabulary: Value) -> dict[str, int]:
    if isinstance(vocabulary, dict):
        return {str(token): number for token, number in vocabulary.items()}
    if not isinstance(vocabulary, list):
        raise TypeError
    return {str(entry[0]): number for number, entry in enumerate(vocabulary)}


def as_words(tokens: list[str], name: str, problems: Problems) -> list[bytes]:
    """Return tokens as words where they begin with a mark for a blank; the file's name is for messages."""
    return [as_bytes(token) for token in _as_words(tokens, name, problems)]


def _as_words(tokens: list[str], name: str, problems: Problems) -> list[str]:
    for mark in (_BLANK, _BYTE_BLANK):
        marked = sum(token.startswith(mark) and len(token) > 1 for token in tokens)
        if 10 * marked > len(tokens):
            problems.add(
                "tokens",
                f"{name} marks beginnings of words by '{mark}'; these tokens are shown as words, "
                "pieces inside of words with ## in front",
            )
            texts = [_readable(token) for token in tokens] if mark == _BYTE_BLANK else tokens
            return [_as_word(token, text, mark) for token, text in zip(tokens, texts, strict=True)]
    return tokens


def _as_word(token: str, text: str, mark: str) -> str:
    if token.startswith(mark) and len(token) > 1:
        return text[1:]
    special = token.startswith(("<", "[")) and token.endswith((">", "]"))
    return text if special or not text[:1].isalpha() else f"##{text}"


def _readable(token: str) -> str:
    """Return a byte-level token as the text that its bytes are."""
    table = _bytes_by_letter()
    if not all(letter in table for letter in token):
        return token
    return bytes(table[letter] for letter in token).decode("utf-8", "backslashreplace")


@cache
def _bytes_by_letter() -> dict[str, int]:
    """Return the byte that each letter of byte-level tokens stands for."""
    plain = [*range(33, 127), *range(161, 173), *range(174, 256)]
    others = [byte for byte in range(256) if byte not in plain]
    return {chr(byte): byte for byte in plain} | {chr(256 + place): byte for place, byte in enumerate(others)}
