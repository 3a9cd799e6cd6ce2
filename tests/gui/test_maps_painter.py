"""What painted maps look like, pixel by pixel."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, cast

import numpy as np
import pytest
from PySide6.QtGui import QColor, QImage, QPainter

import askew_assets
from askew.heatmap import Heatmap, symmetric_limits
from askew_gui.maps import colours
from askew_gui.maps.labels import drawable, elided, text_width, text_widths, tip
from askew_gui.maps.numbers import cell_text, limit_texts, number_text
from askew_gui.maps.painter import bar_body, lay_out, note_text, paint_heatmap, paint_strip, thinning_text
from askew_gui.maps.style import SMALL_PX, MapStyle, page_style, screen_style
from askew_gui.maps.svg_painter import SvgPainter
from askew_gui.theme import DARK, LIGHT

if TYPE_CHECKING:
    from collections.abc import Sequence

    from askew.arrays import FloatArray
    from askew_gui.maps.layout import MapLayout, StripLayout

BLANKS = colours.Blanks(0xFF010203, 0xFF040506)


def heatmap(values: Sequence[Sequence[float]] | FloatArray, **more: object) -> Heatmap:
    array = np.asarray(values, dtype=np.float32)
    rows = tuple(f"r{row}" for row in range(array.shape[0]))
    columns = tuple(f"c{column}" for column in range(array.shape[1]))
    fields: dict[str, object] = {"row_labels": rows, "column_labels": columns, "limits": (0.0, 1.0)}
    return Heatmap(array, **(fields | more))  # type: ignore[arg-type]


def painted(*maps: Heatmap, width: int = 500, style: MapStyle | None = None) -> tuple[QImage, StripLayout]:
    style = style or page_style()
    layout = lay_out(maps, width, None, style)
    image = QImage(width, round(layout.height), QImage.Format.Format_RGB32)
    painter = QPainter(image)
    paint_strip(painter, maps, layout, style)
    painter.end()
    return image, layout


def corner_colour(image: QImage, layout: MapLayout, row: int, column: int) -> str:
    """Return the colour near the corner of a cell, where no number is."""
    box = layout.cell_box(row, column)
    return image.pixelColor(int(box.x + 4), int(box.y + 4)).name()


def table_colour(name: askew_assets.ColourTable, place: int) -> str:
    return QColor(*askew_assets.colour_table(name)[place].tolist()).name()


def test_row_one_column_two_is_painted_top_right() -> None:
    image, strip = painted(heatmap([[0.1, 0.9], [0.1, 0.1]]))
    one = strip.maps[0]
    dark, pale = table_colour("sequential", 230), table_colour("sequential", 26)
    assert corner_colour(image, one, 0, 1) == dark
    assert [corner_colour(image, one, *cell) for cell in ((0, 0), (1, 0), (1, 1))] == [pale] * 3
    middle_x, middle_y = one.frame.x + one.frame.w / 2, one.frame.y + one.frame.h / 2
    box = one.cell_box(0, 1)
    assert box.x >= middle_x - 1
    assert box.bottom <= middle_y + 1


def test_a_constant_third_looks_a_third_of_the_way() -> None:
    image, strip = painted(heatmap(np.full((3, 3), 1 / 3)))
    seen = {corner_colour(image, strip.maps[0], i, j) for i in range(3) for j in range(3)}
    assert seen == {table_colour("sequential", 85)}


@pytest.mark.parametrize("limits", [(-1.0, 1.0), (-0.6, 0.6), (0.0, 0.0)])
def test_a_difference_of_zero_is_exactly_the_neutral_colour(limits: tuple[float, float]) -> None:
    image, strip = painted(heatmap(np.zeros((3, 3)), colours="diverging", limits=limits))
    seen = {corner_colour(image, strip.maps[0], i, j) for i in range(3) for j in range(3)}
    assert seen == {table_colour("diverging", 127)}


def test_differences_are_coloured_symmetrically_around_zero() -> None:
    values = np.array([[-0.1, 0.6], [0.0, 0.3]], dtype=np.float32)
    limits = symmetric_limits(values)
    assert limits == pytest.approx((-0.6, 0.6))
    one = heatmap(values, colours="diverging", limits=limits)
    assert limit_texts(one) == ("−0.6", "+0.6")
    image, strip = painted(one)
    assert corner_colour(image, strip.maps[0], 0, 1) == table_colour("diverging", 255)
    assert corner_colour(image, strip.maps[0], 1, 0) == table_colour("diverging", 128)
    blue = QColor(corner_colour(image, strip.maps[0], 0, 0))
    assert blue.blue() > blue.red()


def test_cells_without_a_value_are_hatched_and_the_others_keep_their_colours() -> None:
    image, strip = painted(heatmap([[0.2, float("nan")], [0.4, 0.8]]))
    one = strip.maps[0]
    box = one.cell_box(0, 1)
    seen = {
        image.pixelColor(int(box.x + dx), int(box.y + dy)).name()
        for dx in range(3, 20)
        for dy in range(3, 20)
    }
    assert LIGHT.window in seen
    assert len(seen) > 1
    assert not seen & {table_colour("sequential", place) for place in range(1, 256)}
    assert corner_colour(image, one, 0, 0) == table_colour("sequential", 51)
    assert corner_colour(image, one, 1, 1) == table_colour("sequential", 204)


def test_masked_cells_are_grey_also_where_they_have_no_value() -> None:
    values = np.array([[0.5, np.nan], [0.5, 0.5]], dtype=np.float32)
    image, strip = painted(heatmap(values, masked=np.array([[False, True], [False, False]])))
    assert corner_colour(image, strip.maps[0], 0, 1) == LIGHT.masked


def test_a_map_without_any_value_says_so() -> None:
    note = "the cosine of a zero vector is undefined"
    silent, strip = painted(heatmap(np.full((4, 4), np.nan)))
    telling, _ = painted(heatmap(np.full((4, 4), np.nan), note=note))
    frame = strip.maps[0].frame
    x, y = int(frame.x + frame.w / 2), int(frame.y + frame.h / 2)
    inside = [
        {image.pixelColor(x + dx, y + dy).name() for dx in range(-40, 40) for dy in range(-6, 6)}
        for image in (silent, telling)
    ]
    assert all(LIGHT.text in seen or QColor(min(seen)).lightness() < 100 for seen in inside)
    assert silent != telling


def test_each_row_can_be_stretched_to_its_own_largest_value() -> None:
    image, strip = painted(heatmap([[0.1, 0.2], [0.5, 1.0]], row_stretch=True))
    one = strip.maps[0]
    assert (
        corner_colour(image, one, 0, 1) == corner_colour(image, one, 1, 1) == table_colour("sequential", 255)
    )
    assert (
        corner_colour(image, one, 0, 0) == corner_colour(image, one, 1, 0) == table_colour("sequential", 128)
    )


def test_a_row_of_zeros_stays_pale_when_rows_are_stretched() -> None:
    image, strip = painted(heatmap([[0.0, 0.0], [0.5, 1.0]], row_stretch=True))
    assert corner_colour(image, strip.maps[0], 0, 0) == table_colour("sequential", 0)


def test_a_lone_peak_among_more_cells_than_pixels_stays_visible() -> None:
    values = np.zeros((1000, 1000), dtype=np.float32)
    values[617, 203] = 1.0
    picture = colours.pictures((heatmap(values),), BLANKS, (100, 100))[0]
    assert picture.pixels.shape == (100, 100)
    assert np.argwhere(picture.pixels == colours.colour_table("sequential")[255]).tolist() == [[61, 20]]


def test_of_the_cells_on_a_pixel_the_one_farthest_from_zero_is_shown() -> None:
    values = np.zeros((1, 4, 4), dtype=np.float32)
    values[0, 0, 0], values[0, 1, 1], values[0, 3, 3] = 0.2, -0.7, 0.4
    assert colours.extremes(values, (2, 2))[0].tolist() == [[pytest.approx(-0.7), 0], [0, pytest.approx(0.4)]]


def test_maps_of_one_scale_are_coloured_together_as_they_are_alone() -> None:
    numbers = np.random.default_rng(0).random((5, 7, 7), dtype=np.float32)
    maps = [heatmap(one) for one in numbers]
    together = colours.pictures(maps, BLANKS, (50, 50))
    for one, picture in zip(maps, together, strict=True):
        assert (colours.pictures((one,), BLANKS, (50, 50))[0].pixels == picture.pixels).all()


@pytest.mark.parametrize("name", ["sequential", "diverging"])
def test_numbers_in_cells_contrast_with_every_colour(name: askew_assets.ColourTable) -> None:
    table = askew_assets.colour_table(name) / 255
    for rgb, dark in zip(table, colours.ink_table(name), strict=True):
        ink = (0.0, 0.0, 0.0) if dark else (1.0, 1.0, 1.0)
        assert contrast(tuple(rgb), ink) >= 4.5


@pytest.mark.parametrize("style", [screen_style(LIGHT), screen_style(DARK), page_style(), page_style("dark")])
def test_labels_contrast_with_the_background_in_every_theme(style: MapStyle) -> None:
    for name in (style.tokens.text, style.tokens.muted):
        assert contrast(channels(name), channels(style.background)) >= 4.5


def channels(name: str) -> tuple[float, float, float]:
    colour = QColor(name)
    return colour.redF(), colour.greenF(), colour.blueF()


def contrast(one: Sequence[float], other: Sequence[float]) -> float:
    def luminance(rgb: Sequence[float]) -> float:
        linear = [c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in rgb]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def test_numbers_stand_in_cells_only_where_they_fit() -> None:
    few, strip = painted(heatmap(np.full((3, 3), 0.25)))
    box = strip.maps[0].cell_box(1, 1)
    inside = {
        few.pixelColor(int(box.x + dx), int(box.y + box.h / 2)).name() for dx in range(2, int(box.w) - 2)
    }
    assert len(inside) > 3
    many, strip = painted(heatmap(np.full((40, 40), 0.25)))
    frame = strip.maps[0].frame
    row = {many.pixelColor(int(frame.x + dx), int(frame.y + 3)).name() for dx in range(int(frame.w))}
    assert row == {table_colour("sequential", 64)}


@pytest.mark.parametrize("token", ["<s>", "</s>", "<b>", "<br>", "<unk>", "AT&T", "&amp;"])
def test_a_token_that_looks_like_markup_is_drawn_character_for_character(token: str) -> None:
    assert drawable(token) == token
    assert elided(token, 12, 200) == token
    plain = replace(heatmap([[0.5]]), row_labels=(token,), column_labels=("",))
    shorter = replace(plain, row_labels=(token[:-1],))
    images = [painted(one)[0] for one in (plain, shorter, replace(plain, row_labels=("",)))]
    assert images[0] != images[1]
    assert images[0] != images[2]


def test_a_tooltip_escapes_what_looks_like_markup() -> None:
    assert "&lt;b&gt;" in tip("<b>")
    assert "AT&amp;T" in tip("AT&T")


def test_a_letter_that_no_font_has_is_drawn_as_its_code_point() -> None:
    assert drawable("\U0010fffd") == "U+10FFFD"
    assert drawable("a\u2028b") == "aU+2028b"
    assert drawable("\x07") == "U+0007"


def test_bundled_fonts_have_latin_greek_cyrillic_and_chinese() -> None:
    for token in ("naïve", "λόγος", "дом", "猫", "Q·Kᵀ/√10", "‖q − k‖²"):
        assert drawable(token) == token


def test_arabic_letters_are_joined() -> None:
    word = "مرحبا"
    if drawable(word) != word:
        pytest.skip("no font of this machine has Arabic letters")
    whole = text_widths((word,), 40)[0]
    apart = sum(text_widths(tuple(word), 40))
    assert whole < 0.9 * apart


def test_the_axes_are_named_beside_the_labels() -> None:
    one = heatmap([[0.5, 0.5], [0.5, 0.5]])
    image, strip = painted(one)
    corner = strip.corner
    inside = (int(corner.x), int(corner.y), int(corner.w), int(corner.h))
    assert image.copy(*inside) != painted(replace(one, row_axis="in"))[0].copy(*inside)
    assert image.copy(*inside) != painted(replace(one, column_axis="out"))[0].copy(*inside)


def test_right_to_left_words_keep_the_order_they_are_typed_in() -> None:
    assert drawable("مرحبا").startswith(("م", "U+"))


def test_a_long_label_ends_in_dots() -> None:
    short = elided("a" * 40, 12, 80)
    assert short.endswith("…")
    assert len(short) < 20
    assert elided("\ufffd" * 300, 12, 80).endswith("…")


def test_thinned_labels_are_announced_in_the_note() -> None:
    maps = (heatmap(np.zeros((70, 70)), note="a note"),)
    layout = lay_out(maps, 400)
    assert thinning_text(layout).startswith("one label in")
    assert note_text(maps, layout).startswith("a note · one label in")
    assert layout.note.h > 0
    assert thinning_text(lay_out((heatmap(np.zeros((10, 10))),), 500)) == ""


def test_what_several_maps_say_is_in_the_note_once() -> None:
    maps = [heatmap(np.eye(2), note=note) for note in ("stretched", "unlike · stretched", "")]
    assert note_text(maps, lay_out(maps, 900)) == "stretched · unlike"


def texts(maps: Sequence[Heatmap], width: float) -> str:
    painter = SvgPainter()
    paint_strip(cast("QPainter", painter), maps, lay_out(maps, width, None, page_style()), page_style())
    return painter.document(width, 100, (1, 1), "")


@pytest.mark.parametrize("width", [500, 960])
def test_formulas_and_ends_of_the_bar_are_whole_in_a_narrow_picture(width: float) -> None:
    one = heatmap(np.eye(2), title="Difference", subtitle="head − raw, as is")
    last = replace(one, low="raw gives more", high="head gives more", short_ends=("raw more", "head more"))
    written = texts([one, one, last], width)
    assert written.count(">head − raw, as is<") == 3
    assert all(f">{end}<" in written for end in (last.short_ends if width == 500 else (last.low, last.high)))
    assert "…" not in written


def test_numbers_at_the_ends_of_a_narrow_bar_are_not_painted_over() -> None:
    maps = [heatmap([[-0.987]], limits=(-0.987, 0.987), colours="diverging")] * 3
    layout = lay_out(maps, 270, None, page_style())
    body, bar = bar_body(maps[0], layout.maps[0], page_style()), layout.maps[0].bar
    assert body.w == 0 or body.right <= bar.right - text_width("+0.987", SMALL_PX)


def test_more_cells_than_pixels_are_announced_in_the_note() -> None:
    layout = lay_out((heatmap(np.zeros((900, 900))),), 500)
    assert "strongest" in thinning_text(layout)


def test_painting_a_single_map_is_the_same_as_a_strip_of_one() -> None:
    one = heatmap([[0.1, 0.9], [0.3, 0.1]], title="Head 0", subtitle="softmax(Q·Kᵀ/√10)")
    first, layout = painted(one)
    second = QImage(first.size(), first.format())
    painter = QPainter(second)
    paint_heatmap(painter, one, layout, page_style())
    painter.end()
    assert first == second


@pytest.mark.parametrize(
    ("value", "expected"),
    [(0.9, "0.900"), (-0.1, "−0.100"), (0.0, "0.000"), (0.00042, "0.00042"), (1e-12, "1.0e-12")],
)
def test_numbers_are_read_out_with_three_decimals(value: float, expected: str) -> None:
    assert number_text(value) == expected


def test_a_difference_is_read_out_with_its_sign() -> None:
    assert number_text(0.25, signed=True) == "+0.250"
    assert number_text(float("nan")) == "no value"


@pytest.mark.parametrize(
    ("value", "expected"),
    [(0.123, "0.12"), (12.34, "12.3"), (-123.4, "−123"), (-0.001, "0.00"), (9.999, "10.0")],
)
def test_numbers_in_cells_are_short(value: float, expected: str) -> None:
    assert cell_text(value) == expected
