"""What is remembered of the last picture, as plain values that nobody vouches for."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, get_args

from askew.errors import AskewError
from askew_gui.export.spec import (
    FORMATS,
    LARGEST_FONT,
    SCALES,
    SMALLEST_FONT,
    ColourMap,
    Format,
    Numbers,
    PictureSpec,
    Range,
    Theme,
    Unit,
    View,
    check_size,
)

_NAMES = {
    "view": View,
    "theme": Theme,
    "unit": Unit,
    "colours": ColourMap,
    "range": Range,
    "numbers": Numbers,
}


def to_plain(spec: PictureSpec, file_format: Format) -> dict[str, Any]:
    """Return what is worth remembering; title and caption belong to one picture."""
    kept = (*_NAMES, "all_heads", "width", "dpi", "scale", "aspect", "font_size", "carry")
    return {"format": file_format, **{name: getattr(spec, name) for name in kept}}


def from_plain(kept: dict[str, Any]) -> tuple[PictureSpec, Format]:
    """Return the picture remembered; what makes no sense is as if it had never been set."""
    usual = PictureSpec()
    fields: dict[str, Any] = {
        name: kept[name] for name, names in _NAMES.items() if kept.get(name) in get_args(names)
    }
    fields |= {name: kept[name] for name in ("all_heads", "carry") if isinstance(kept.get(name), bool)}
    if kept.get("scale") in SCALES:
        fields["scale"] = kept["scale"]
    dpi = _number(kept.get("dpi"), 10, 2400)
    fields |= {"dpi": dpi and round(dpi), "aspect": _number(kept.get("aspect"), 0.2, 5)}
    fields["font_size"] = _number(kept.get("font_size"), SMALLEST_FONT, LARGEST_FONT)
    fields["width"] = _number(kept.get("width"), 0.1, 1e5) or usual.width
    spec = replace(usual, **fields)
    try:
        check_size(spec, "png")
    except AskewError:
        sizes = ("width", "unit", "dpi", "scale", "font_size")
        spec = replace(spec, **{name: getattr(usual, name) for name in sizes})
    file_format = kept.get("format")
    return spec, next((known for known in FORMATS if known == file_format), "png")


def _number(value: object, least: float, most: float) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return value if least <= value <= most else None
