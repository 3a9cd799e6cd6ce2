"""Painted maps against pictures that a person has looked at.

After a wanted change, `ASKEW_BLESS=1 pytest tests/gui/test_maps_pictures.py` writes them anew: look at each.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest
from PySide6.QtGui import QImage

from askew.heatmap import Heatmap
from askew_gui.export.png import render_heatmaps

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication

    from askew_gui.export.spec import Theme

PICTURES = Path(__file__).parent / "pictures"
TOKENS = ("the", "<b>", "猫", "very-long-token-without-end", "naïve")


def three(hidden: bool) -> list[Heatmap]:
    """Return three maps made by hand: asymmetric, with a word that has no value, masked if asked."""
    steps = np.arange(25, dtype=np.float32).reshape(5, 5)
    raw, head = (np.exp(-np.abs(steps % 6) / 2) for steps in (steps, steps.T + 2))
    raw, head = (one / one.sum(axis=1, keepdims=True) for one in (raw, head))
    raw[2], raw[:, 2] = np.nan, np.nan
    masked = np.triu(np.ones((5, 5), dtype=bool), 1) if hidden else None
    difference = head - raw
    largest = float(np.nanmax(np.abs(difference)))
    return [
        Heatmap(raw, TOKENS, TOKENS, (0, 1), title="Raw", subtitle="softmax(X·Xᵀ/√50)", masked=masked),
        Heatmap(head, TOKENS, TOKENS, (0, 1), title="Head 3", subtitle="softmax(Q·Kᵀ/√10)", masked=masked),
        Heatmap(
            difference,
            TOKENS,
            TOKENS,
            (-largest, largest),
            "diverging",
            title="Difference",
            subtitle="head − raw, as is",
            masked=masked,
            low="raw gives more",
            high="head gives more",
            note="a note under the picture",
        ),
    ]


def pixels(image: QImage) -> np.ndarray:
    copy = image.convertToFormat(QImage.Format.Format_RGB888)
    rows = np.frombuffer(copy.constBits(), np.uint8).reshape(copy.height(), copy.bytesPerLine())
    return rows[:, : 3 * copy.width()].astype(int)


@pytest.mark.parametrize(
    ("name", "theme", "hidden", "width"),
    [
        ("maps_light", "light", False, 600),
        ("maps_dark", "dark", True, 600),
        ("maps_small", "light", True, 400),
        ("maps_light_twice", "light", False, 1200),
    ],
)
def test_maps_look_as_they_were_blessed(
    dressed_app: QApplication, tmp_path: Path, name: str, theme: Theme, hidden: bool, width: int
) -> None:
    image = render_heatmaps(three(hidden), width, theme)
    blessed = PICTURES / f"{name}.png"
    if os.environ.get("ASKEW_BLESS"):
        image.save(str(blessed))
    expected = QImage(str(blessed))
    image.save(str(tmp_path / blessed.name))
    assert image.size() == expected.size(), f"see {tmp_path / blessed.name}"
    difference = np.abs(pixels(image) - pixels(expected))
    # Another build of the font renderer may soften edges otherwise; nothing may move.
    assert (difference > 60).mean() < 0.002, f"see {tmp_path / blessed.name}"
