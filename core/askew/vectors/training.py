"""Word vectors of one's own text, by gensim's Word2Vec, for languages and fields that have none.

T. Mikolov, K. Chen, G. Corrado, J. Dean: Efficient Estimation of Word Representations in Vector Space, 2013.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import regex

from askew.errors import Cancelled, VectorsError
from askew.vectors.streams import broken
from askew.vectors.table import WordVectors

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

_WORD = regex.compile(r"[\p{L}\p{M}\p{N}_]+(?:['\u2019\-][\p{L}\p{M}\p{N}_]+)*+|[^\s\p{L}\p{M}\p{N}_]")
_LONGEST_SENTENCE = 10_000  # words; gensim leaves out what is longer
_LINE = 1 << 20  # bytes read at once, so that a text without ends of lines is no trouble


@dataclass(frozen=True, slots=True)
class Training:
    """How to train; the names are those of the paper.

    Parameters
    ----------
    dim
        Numbers per word.
    window
        Words to each side that count as neighbours.
    least
        How often a word must be there to get a vector.
    epochs
        How often the text is gone through.
    skip_gram
        Predict neighbours from the word; else the word from its neighbours.
    lower
        Turn all words to lower case.
    seed
        The same seed and text give the same vectors.
    """

    dim: int = 100
    window: int = 5
    least: int = 5
    epochs: int = 5
    skip_gram: bool = True
    lower: bool = True
    seed: int = 0


class Progress(NamedTuple):
    """How far training is: bytes gone through of those of all epochs, epochs done, loss of each of them."""

    done: int
    total: int
    epoch: int
    losses: tuple[float, ...]


def train(
    path: Path, training: Training | None = None, progress: Callable[[Progress], None] | None = None
) -> WordVectors:
    """Train word vectors on a text file in UTF-8.

    Parameters
    ----------
    progress
        Called while the text is read, from whichever thread reads; may raise `Cancelled`.

    Raises
    ------
    VectorsError
        If the text cannot be read, or no word is there often enough.
    Cancelled
        If `progress` raised it.
    """
    from gensim.models import Word2Vec

    training = training or Training()
    text = _Text(path, training, progress)
    model: Any = Word2Vec(
        vector_size=training.dim,
        window=training.window,
        min_count=training.least,
        sg=int(training.skip_gram),
        seed=training.seed,
        workers=1,  # more give other vectors each time
        compute_loss=True,
    )
    model.build_vocab(text)
    text.check()
    if not len(model.wv):
        raise VectorsError(
            f"no word is there {training.least} times",
            where=path.name,
            remedy="Take a longer text, or ask for words that are there less often",
        )
    _go_through(model, text, training.epochs)
    matrix = np.array(model.wv.vectors, dtype=np.float32)
    return WordVectors.from_arrays(list(model.wv.index_to_key), matrix, name=path.stem)


def _go_through(model: Any, text: _Text, epochs: int) -> None:  # noqa: ANN401  (gensim has no types)
    """Train epoch by epoch, as `model.train` would all at once, so that it can end between them."""
    first = model.alpha  # training changes it
    step = (first - model.min_alpha) / epochs
    for epoch in range(epochs):
        model.train(
            text,
            total_examples=model.corpus_count,
            epochs=1,
            start_alpha=first - epoch * step,
            end_alpha=first - (epoch + 1) * step,
            compute_loss=True,
        )
        text.check()
        text.epoch_ended(float(model.get_latest_training_loss()))


class _Text:
    """The sentences of a file, one a line, gone through again and again; stops where training should."""

    def __init__(self, path: Path, training: Training, progress: Callable[[Progress], None] | None) -> None:
        self._path = path
        self._lower = training.lower
        self._progress = progress
        self._size = path.stat().st_size if path.is_file() else 0
        self._total = self._size * (training.epochs + 1)
        self._done = 0
        self._losses: tuple[float, ...] = ()
        self._stop = threading.Event()
        self._error: Exception | None = None

    def __iter__(self) -> Iterator[list[str]]:
        try:
            with self._path.open("rb") as file:
                while not self._stop.is_set() and (line := file.readline(_LINE)):
                    self._done += len(line)
                    yield from self._sentences(line.decode("utf-8", "replace"))
                    self._tell()
        except (OSError, Cancelled) as error:  # gensim reads in a thread that no error leaves
            self._error = error
            self._stop.set()

    def _sentences(self, line: str) -> Iterator[list[str]]:
        words = _WORD.findall(line.lower() if self._lower else line)
        for start in range(0, len(words), _LONGEST_SENTENCE):
            yield words[start : start + _LONGEST_SENTENCE]

    def _tell(self) -> None:
        if self._progress is not None:
            self._progress(Progress(self._done, self._total, len(self._losses), self._losses))

    def epoch_ended(self, loss: float) -> None:
        """Note the loss of an epoch and tell it."""
        self._losses = (*self._losses, loss)
        self._tell()

    def check(self) -> None:
        """Raise what ended the reading.

        Raises
        ------
        Cancelled
            If training should stop.
        VectorsError
            If the file cannot be read.
        """
        if isinstance(self._error, OSError):
            raise broken(self._error, self._path.name) from self._error
        if self._error is not None:
            raise self._error
