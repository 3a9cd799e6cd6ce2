"""The flags that `render` and `compute` share; a flag is here once its feature is."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from askew.examples import EXAMPLES
from askew.initializers import INITIALIZERS
from askew.inputs import COMPARISONS, POSITIONS, UNKNOWNS
from askew.masks import MASKS
from askew.normalize import NORMALIZATIONS
from askew.request import DEFAULT_VECTORS
from askew.scoring import SCORINGS
from askew.similarity import RAWS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

# Those of `askew_gui.export`, written down here since that loads Qt.
VIEWS = ("maps", "grid", "raw", "pattern", "scores", "difference", "weights")
WIDTH = 1600

Command = TypeVar("Command", bound="Callable[..., Any]")


def _choice(flag: str, names: Iterable[str], text: str) -> Callable[[Command], Command]:
    return click.option(flag, type=click.Choice(list(names)), help=text)


_OPTIONS = (
    click.option("--text", metavar="T", help="The sentence. Default: that of the example."),
    click.option(
        "--vectors",
        metavar="NAME|FILE",
        help=f"Word vectors: a bundled name (see: askew vectors list) or a file. Default: {DEFAULT_VECTORS}.",
    ),
    _choice("--example", EXAMPLES, "Start from an example; other flags override it."),
    click.option("--heads", type=int, metavar="H", help="Number of heads. Default: 5."),
    click.option(
        "--d-k", type=int, metavar="N", help="Width of queries and keys. Default: d_model // heads."
    ),
    click.option("--d-v", type=int, metavar="N", help="Width of values. Default: d_model // heads."),
    click.option("--seed", type=int, metavar="S", help="Seed of the heads. Default: 0."),
    _choice("--init", INITIALIZERS, "How heads are drawn. Default: gaussian."),
    click.option("--gain", type=float, metavar="G", help="Factor on all weights. Default: 1."),
    click.option("--rank", type=int, metavar="R", help="Rank of low-rank heads. Default: d_k // 4."),
    click.option(
        "--weights",
        metavar="FILE",
        help="Heads from an .npz with w_q, w_k (H, d_model, d_k), w_v (H, d_model, d_v) and biases if any.",
    ),
    _choice("--scoring", SCORINGS, "How queries and keys give scores. Default: scaled-dot."),
    _choice("--mask", MASKS, "What a query may not see. Default: none."),
    _choice("--positions", POSITIONS, "What is added for the place of a word. Default: none."),
    _choice("--normalize", NORMALIZATIONS, "What is done to each vector first. Default: none."),
    click.option("--temperature", type=float, metavar="T", help="Divides scores before softmax. Default: 1."),
    _choice("--raw", RAWS, "Which raw similarity stands beside the scores. Default: scaled."),
    _choice("--compare", COMPARISONS, "How raw is matched to a head before the difference. Default: as-is."),
    _choice(
        "--unknown", UNKNOWNS, "Leave words without a vector out, or keep their rows empty. Default: drop."
    ),
)


def experiment_options(command: Command) -> Command:
    """Give a command the flags that make an experiment; they are the fields of `askew.request.Request`."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def check_suffix(path: str, suffixes: Iterable[str]) -> None:
    """Refuse a file whose name does not end in one of `suffixes`; pipes and devices may have any name."""
    known = tuple(suffixes)
    place = Path(path)
    if path.lower().endswith(known) or (path and place.exists() and not place.is_file()):
        return
    raise click.BadParameter(
        f"'{path}' does not end in {' or '.join(known)}, and other formats are not written.",
        param_hint="'-o'",
    )
