"""What is said about the problems of a vector file: in one line, in a table, as text to copy."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from askew.vectors.describe import words_promised
from askew.word_forms import shown
from askew_gui.i18n import tr

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from askew.vectors.problems import Problem
    from askew.vectors.table import WordVectors

HARMLESS = frozenset({"first-line", "words"})
"""Kinds that tell how a file was read, and lose nothing."""


def columns() -> tuple[str, ...]:
    """Return the titles of the table."""
    return tr("kind"), tr("line"), tr("word"), tr("what was found")


def cells(problem: Problem) -> tuple[str, ...]:
    """Return a problem as the texts of a row; a word that looks blank is shown by code point."""
    line = "" if problem.line is None else f"{problem.line}"
    word = "" if problem.word is None else shown(problem.word)
    return kind_text(problem.kind), line, word, problem.message


def kind_text(kind: str) -> str:
    """Return a kind of problem in a word or two."""
    return {
        "repeated": tr("repeated"),
        "not-finite": tr("not finite"),
        "damaged": tr("damaged"),
        "encoding": tr("encoding"),
        "first-line": tr("first line"),
        "header": tr("header"),
        "incomplete": tr("cut short"),
        "words": tr("list of words"),
        "cache": tr("cache"),
    }.get(kind, kind.replace("-", " "))


def count_text(problems: Sequence[Problem]) -> str:
    """Return how many problems there are; what loses nothing is no more than a note."""
    if is_harmless(problems):
        return tr("1 note") if len(problems) == 1 else tr("{} notes").format(f"{len(problems):,}")
    return tr("1 problem") if len(problems) == 1 else tr("{} problems").format(f"{len(problems):,}")


def is_harmless(problems: Iterable[Problem]) -> bool:
    """Tell whether nothing of the file is missing or changed."""
    listed = tuple(problems)
    kinds = {problem.kind for problem in listed}
    return kinds <= HARMLESS or (kinds <= {*HARMLESS, "encoding"} and not has_undecoded(listed))


def has_undecoded(problems: Iterable[Problem]) -> bool:
    """Tell whether the text may be in another encoding than UTF-8."""
    return any(problem.kind == "encoding" and "not valid UTF-8" in problem.message for problem in problems)


def summary(vectors: WordVectors) -> str:
    """Return what was found in a file that could be opened all the same, in one line."""
    problems = vectors.report
    if len(problems) == 1:
        return f"{vectors.name}: {problems[0].message.rstrip('.')}"
    counts = Counter(kind_text(problem.kind) for problem in problems)
    named = ", ".join(f"{count:,} {kind}" for kind, count in counts.most_common())
    return f"{vectors.name}: {count_text(problems)} ({named})"


def part_text(vectors: WordVectors, limit: int | None) -> str:
    """Return how much of a file was read, if not all: "first 2 of 3 words"."""
    if limit is None or len(vectors) < limit:
        return ""
    promised = words_promised(vectors)
    if promised is None or promised < len(vectors):
        return tr("first {} words only").format(f"{len(vectors):,}")
    if promised == len(vectors):
        return ""
    return tr("first {} of {} words").format(f"{len(vectors):,}", f"{promised:,}")


def as_text(rows: Iterable[Sequence[str]]) -> str:
    """Return rows of the table with tabs between, as spreadsheets take them."""
    return "\n".join("\t".join(cell.replace("\t", " ").replace("\n", " ") for cell in row) for row in rows)
