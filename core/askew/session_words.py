"""Which words of its vectors a session needs, so that it opens without them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from askew.errors import VectorsError
from askew.session_schema import MAX_WORDS
from askew.tokens import tokenize

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from askew.arrays import Float32
    from askew.experiment import Experiment
    from askew.tokens import Found
    from askew.vectors.table import WordVectors


class _Recorder:
    """A vocabulary that remembers which words with a row it was asked for, used in the end or not.

    The same look-ups without the rest of the table take a text apart in the same way.
    """

    def __init__(self, table: WordVectors) -> None:
        self._table = table
        self.unaccented = table.unaccented
        self.words: dict[str, None] = {}

    def find(self, word: str) -> Found | None:
        """Return where the word's vector is, or None."""
        found = self._table.find(word)
        if found is not None and found.row is not None:
            self.words[word] = None
        return found


def used_words(experiments: Iterable[Experiment], table: WordVectors) -> tuple[list[str], list[str]]:
    """Return the words that experiments find in a table, and those whose vectors it builds from letters.

    Each text is also taken without what was done to its tokens, so that that can be taken back.
    """
    recorder = _Recorder(table)
    built: dict[str, None] = {}
    for experiment in experiments:
        texts = [(experiment.text, experiment.edits), (experiment.text, ())]
        if experiment.context is not None:
            texts.append((experiment.context, ()))
        for text, edits in texts:
            for token in tokenize(text, recorder, edits):
                if token.key is not None and token.row is None:
                    built[token.key] = None
        layer = experiment.embedding
        for word in (layer.first, layer.last) if layer is not None else ():
            found = recorder.find(word) if word else None
            if found is not None and found.row is None:
                built[word] = None
    return list(recorder.words)[:MAX_WORDS], list(built)[:MAX_WORDS]


def used_rows(
    words: Sequence[str], built: Sequence[str], table: WordVectors
) -> tuple[list[str], list[str], Float32]:
    """Return the words whose vectors can be had, and these, (words and built, dim).

    All can, but where a big file went away while it was in use: then the session is worth more than its rows.
    """
    rows: list[Float32] = []
    kept: tuple[list[str], list[str]] = [], []
    for wanted, had in zip((words, built), kept, strict=True):
        for word in wanted:
            try:
                rows.append(table.vectors([word])[0])
            except VectorsError:
                continue
            had.append(word)
    return *kept, np.array(rows, dtype=np.float32).reshape(len(rows), table.dim)
