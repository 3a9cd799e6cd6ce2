"""Makes the colour tables in assets/askew_assets/colours.

    python packaging/make_colours.py

needs numpy and scipy. Lightness in OKLab (B. Ottosson, "A perceptual color space for image processing", 2020)
is linear along the table; hue and chroma follow a smooth curve through a few chosen colours.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.interpolate import PchipInterpolator

Floats = NDArray[np.float64]

COLOURS = Path(__file__).resolve().parent.parent / "assets" / "askew_assets" / "colours"

NAVY = ("#f7f9fd", "#d3dff3", "#9cb9e6", "#628cd4", "#3564bc", "#1f3f92", "#0e1e64")
BLUE = ("#f5f5f5", "#d3e4e9", "#9cc7d8", "#5fa3c0", "#2d7698", "#0a4e70")
BROWN = ("#f5f5f5", "#f4dfd0", "#efb78a", "#dd8650", "#bd5a2c", "#8f3306")
GREY = ("#fafafa", "#101010")
VIRIDIAN = ("#f7ec52", "#8ccb5a", "#35a37c", "#27768a", "#3a4a84", "#32145a")
PURPLE = ("#f5f5f5", "#efd9ee", "#dbaada", "#c17ac6", "#9d48a9", "#751c80")
GREEN = ("#f5f5f5", "#d3eac6", "#a5cf8d", "#6cae55", "#3c8632", "#175b14")

# Rows: L, M, S cone responses of linear sRGB, then OKLab of their cube roots.
LMS = np.array(
    [
        [0.4122214708, 0.5363325363, 0.0514459929],
        [0.2119034982, 0.6806995451, 0.1073969566],
        [0.0883024619, 0.2817188376, 0.6299787005],
    ]
)
LAB = np.array(
    [
        [0.2104542553, 0.7936177850, -0.0040720468],
        [1.9779984951, -2.4285922050, 0.4505937099],
        [0.0259040371, 0.7827717662, -0.8086757660],
    ]
)


def main() -> None:
    """Write all tables: 256 lines of rrggbb each."""
    COLOURS.mkdir(parents=True, exist_ok=True)
    _write("sequential", _curve(NAVY, 256))
    _write("grey", _curve(GREY, 256))
    _write("viridian", _curve(VIRIDIAN, 256)[::-1])
    _write("diverging", _diverging(BLUE, BROWN))
    _write("purple-green", _diverging(PURPLE, GREEN))


def _diverging(below: tuple[str, ...], above: tuple[str, ...]) -> Floats:
    """Return two arms of the same lightness that meet in grey."""
    darkest = max(_oklab(np.array([_rgb(arm[-1])]))[0, 0] for arm in (below, above))
    low, high = (_curve(arm, 128, darkest) for arm in (below, above))
    low[0] = high[0] = _rgb("#f5f5f5")
    return np.concatenate([low[::-1], high])


def _write(name: str, table: Floats) -> None:
    lines = ("".join(f"{round(255 * part):02x}" for part in colour) for colour in table)
    (COLOURS / f"{name}.txt").write_text("\n".join(lines) + "\n", encoding="ascii")


def _curve(anchors: tuple[str, ...], count: int, darkest: float | None = None) -> Floats:
    """Return `count` colours from the lightest anchor down to `darkest`, evenly spaced in lightness."""
    lab = _oklab(np.array([_rgb(colour) for colour in anchors]))
    upwards = lab[::-1]
    bend = PchipInterpolator(upwards[:, 0], upwards[:, 1:])
    lightness = np.linspace(lab[0, 0], lab[-1, 0] if darkest is None else darkest, count)
    return _srgb(np.column_stack([lightness, bend(lightness)]))


def _rgb(colour: str) -> Floats:
    return np.frombuffer(bytes.fromhex(colour[1:]), dtype=np.uint8) / 255.0


def _oklab(srgb: Floats) -> Floats:
    linear = np.where(srgb <= 0.04045, srgb / 12.92, ((srgb + 0.055) / 1.055) ** 2.4)
    return np.cbrt(linear @ LMS.T) @ LAB.T


def _srgb(lab: Floats) -> Floats:
    linear = ((lab @ np.linalg.inv(LAB).T) ** 3) @ np.linalg.inv(LMS).T
    linear = np.clip(linear, 0.0, 1.0)
    return np.where(linear <= 0.0031308, linear * 12.92, 1.055 * linear ** (1 / 2.4) - 0.055)


if __name__ == "__main__":
    main()
