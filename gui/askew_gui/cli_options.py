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
from askew_gui.cli_weights import weights_options
from askew_gui.export.spec import FORMATS, SCALES, VIEWS, WIDTH, PictureSpec, parsed_width

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from askew_gui.export.spec import Unit

PICTURE_SUFFIXES = tuple([f".{name}" for name in FORMATS])

Command = TypeVar("Command", bound="Callable[..., Any]")


def _choice(flag: str, names: Iterable[str], text: str) -> Callable[[Command], Command]:
    return click.option(flag, type=click.Choice(list(names)), help=text)


class _ExampleOrFolder(click.Choice[str]):
    """A name of an example, or a folder that is there."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:  # noqa: ANN401
        """Return the value as it was given."""
        if value not in self.choices and Path(str(value)).is_dir():
            return str(value)
        return super().convert(value, param, ctx)


_OPTIONS = (
    click.argument("session", nargs=-1, metavar="[SESSION]..."),
    click.option("--text", metavar="T", help="The sentence. Default: that of the session or example."),
    click.option(
        "--vectors",
        metavar="NAME|FILE",
        help=f"Word vectors: a bundled name (see: askew vectors list) or a file. Default: {DEFAULT_VECTORS}.",
    ),
    click.option(
        "--example",
        type=_ExampleOrFolder(list(EXAMPLES)),
        metavar="NAME|FOLDER",
        help=f"Start from an example ({', '.join(EXAMPLES)}) or from a folder with a model; other flags "
        "override it.",
    ),
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
        help="Weights of heads: npz, npy, safetensors, csv, tsv or a model's folder (askew weights info).",
    ),
    *weights_options(),
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
    """Give a command the session and flags that make an experiment: the fields of `askew.request.Request`."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


class Width(click.ParamType):  # type: ignore[type-arg]  # generic only since click 8.2
    """A width in pixels, or with its unit: ``1600``, ``89mm``, ``3.5in``."""

    name = "width"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[float, Unit]:
        """Read what was typed."""
        try:
            return parsed_width(str(value))
        except ValueError:
            self.fail(f"'{value}' is no width like 1600, 89mm or 3.5in.", param, ctx)


_PICTURE_OPTIONS = (
    click.option("-o", "--output", required=True, metavar="OUT.png|svg|pdf", help="File to write."),
    click.option("--view", type=click.Choice(VIEWS), default="maps", help="What to paint. Default: maps."),
    click.option("--head", type=int, metavar="N", help="Which head; they count from 0. Default: 0."),
    click.option("--all-heads", is_flag=True, help="Every head instead of one, on one scale."),
    click.option(
        "--width",
        type=Width(),
        default=str(WIDTH),
        metavar="PX|Nmm|Nin",
        help=f"How wide: pixels, or as in 89mm, 3.5in. Default: {WIDTH}.",
    ),
    click.option(
        "--dpi",
        type=click.IntRange(10, 2400),
        metavar="N",
        help="Pixels an inch. Default: 96 for a width in pixels, else 300.",
    ),
    click.option(
        "--scale",
        type=click.IntRange(SCALES[0], SCALES[-1]),
        metavar="N",
        help="PNG: so many times more pixels. Default: 1.",
    ),
    click.option("--font-size", type=float, metavar="PT", help="Points the labels are high on paper."),
    click.option("--title", default="", metavar="T", help="Written over the picture."),
    click.option("--theme", type=click.Choice(["light", "dark"]), default="light", help="Default: light."),
    click.option("--no-session", is_flag=True, help="Do not put the experiment into the picture."),
)


def picture_options(command: Command) -> Command:
    """Give a command the flags that say what a picture looks like."""
    for option in reversed(_PICTURE_OPTIONS):
        command = option(command)
    return command


def picture_spec(output: str, head: int | None, choices: dict[str, Any]) -> PictureSpec:
    """Take the flags of `picture_options` out of `choices` and return what they ask for."""
    (width, unit), scale = choices.pop("width"), choices.pop("scale")
    plain = {name: choices.pop(name) for name in ("view", "all_heads", "dpi", "font_size", "title", "theme")}
    carry = not choices.pop("no_session")
    if plain["all_heads"] and (head is not None or plain["view"] == "raw"):
        raise click.UsageError("--all-heads goes with neither --head nor --view raw.")
    if scale is not None and output.lower().endswith((".svg", ".pdf")):
        raise click.UsageError("--scale is for PNG files; SVG and PDF are sharp at any size.")
    return PictureSpec(**plain, width=width, unit=unit, scale=scale or 1, carry=carry)


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
