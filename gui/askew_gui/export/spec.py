"""What picture is asked for, and the arithmetic of its size; no Qt is needed to say it."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import Literal, NamedTuple

from askew.errors import AskewError

View = Literal["maps", "grid", "raw", "pattern", "scores", "difference", "weights"]
Theme = Literal["light", "dark"]
Unit = Literal["px", "mm", "in"]
Format = Literal["png", "svg", "pdf"]
Numbers = Literal["auto", "on", "off"]
Range = Literal["as-shown", "fixed", "shared", "map"]
ColourMap = Literal["standard", "viridian", "grey"]

VIEWS: tuple[View, ...] = ("maps", "grid", "raw", "pattern", "scores", "difference", "weights")
UNITS: tuple[Unit, ...] = ("px", "mm", "in")
FORMATS: tuple[Format, ...] = ("png", "svg", "pdf")

WIDTH = 1600  # pixels, unless another width is asked for
NARROWEST, WIDEST = 64, 30000  # pixels; Qt paints up to 32767
MOST_PIXELS = 120_000_000  # half a gigabyte while it is painted
NARROWEST_MM, WIDEST_MM = 10.0, 5000.0  # a page of PDF is at most 14400 points, which is 5080 mm
LONGEST_MM = 5080.0
SMALLEST_FONT, LARGEST_FONT = 3.0, 72.0  # points
LABEL = 12.0  # units high are the letters of a label
NARROWEST_PAGE = 150.0  # units, below which labels leave no room for cells
SCALES = range(1, 9)

_PER_INCH = {"mm": 25.4, "in": 1.0}
_WIDTH = re.compile(r"\s*([+-]?\d+(?:\.\d+)?)\s*(px|mm|in)?\s*", re.ASCII)


@dataclass(frozen=True, slots=True)
class PictureSpec:
    """All that decides what a picture of an evaluation looks like.

    Parameters
    ----------
    view
        What is shown: `raw` and `difference` are of the quantity the experiment shows, `pattern` and `scores`
        of the selected heads, `weights` W_q, W_k and W_v of the first of them.
    all_heads
        Every head instead of the selected ones, on one scale.
    width, unit
        How wide; a pixel is 1/`dpi` inch.
    dpi
        Pixels an inch, None for 96 where the width is in pixels, as in a browser, and 300 elsewhere.
    scale
        A PNG file has so many times more pixels in each direction, in the same size on paper.
    aspect
        Width over height of the whole picture, which is put in its middle; None for as high as needed.
    font_size
        Points the labels are high on paper, None for letters that grow with the picture.
    range
        Of the colours: as the experiment says, fixed, shared by the maps of a kind, or each map's own.
    carry
        Whether the file carries the experiment that made it.
    """

    view: View = "maps"
    all_heads: bool = False
    theme: Theme = "light"
    width: float = WIDTH
    unit: Unit = "px"
    dpi: int | None = None
    scale: int = 1
    aspect: float | None = None
    font_size: float | None = None
    colours: ColourMap = "standard"
    range: Range = "as-shown"
    numbers: Numbers = "auto"
    title: str = ""
    caption: str = ""
    carry: bool = True

    @property
    def resolution(self) -> int:
        """Pixels an inch of a PNG file at scale 1."""
        return self.dpi or (96 if self.unit == "px" else 300)

    @property
    def inches(self) -> float:
        """Width on paper."""
        return self.width / (self.resolution if self.unit == "px" else _PER_INCH[self.unit])

    @property
    def points(self) -> float:
        """Width on paper in points, 72 an inch."""
        return 72 * self.inches

    @property
    def millimetres(self) -> float:
        """Width on paper in millimetres."""
        return 25.4 * self.inches

    @property
    def pixels(self) -> int:
        """Width of a PNG file."""
        return round(self.inches * self.resolution) * self.scale

    @property
    def units(self) -> float | None:
        """Width of the page in units of which a label is 12 high, None where that is left open."""
        return None if self.font_size is None else LABEL * self.points / self.font_size


class Preset(NamedTuple):
    """A size with a name, from what journals and slides ask for; `font_size` in points."""

    key: str
    width: float
    unit: Unit
    dpi: int
    font_size: float | None = None
    aspect: float | None = None


PRESETS = (
    Preset("screen", WIDTH, "px", 96),
    Preset("single-column", 89.0, "mm", 300, 6.0),
    Preset("double-column", 183.0, "mm", 300, 7.0),
    Preset("slide", 1920.0, "px", 144, aspect=16 / 9),
)


def parsed_width(text: str) -> tuple[float, Unit]:
    """Return the number and the unit of a width like ``1600``, ``89mm`` or ``3.5in``.

    Raises
    ------
    ValueError
        If it is none.
    """
    found = _WIDTH.fullmatch(text)
    if found is None:
        raise ValueError(f"{text!r} is no width")
    unit: Unit = {"mm": "mm", "in": "in"}.get(found[2] or "px", "px")  # type: ignore[assignment]
    return float(found[1]), unit


def check_size(spec: PictureSpec, file_format: Format) -> None:
    """Raise for a size of which no picture can be painted.

    Raises
    ------
    AskewError
        It names what would do.
    """
    from askew_gui.i18n import tr  # needs Qt, which the command line loads only to paint

    if spec.font_size is not None and not SMALLEST_FONT <= spec.font_size <= LARGEST_FONT:
        what = tr("letters cannot be {} points high").format(f"{spec.font_size:g}")
        raise AskewError(what, remedy=tr("Choose {:g} to {:g}").format(SMALLEST_FONT, LARGEST_FONT))
    if spec.unit == "px":
        check_width(spec.width)
    elif not NARROWEST_MM <= spec.millimetres <= WIDEST_MM:
        what = tr("a picture cannot be {} {} wide").format(f"{spec.width:g}", spec.unit)
        step = 25.4 if spec.unit == "in" else 1.0
        ends = (f"{math.ceil(100 * NARROWEST_MM / step) / 100:g}", f"{math.floor(WIDEST_MM / step):g}")
        raise AskewError(what, remedy=tr("Choose {} to {} {}").format(*ends, spec.unit))
    if file_format == "png":
        check_width(spec.pixels)
    if spec.units is not None and spec.font_size is not None and spec.units < NARROWEST_PAGE:
        largest = math.floor(10 * LABEL * spec.points / NARROWEST_PAGE) / 10
        what = tr("letters of {} points leave no room for the maps").format(f"{spec.font_size:g}")
        raise AskewError(what, remedy=tr("Choose {} or less, or a wider picture").format(f"{largest:g}"))


def check_width(pixels: float) -> None:
    """Raise for a width in pixels that cannot be painted."""
    from askew_gui.i18n import tr

    if not NARROWEST <= pixels <= WIDEST:
        what = tr("a picture cannot be {} pixels wide").format(f"{pixels:.10g}")
        raise AskewError(what, remedy=tr("Choose {} to {}").format(NARROWEST, WIDEST))
