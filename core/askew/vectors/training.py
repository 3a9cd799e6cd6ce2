"""Training word vectors on a text of one's own, by gensim's Word2Vec."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

import regex

from askew.errors import Cancelled, VectorsError
from askew.vectors.table import WordVectors

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from askew.vectors.streams import Progress

_WORD = regex.compile(r"[\p{L}\p{N}][\p{L}\p{N}\p{M}]*(?:['’\-][\p{L}\p{N}\p{M}]+)*")
_LONGEST = 10_000  # words of a line that gensim takes for one sentence; it ignores what is beyond
_LONGEST_LINE = 1 << 20  # bytes of a line read at once, so that a text without ends of lines is no trouble


class TellLoss(Protocol):
    """Hears of each epoch."""

    def __call__(self, epoch: int, loss: float) -> None:
        """Take the epoch, from 1, and its loss per word."""


@dataclass(frozen=True, slots=True)
class Recipe:
    """How to train.

    Parameters
    ----------
    dim
        Numbers per word.
    window
        Words to each side that are looked at.
    least
        Words that are rarer are left out.
    epochs
        Times the text is gone through.
    skip_gram
        Skip-gram instead of CBOW (Mikolov et al. 2013, "Efficient Estimation of Word Representations").
    lower
        Read all words in lower case.
    seed
        The same seed, text and recipe give the same vectors.
    """

    dim: int = 100
    window: int = 5
    least: int = 5
    epochs: int = 5
    skip_gram: bool = True
    lower: bool = True
    seed: int = 0


class Corpus:
    """The lines of a text as lists of words; to be gone through many times.

    Parameters
    ----------
    progress
        Called with bytes read, over all passes, and bytes to read in all.
    """

    def __init__(self, path: Path, recipe: Recipe, progress: Progress | None = None) -> None:
        self._path = path
        self._lower = recipe.lower
        self._progress = progress
        self._total = (1 + recipe.epochs) * path.stat().st_size
        self._done = 0
        self._ended: Exception | None = None

    def __iter__(self) -> Iterator[list[str]]:
        try:
            with self._path.open("rb") as file:
                while line := file.readline(_LONGEST_LINE):
                    self._done += len(line)
                    if self._progress is not None:
                        self._progress(min(self._done, self._total), self._total)
                    words = self._words(line)
                    yield from (words[start : start + _LONGEST] for start in range(0, len(words), _LONGEST))
        except (OSError, Cancelled) as error:
            self._ended = error  # gensim reads in a thread of its own and waits for ever where that fails

    def check(self) -> None:
        """Raise what ended a pass before the end of the text."""
        if self._ended is not None:
            raise self._ended

    def _words(self, line: bytes) -> list[str]:
        text = line.decode("utf-8", "replace")
        return _WORD.findall(text.lower() if self._lower else text)


def train(
    path: Path, recipe: Recipe, progress: Progress | None = None, tell_loss: TellLoss | None = None
) -> WordVectors:
    """Return vectors of the words of a text in UTF-8, the most frequent first.

    Raises
    ------
    VectorsError
        If the file cannot be read, or fewer than two words are frequent enough.
    """
    from gensim.models import Word2Vec

    try:
        corpus = Corpus(path, recipe, progress)
        model: Any = Word2Vec(
            vector_size=recipe.dim,
            window=recipe.window,
            min_count=recipe.least,
            sg=int(recipe.skip_gram),
            seed=recipe.seed,
            workers=1,  # more would make each run come out differently
        )
        model.build_vocab(corpus)
        corpus.check()
        count = len(model.wv)
        if count < 2:
            raise VectorsError(
                f"{count} of its words occur at least {recipe.least} times, which is too few to train on",
                where=path.name,
                remedy="Take a longer text, or let rarer words count",
            )
        _run(model, corpus, recipe, tell_loss)
    except OSError as error:
        raise VectorsError(f"the text cannot be read: {error.strerror or error}", where=path.name) from error
    return WordVectors.from_arrays(list(model.wv.index_to_key), model.wv.vectors, name=path.stem)


class _Model(Protocol):
    """What is needed of gensim's Word2Vec."""

    alpha: float
    min_alpha: float
    corpus_count: int
    corpus_total_words: int

    def train(
        self,
        corpus_iterable: Corpus,
        *,
        total_examples: int,
        epochs: int,
        start_alpha: float,
        end_alpha: float,
        compute_loss: bool,
    ) -> object:
        """Go through the text."""

    def get_latest_training_loss(self) -> float:
        """Return the sum of the loss since `train` was called."""


def _run(model: _Model, corpus: Corpus, recipe: Recipe, tell_loss: TellLoss | None) -> None:
    """Go through the text `epochs` times, the learning rate falling evenly over all of them."""
    first, last = float(model.alpha), float(model.min_alpha)
    for epoch in range(recipe.epochs):
        model.train(
            corpus,
            total_examples=model.corpus_count,
            epochs=1,
            start_alpha=first + (last - first) * epoch / recipe.epochs,
            end_alpha=first + (last - first) * (epoch + 1) / recipe.epochs,
            compute_loss=True,
        )
        corpus.check()
        if tell_loss is not None:
            # Told epoch by epoch, for gensim's sum over all loses its digits in float32.
            tell_loss(epoch + 1, float(model.get_latest_training_loss()) / max(1, model.corpus_total_words))
