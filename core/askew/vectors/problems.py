"""What can be wrong with a vector file: problems told, errors that stop, questions asked."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from askew.errors import VectorsError
from askew.word_forms import shown

_TOLD_ONE_BY_ONE = 1000
_ON = {"line": "on", "row": "in"}


@dataclass(frozen=True, slots=True)
class Problem:
    """Something found in a vector file that a person should know; `line` counts from 1."""

    kind: str
    line: int | None
    word: str | None
    message: str


class DamagedError(VectorsError):
    """Part of the file is damaged; it opens without that part if asked to skip it.

    `way_out` says what skipping does, where it is more than leaving lines out.
    """

    way_out = ""


class ChoiceNeededError(VectorsError):
    """The file can be read in several ways; `flag` names the option, `choices` its values."""

    def __init__(self, what: str, *, flag: str, choices: tuple[str, ...], where: str = "") -> None:
        self.flag = flag
        self.choices = choices
        named = ", ".join(choices[:20]) + (", ..." if len(choices) > 20 else "")
        super().__init__(what, where=where, remedy=f"Choose with {flag}: {named}")


class Problems:
    """Collects problems; of a kind that fills pages only the first are told one by one."""

    def __init__(self) -> None:
        self._list: list[Problem] = []
        self._counts: Counter[str] = Counter()

    def add(self, kind: str, message: str, *, line: int | None = None, word: str | None = None) -> None:
        """Note one more."""
        self._counts[kind] += 1
        if self._counts[kind] <= _TOLD_ONE_BY_ONE:
            self._list.append(Problem(kind, line, word, message))

    def count(self, kind: str) -> int:
        """Return how many of a kind there are."""
        return self._counts[kind]

    def told(self) -> tuple[Problem, ...]:
        """Return all, with a line for those that are only counted."""
        more = [
            Problem(kind, None, None, f"{count - _TOLD_ONE_BY_ONE} more of this kind")
            for kind, count in self._counts.items()
            if count > _TOLD_ONE_BY_ONE
        ]
        return (*self._list, *more)

    def not_finite(self, word: str, line: int, unit: str) -> None:
        """Note a word that is not used because of its numbers; `unit` is how rows are counted."""
        place = f"{_ON.get(unit, 'at')} {unit} {line}"
        message = f"'{shown(word)}' {place} has a number that is not finite; the word is not used"
        self.add("not-finite", message, line=line, word=word)

    def repeated(self, word: str, first: int, line: int, unit: str) -> None:
        """Note a word that was there before; `unit` is how rows are counted."""
        on = _ON.get(unit, "at")
        message = (
            f"'{shown(word)}' is {on} {unit} {first} and again {on} {unit} {line}; the first one is used"
        )
        self.add("repeated", message, line=line, word=word)
