"""From an experiment to its numbers: the pure `evaluate` and what it returns."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from askew.head_result import HeadResult
from askew.inputs import Setting, VectorTable, check, read_rows, same_rows, setting_of
from askew.projection import maps_of
from askew.raw_side import RawSide

if TYPE_CHECKING:
    from askew.arrays import BoolArray, Float32, IntArray
    from askew.experiment import Experiment
    from askew.measures import Measures
    from askew.notices import Notice
    from askew.tokens import Token

__all__ = ["Evaluation", "HeadResult", "RawSide", "VectorTable", "evaluate"]


class Evaluation:
    """All numbers of an experiment; what is not needed at once is computed when first asked for.

    Rows and columns of every map are the tokens shown, n of them. Tokens without a vector that are kept
    (`unknown="keep"`) are NaN in every map; `known` says which rows are not.

    Attributes
    ----------
    experiment
        What was evaluated.
    heads
        One `HeadResult` a head, in order.
    raw
        Similarity of the token vectors themselves, and the pattern it gives.
    """

    def __init__(
        self,
        experiment: Experiment,
        vectors: VectorTable,
        setting: Setting,
        raw: RawSide,
        heads: tuple[HeadResult, ...],
    ) -> None:
        self.experiment = experiment
        self.vectors = vectors
        self.setting = setting
        self.raw = raw
        self.heads = heads

    @property
    def sentence(self) -> tuple[Token, ...]:
        """All tokens of the text, also those unknown or left out."""
        return self.setting.rows.sentence

    @property
    def tokens(self) -> tuple[Token, ...]:
        """The tokens that are rows of the maps, n of them."""
        return self.setting.rows.tokens

    @property
    def unknown(self) -> tuple[Token, ...]:
        """The tokens that have no vector."""
        return self.setting.rows.unknown

    @property
    def known(self) -> IntArray:
        """Which rows have a vector, (m,); all of them unless unknown tokens are kept."""
        return self.setting.rows.known

    @property
    def e(self) -> Float32:
        """Word vectors of the known tokens, (m, d_model)."""
        return self.setting.rows.e

    @property
    def x0(self) -> Float32:
        """What raw similarity is computed from: after positions and normalization, (m, d_model)."""
        return self.setting.rows.x0

    @property
    def x(self) -> Float32:
        """What the heads see: after the encoder, (m, d_model)."""
        return self.setting.rows.x

    @property
    def mask(self) -> BoolArray | None:
        """True where a query (row) may not see a key (column), (n, n); None where nothing is hidden."""
        return self.setting.hidden

    @cached_property
    def scores(self) -> Float32:
        """Scores of all heads before mask and temperature, (H, n, n)."""
        return _stacked([head.scores for head in self.heads])

    @cached_property
    def pattern(self) -> Float32:
        """Patterns of all heads, (H, n, n); each row sums to 1, or is zeros where it sees no token."""
        return _stacked([head.pattern for head in self.heads])

    @cached_property
    def outputs(self) -> Float32:
        """Pattern · V of all heads, (H, n, d_v)."""
        return _stacked([head.outputs for head in self.heads])

    @property
    def measures(self) -> tuple[Measures, ...]:
        """Measures of every head."""
        return tuple(head.measures for head in self.heads)

    @cached_property
    def notices(self) -> tuple[Notice, ...]:
        """What a reader of the maps should be told: rows that see nothing, nearly even patterns."""
        from askew.notices import notices_of

        return notices_of(self)


def evaluate(experiment: Experiment, vectors: VectorTable, previous: Evaluation | None = None) -> Evaluation:
    """Compute an experiment.

    Parameters
    ----------
    experiment
        What to compute.
    vectors
        The table that `experiment.vectors` names.
    previous
        An earlier evaluation; whatever has not changed since is shared with it, bit for bit.

    Returns
    -------
    Evaluation
        Maps (H, n, n) for n tokens; n = 0 gives empty arrays.

    Raises
    ------
    ExperimentError
        If a name is unknown, the sizes of the table and the heads disagree, or the maps would be too large.
    """
    check(experiment, vectors)
    if previous is not None and previous.vectors is not vectors:
        previous = None
    if previous is not None and same_rows(experiment, previous.experiment):
        rows = previous.setting.rows
    else:
        rows = read_rows(experiment, vectors)
    setting = setting_of(experiment, rows, previous.setting if previous else None)
    raw = RawSide(setting, experiment.raw)
    if previous is not None and previous.setting is setting:
        raw = previous.raw.of_kind(experiment.raw)
    before = previous.heads if previous else ()
    maps = maps_of(experiment.heads, setting, raw, [result.maps for result in before])
    known = {id(result.head): result for result in before}
    results = []
    for head, its_maps in zip(experiment.heads, maps, strict=True):
        result = known.get(id(head))
        results.append(result if result and result.maps is its_maps else HeadResult(head, its_maps))
    return Evaluation(experiment, vectors, setting, raw, tuple(results))


def _stacked(arrays: list[Float32]) -> Float32:
    """Stack read-only."""
    stack = np.stack(arrays)
    stack.setflags(write=False)
    return stack
