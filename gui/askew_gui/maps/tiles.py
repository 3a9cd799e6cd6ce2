"""Where the small maps of the head grid stand: pure geometry in logical pixels."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

from askew_gui.maps.layout import Box, snapped

MARGIN = 12.0
GAP = 1.0
EDGE = 5.0  # above the first and below the last row
PADDING = 4.0
TITLE = 16.0
SMALLEST, USUAL, LARGEST = 44.0, 58.0, 132.0


@dataclass(frozen=True, slots=True)
class TileLayout:
    """Tiles in rows; `side` is the width and height of the maps in them.

    Positions are those of the whole grid, which may be higher than the room for it.
    """

    count: int
    per_row: int
    side: tuple[float, float]
    tile: tuple[float, float]
    pitch: tuple[float, float]
    margin: float
    edge: float
    padding: float
    title: float
    height: float
    scale: float

    def tile_box(self, index: int) -> Box:
        """Return the whole tile, title and all."""
        row, column = divmod(index, self.per_row)
        x = snapped(self.margin + column * self.pitch[0], self.scale)
        y = snapped(self.edge + row * self.pitch[1], self.scale)
        return Box(x, y, *self.tile)

    def map_box(self, index: int) -> Box:
        """Return where the cells are."""
        box = self.tile_box(index)
        x = snapped(box.x + (box.w - self.side[0]) / 2, self.scale)
        y = snapped(box.y + self.padding * 0.3 + self.title, self.scale)
        return Box(x, y, *self.side)

    def title_box(self, index: int) -> Box:
        """Return where the title is."""
        box, cells = self.tile_box(index), self.map_box(index)
        return Box(cells.x, box.y + self.padding * 0.3, cells.w, self.title - 1)

    def tile_at(self, x: float, y: float) -> int | None:
        """Return the tile at a point."""
        column = math.floor((x - self.margin) / self.pitch[0])
        row = math.floor((y - self.edge) / self.pitch[1])
        index = row * self.per_row + column
        if not 0 <= column < self.per_row or row < 0 or index >= self.count:
            return None
        return index if self.tile_box(index).holds(x, y) else None

    def visible(self, top: float, bottom: float) -> range:
        """Return the tiles that are at least partly between two heights."""
        first = max(math.floor((top - self.edge) / self.pitch[1]), 0)
        last = math.ceil((bottom - self.edge) / self.pitch[1])
        return range(min(first * self.per_row, self.count), min(max(last, 0) * self.per_row, self.count))


@lru_cache(maxsize=8)
def map_boxes(layout: TileLayout) -> tuple[Box, ...]:
    """Return where the cells of every tile are."""
    return tuple([layout.map_box(tile) for tile in range(layout.count)])


@lru_cache(maxsize=32)
def tile_layout(
    count: int, shape: tuple[int, int], width: float, height: float, unit: float = 1.0, scale: float = 1.0
) -> TileLayout:
    """Lay tiles of maps of a shape into a width, as large as the height allows without scrolling.

    Where even small ones do not fit the height, they are of the usual size and the grid is higher than it.
    """
    room = width - 2 * MARGIN * unit
    side = USUAL * unit
    size = LARGEST * unit
    while size >= SMALLEST * unit:
        cells = max(_whole_cells(shape, size, scale))
        per_row = _per_row(room, cells, unit)
        rows = math.ceil(count / per_row)
        if rows * _tile_height(cells, unit) + 2 * EDGE * unit <= height:
            side = size
            break
        size -= 2 * unit
    sides = _whole_cells(shape, side, scale)
    return _laid_out(count, sides, _per_row(room, max(sides), unit), room, height, unit, scale)


def page_tiles(
    count: int, shape: tuple[int, int], width: float, scale: float = 1.0, per_row: int | None = None
) -> TileLayout:
    """Lay tiles into the width of a page, so many in a row or in rows that are about equally long."""
    room = width - 2 * MARGIN
    rows = math.ceil(count / (7 if count <= 28 else 9))
    per_row = per_row or max(math.ceil(count / rows), 3)
    sides = _whole_cells(shape, room / per_row - 2 * PADDING - 6 * GAP, scale)
    return _laid_out(count, sides, per_row, room, 0.0, 1.0, scale)


def _laid_out(
    count: int,
    sides: tuple[float, float],
    per_row: int,
    room: float,
    height: float,
    unit: float,
    scale: float,
) -> TileLayout:
    tile = (sides[0] + 2 * PADDING * unit, sides[1] + (TITLE + 1.3 * PADDING) * unit)
    pitch = tile[0] + GAP * unit
    if count * pitch > 0.7 * room:
        pitch = min(room / min(count, per_row), pitch * 1.35)
    rows = math.ceil(count / per_row) if count else 0
    row_pitch = tile[1] + _row_gap(sides[1], unit)
    content = rows * row_pitch - _row_gap(sides[1], unit)
    edge = max(EDGE * unit, min((height - content) / 2, 16 * unit))
    return TileLayout(
        count=count,
        per_row=per_row,
        side=sides,
        tile=tile,
        pitch=(pitch, row_pitch),
        margin=MARGIN * unit,
        edge=edge,
        padding=PADDING * unit,
        title=TITLE * unit,
        height=content + 2 * edge,
        scale=scale,
    )


def _per_row(room: float, side: float, unit: float) -> int:
    return max(1, int((room + GAP * unit) / (side + (2 * PADDING + GAP) * unit)))


def _tile_height(side: float, unit: float) -> float:
    return side + (TITLE + 1.3 * PADDING) * unit + _row_gap(side, unit)


def _row_gap(side: float, unit: float) -> float:
    return max(GAP * unit, 0.06 * side)


def _whole_cells(shape: tuple[int, int], side: float, scale: float) -> tuple[float, float]:
    """Return width and height of a map whose cells are whole device pixels, if that is near enough."""
    most = max(*shape, 1)
    cell = math.floor(side * scale / most + 1e-6)
    near = cell * most / scale >= 0.75 * side
    cell_length = cell / scale if near else side / most
    return cell_length * shape[1], cell_length * shape[0]
