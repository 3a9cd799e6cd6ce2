"""Where maps, labels and tiles stand: laws that hold at every size."""

from __future__ import annotations

import math

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from askew_gui.maps.layout import Request, StripLayout, cell_size, label_step, strip_layout
from askew_gui.maps.tiles import page_tiles, tile_layout

sizes = st.integers(1, 90)
widths = st.floats(420, 1600)
heights = st.floats(220, 900)
scales = st.sampled_from([1.0, 1.25, 1.5, 2.0])


def request(n: int, longest: float = 60.0, **more: float) -> Request:
    texts = tuple(20.0 + (longest - 20.0) * (j % 5) / 4 for j in range(n))
    return Request(rows=n, columns=n, row_texts=texts, column_texts=texts, **more)  # type: ignore[arg-type]


@given(sizes, widths, heights, scales, st.floats(20, 400))
def test_maps_lie_side_by_side_inside_the_picture(
    n: int, width: float, height: float, scale: float, longest: float
) -> None:
    strip = strip_layout(request(n, longest, scale=scale), width, height)
    first, second, third = strip.maps
    assert first.rows.x >= 0
    assert first.title.y >= 0
    assert first.frame.right < second.frame.x
    assert second.frame.right < third.frame.x
    assert third.frame.right <= width
    assert third.bar.bottom <= height or n > 60
    assert {one.frame.w for one in strip.maps} == {first.frame.w}


@given(st.integers(1, 40), widths, scales)
def test_cells_are_whole_device_pixels(n: int, width: float, scale: float) -> None:
    one = strip_layout(request(n, scale=scale), width).maps[0]
    side = one.cell[0] * scale
    assume(side >= 3)
    assert side == pytest.approx(round(side), abs=1e-6)
    assert one.cell[0] == pytest.approx(one.cell[1])


@given(st.integers(1, 40), widths, heights, st.data())
def test_the_cell_at_the_middle_of_a_cell_is_that_cell(
    n: int, width: float, height: float, data: st.DataObject
) -> None:
    one = data.draw(st.sampled_from(strip_layout(request(n), width, height).maps))
    assume(one.cell[0] >= 2)
    row, column = data.draw(st.integers(0, n - 1)), data.draw(st.integers(0, n - 1))
    box = one.cell_box(row, column)
    assert one.cell_at(box.x + box.w / 2, box.y + box.h / 2) == (row, column)
    assert one.cell_at(one.frame.x - 1, box.y) is None
    assert one.cell_at(box.x, one.frame.bottom + 1) is None


@given(st.integers(1, 60), widths, st.floats(20, 300))
def test_no_label_hangs_over_the_right_edge(n: int, width: float, longest: float) -> None:
    last = strip_layout(request(n, longest), width).maps[-1]
    if last.slanted:
        angle = math.radians(last.slant)
        room = (last.columns.h - 8) / math.sin(angle)
        for column, text in enumerate(request(n, longest).column_texts):
            foot = last.frame.x + (column + 0.5) * last.cell[0]
            assert foot + min(text, room) * math.cos(angle) <= width + 1


@pytest.mark.parametrize(("cell", "step"), [(12.0, 1), (8.0, 1), (7.9, 2), (4.0, 3), (1.0, 11)])
def test_labels_thin_out_evenly_below_eight_pixels(cell: float, step: int) -> None:
    assert label_step(cell, 1.0) == step


def test_a_larger_text_size_thins_labels_earlier() -> None:
    assert label_step(10.0, 1.0) == 1
    assert label_step(10.0, 1.5) == 2


def test_one_very_long_label_does_not_shrink_the_cells() -> None:
    texts = (30.0,) * 29 + (2000.0,)
    long = Request(rows=30, columns=30, row_texts=texts, column_texts=texts)
    short = Request(rows=30, columns=30, row_texts=texts[:1] * 30, column_texts=texts[:1] * 30)
    before, after = (strip_layout(ask, 930.0).maps[0].cell[0] for ask in (short, long))
    assert after >= before - 1


def test_short_labels_over_broad_cells_are_not_slanted() -> None:
    assert not strip_layout(request(3, 30.0), 930.0, 370.0).maps[0].slanted
    assert strip_layout(request(14, 60.0), 930.0, 370.0).maps[0].slanted


def test_a_point_on_a_row_label_means_its_row() -> None:
    strip = strip_layout(request(5), 930.0, 370.0)
    one = strip.maps[0]
    y = one.frame.y + 2.5 * one.cell[1]
    assert one.row_label_at(one.rows.x + 5, y) == 2
    assert one.row_label_at(one.frame.x + 5, y) is None
    assert strip.maps[1].row_label_at(strip.maps[1].frame.x - 5, y) is None


def test_labels_over_narrow_columns_are_steeper() -> None:
    broad, narrow = (strip_layout(request(n), 930.0).maps[0] for n in (14, 40))
    assert broad.slant < narrow.slant < 90


def test_a_point_on_a_slanted_label_means_its_column() -> None:
    one = strip_layout(request(14), 930.0, 370.0).maps[0]
    up = 30.0
    x = one.frame.x + 3.5 * one.cell[0] + up / math.tan(math.radians(one.slant))
    assert one.column_label_at(x, one.frame.y - up) == 3
    assert one.column_label_at(x, one.frame.y + 1) is None


def test_without_a_height_the_picture_is_as_high_as_its_maps_need() -> None:
    strip = strip_layout(request(12), 960.0)
    assert strip.maps[0].bar.bottom < strip.height < strip.maps[0].bar.bottom + 40


@pytest.mark.parametrize("width", [0.0, 1.0, 50.0, 200.0])
def test_a_window_too_small_for_maps_is_laid_out_all_the_same(width: float) -> None:
    strip = strip_layout(request(12), width, width)
    assert isinstance(strip, StripLayout)
    assert strip.maps[0].cell_at(1e4, 1e4) is None


@pytest.mark.parametrize(("room", "expected"), [(18.8, 18.0), (3.2, 3.0), (2.7, 2.7), (-1.0, 0.0)])
def test_cells_too_small_for_whole_pixels_fill_the_room(room: float, expected: float) -> None:
    assert cell_size(room, 1.0) == expected


@given(st.integers(1, 70), st.integers(1, 40), st.floats(300, 1400), st.floats(80, 600))
def test_tiles_do_not_overlap_and_each_is_found_at_its_middle(
    count: int, n: int, width: float, height: float
) -> None:
    tiles = tile_layout(count, (n, n), width, height)
    boxes = [tiles.tile_box(index) for index in range(count)]
    for index, box in enumerate(boxes):
        assert tiles.tile_at(box.x + box.w / 2, box.y + box.h / 2) == index
        assert box.right <= width + 1
        if index and (index % tiles.per_row):
            assert boxes[index - 1].right <= box.x + 0.5
    assert tiles.tile_at(-5, 5) is None


def test_thirteen_tiles_stand_in_one_row_of_the_centre_column() -> None:
    tiles = tile_layout(13, (14, 14), 930.0, 98.0)
    assert tiles.per_row >= 13
    assert tiles.height <= 98.0


def test_only_tiles_in_view_are_visible() -> None:
    tiles = tile_layout(65, (16, 16), 930.0, 98.0)
    assert tiles.height > 98.0
    seen = tiles.visible(0, 98)
    assert 0 < len(seen) < 65
    assert seen[0] == 0
    assert tiles.visible(tiles.height - 98, tiles.height)[-1] == 64
    assert list(tiles.visible(0, tiles.height)) == list(range(65))


def test_tiles_of_a_page_stand_in_rows_of_about_equal_length() -> None:
    tiles = page_tiles(13, (12, 12), 960.0)
    assert tiles.per_row == 7
    assert tiles.tile_box(6).right <= 960.0
