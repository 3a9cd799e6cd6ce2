from __future__ import annotations

from typing import TYPE_CHECKING, get_args

import numpy as np
import pytest

import askew_assets

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

TABLES = get_args(askew_assets.ColourTable)
DIVERGING = pytest.mark.parametrize("name", ["diverging", "purple-green"])
BOTH = pytest.mark.parametrize("name", TABLES)

# What eyes without one kind of cone see, on linear red, green, blue, at full strength: G. M. Machado,
# M. M. Oliveira, L. A. F. Fernandes, "A Physiologically-based Model for Simulation of Color Vision
# Deficiency", IEEE TVCG 15 (2009), table of the authors' page.
EYES = {
    "ordinary": np.eye(3),
    "no red cones": np.array(
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]
    ),
    "no green cones": np.array(
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]]
    ),
    "no blue cones": np.array(
        [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]]
    ),
}
ALL_EYES = pytest.mark.parametrize("eyes", EYES)


def linear_light(srgb: Floats) -> Floats:
    return np.where(srgb <= 0.04045, srgb / 12.92, ((srgb + 0.055) / 1.055) ** 2.4)


def oklab(linear: Floats) -> Floats:
    """OKLab of linear sRGB (B. Ottosson, 2020), times 100, so that 1 is about a just noticeable step."""
    cones = linear @ np.array(
        [
            [0.4122214708, 0.2119034982, 0.0883024619],
            [0.5363325363, 0.6806995451, 0.2817188376],
            [0.0514459929, 0.1073969566, 0.6299787005],
        ]
    )
    mixed = np.array(
        [
            [0.2104542553, 1.9779984951, 0.0259040371],
            [0.7936177850, -2.4285922050, 0.7827717662],
            [-0.0040720468, 0.4505937099, -0.8086757660],
        ]
    )
    result: Floats = 100 * np.cbrt(cones) @ mixed
    return result


def seen(name: askew_assets.ColourTable, eyes: str = "ordinary") -> Floats:
    """Return a colour table in OKLab as those eyes see it, (256, 3)."""
    table = askew_assets.colour_table(name) / 255.0
    return oklab(np.clip(linear_light(table) @ EYES[eyes].T, 0, 1))


def arms_of(name: askew_assets.ColourTable, colours: Floats) -> list[Floats]:
    """Return a table from its lightest colour down, the two halves of a diverging one apart."""
    if name == "viridian":
        return [colours[::-1]]
    return [colours] if name in ("sequential", "grey") else [colours[127::-1], colours[128:]]


def test_oklab_of_white_and_of_red_are_the_published_values() -> None:
    white, red = oklab(np.array([[1.0, 1.0, 1.0], [1.0, 0.0, 0.0]]))
    assert white == pytest.approx([100, 0, 0], abs=0.01)
    assert red == pytest.approx([62.796, 22.486, 12.585], abs=0.01)


def test_every_kind_of_eye_sees_grey_as_grey() -> None:
    for matrix in EYES.values():
        assert matrix @ np.ones(3) == pytest.approx(np.ones(3), abs=1e-5)


@BOTH
def test_a_colour_table_is_256_read_only_colours(name: askew_assets.ColourTable) -> None:
    table = askew_assets.colour_table(name)
    assert table.shape == (256, 3)
    assert table.dtype == np.uint8
    with pytest.raises(ValueError, match="read-only"):
        table[0, 0] = 1


@pytest.mark.parametrize("name", ["sequential", "viridian", "grey"])
def test_sequential_lightness_falls_on_a_straight_line(name: askew_assets.ColourTable) -> None:
    lightness = arms_of(name, seen(name)[:, 0])[0]
    line = np.linspace(lightness[0], lightness[-1], 256)
    assert np.abs(lightness - line).max() < 0.4
    assert lightness[0] > 91
    assert lightness[-1] < 31


@DIVERGING
def test_both_arms_of_diverging_lightness_fall_on_the_same_straight_line(
    name: askew_assets.ColourTable,
) -> None:
    lightness = seen(name)[:, 0]
    line = np.linspace(lightness[128], lightness[255], 128)
    assert np.abs(lightness[128:] - line).max() < 0.4
    assert np.abs(lightness[127::-1] - line).max() < 0.4
    assert lightness[128] > 96
    assert lightness[255] < 45


@DIVERGING
def test_zero_is_exactly_neutral(name: askew_assets.ColourTable) -> None:
    table = askew_assets.colour_table(name)
    assert set(table[127]) == set(table[128])
    assert len(set(table[128])) == 1


def test_the_warm_colour_is_for_more() -> None:
    table = askew_assets.colour_table("diverging").astype(int)
    red, blue = table[:, 0], table[:, 2]
    assert (red[140:] > blue[140:]).all()
    assert (red[:116] < blue[:116]).all()


@BOTH
@ALL_EYES
def test_equal_steps_look_about_equally_large(name: askew_assets.ColourTable, eyes: str) -> None:
    colours = seen(name, eyes)
    for arm in arms_of(name, colours):
        steps = np.linalg.norm(np.diff(arm[:: len(arm) // 16], axis=0), axis=1)
        assert steps.max() < 2.1 * steps.min()


@BOTH
@ALL_EYES
def test_lightness_never_turns_back_whatever_the_eyes(name: askew_assets.ColourTable, eyes: str) -> None:
    lightness = seen(name, eyes)[:, 0]
    for arm in arms_of(name, lightness):
        assert (np.diff(arm[::4]) < 0).all()


@DIVERGING
@ALL_EYES
def test_less_and_more_are_told_apart_whatever_the_eyes(name: askew_assets.ColourTable, eyes: str) -> None:
    colours = seen(name, eyes)
    apart = np.linalg.norm(colours[127::-1] - colours[128:], axis=1)
    assert (np.diff(apart[:80:8]) > 0).all()
    assert apart[16] > 4
    assert apart[64:].min() > 15


def test_a_bundled_file_is_found_and_a_missing_one_is_named() -> None:
    assert askew_assets.path("icons/undo.svg").is_file()
    with pytest.raises(FileNotFoundError, match="no/such"):
        askew_assets.path("no/such.file")


@pytest.mark.parametrize("name", askew_assets.icon_names())
def test_icons_are_small_plain_drawings(name: str) -> None:
    drawing = askew_assets.path(f"icons/{name}.svg").read_text(encoding="utf-8")
    assert drawing.startswith('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"')
    assert len(drawing) < 1000
    assert "<script" not in drawing


def test_every_bundled_font_has_its_licence_beside_it() -> None:
    fonts = list(askew_assets.path("fonts").glob("*.?tf"))
    assert len(fonts) == 5
    assert "SIL OPEN FONT LICENSE Version 1.1" in askew_assets.path("fonts/OFL.txt").read_text("utf-8")
