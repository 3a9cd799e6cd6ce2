"""Where everything of a row of maps stands: pure geometry, no painting.

All lengths are logical pixels; `scale` device pixels make one of them, and cells snap to whole device pixels.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

SLANT = 60.0  # degrees by which labels of the columns rise
STEEP = 72.0  # the same over narrow columns, which leaves more room between them
NARROW = 10.0
SMALLEST_LABELLED = 8.0  # below this many pixels a cell labels thin out
LARGEST_CELL = 84.0

MARGIN = 16.0
GAP = 22.0
TITLE = 22.0
LABEL_GAP = 7.0
BAR_GAP = 11.0
BAR = 8.0
LINE = 16.0


class Box(NamedTuple):
    """A rectangle."""

    x: float
    y: float
    w: float
    h: float

    @property
    def right(self) -> float:
        """First x to the right of it."""
        return self.x + self.w

    @property
    def bottom(self) -> float:
        """First y below it."""
        return self.y + self.h

    def holds(self, x: float, y: float) -> bool:
        """Return whether a point lies in it."""
        return self.x <= x < self.right and self.y <= y < self.bottom


@dataclass(frozen=True, slots=True)
class Request:
    """What has to find room: how many maps of which shape, and how long their labels are.

    `row_texts` and `column_texts` are the widths of all labels, unshortened.
    `words` asks for a line under the colour bars, `note` for a line at the bottom, `formulas` for one under
    the titles. `square` cells are as high as wide; others fill the height.
    """

    rows: int
    columns: int
    row_texts: tuple[float, ...]
    column_texts: tuple[float, ...]
    count: int = 3
    words: bool = False
    note: bool = False
    formulas: bool = False
    square: bool = True
    unit: float = 1.0
    scale: float = 1.0


@dataclass(frozen=True, slots=True)
class MapLayout:
    """Where one map stands: `frame` holds the cells, the other boxes what is written around them.

    `rows` is empty (no width) where the labels of another map serve. Every `row_step`th row and
    `column_step`th column has a label. `slant` is the angle of the column labels in degrees, 0 where they lie
    flat.
    """

    frame: Box
    title: Box
    rows: Box
    columns: Box
    bar: Box
    words: Box
    shape: tuple[int, int]
    row_step: int
    column_step: int
    row_px: float
    column_px: float
    slant: float
    scale: float

    @property
    def slanted(self) -> bool:
        """True unless the labels of the columns lie flat."""
        return self.slant > 0

    @property
    def cell(self) -> tuple[float, float]:
        """Width and height of a cell."""
        return self.frame.w / max(1, self.shape[1]), self.frame.h / max(1, self.shape[0])

    def column_edge(self, column: int) -> float:
        """Return where a column begins, on a device pixel."""
        return snapped(self.frame.x + column * self.cell[0], self.scale)

    def row_edge(self, row: int) -> float:
        """Return where a row begins, on a device pixel."""
        return snapped(self.frame.y + row * self.cell[1], self.scale)

    def cell_box(self, row: int, column: int) -> Box:
        """Return the rectangle of one cell."""
        x, y = self.column_edge(column), self.row_edge(row)
        return Box(x, y, self.column_edge(column + 1) - x, self.row_edge(row + 1) - y)

    def row_box(self, row: int) -> Box:
        """Return the rectangle of a row of cells."""
        y = self.row_edge(row)
        return Box(self.frame.x, y, self.frame.w, self.row_edge(row + 1) - y)

    def column_box(self, column: int) -> Box:
        """Return the rectangle of a column of cells."""
        x = self.column_edge(column)
        return Box(x, self.frame.y, self.column_edge(column + 1) - x, self.frame.h)

    def cell_at(self, x: float, y: float) -> tuple[int, int] | None:
        """Return (row, column) of the cell at a point."""
        if not self.frame.holds(x, y):
            return None
        width, height = self.cell
        row, column = int((y - self.frame.y) / height), int((x - self.frame.x) / width)
        return min(row, self.shape[0] - 1), min(column, self.shape[1] - 1)

    def row_label_at(self, x: float, y: float) -> int | None:
        """Return the row whose label stands at a point."""
        if not self.rows.w or not self.rows.holds(x, y) or not self.frame.y <= y < self.frame.bottom:
            return None
        return min(int((y - self.frame.y) / self.cell[1]), self.shape[0] - 1)

    def column_label_at(self, x: float, y: float) -> int | None:
        """Return the column whose label, slanted or not, stands at a point."""
        if not self.columns.y <= y < self.frame.y:
            return None
        foot = x - (self.frame.y - y) / math.tan(math.radians(self.slant)) if self.slanted else x
        if not self.frame.x <= foot < self.frame.right:
            return None
        return min(int((foot - self.frame.x) / self.cell[0]), self.shape[1] - 1)


@dataclass(frozen=True, slots=True)
class StripLayout:
    """Where a row of maps that share their row labels stands in a picture of `width` × `height`."""

    maps: tuple[MapLayout, ...]
    corner: Box
    note: Box
    width: float
    height: float

    def map_at(self, x: float, y: float) -> int | None:
        """Return the map whose cells are at a point."""
        for index, one in enumerate(self.maps):
            if one.frame.holds(x, y):
                return index
        return None


def snapped(value: float, scale: float) -> float:
    """Return `value` moved to the nearest device pixel."""
    return round(value * scale) / scale


def cell_size(room: float, scale: float) -> float:
    """Return the cell's side for the room there is: whole device pixels unless that would waste too much."""
    if room * scale < 3:
        return max(room, 0.0)
    return math.floor(room * scale + 1e-6) / scale


def label_step(cell: float, unit: float) -> int:
    """Return which every how manyth label is written at a cell's size."""
    if cell >= SMALLEST_LABELLED * unit:
        return 1
    return math.ceil(11 * unit / cell) if cell > 0 else 1


def label_px(pitch: float, unit: float, share: float) -> float:
    """Return the size of letters that stand `pitch` pixels apart, of which they take a share."""
    return min(12 * unit, max(8 * unit, pitch * share))


def label_room(texts: tuple[float, ...], most: float, unit: float) -> float:
    """Return how much room labels get: a few very long ones do not take it from the cells."""
    if not texts:
        return 0.0
    usual = sorted(texts)[int(0.8 * (len(texts) - 1))]
    return min(max(texts), most, max(1.3 * usual, 64 * unit))


def strip_layout(request: Request, width: float, height: float | None = None) -> StripLayout:
    """Lay maps side by side; without a height the picture becomes as high as they need."""
    return _Strip(request, width, height).layout()


class _Strip:
    """The measures of a strip, worked out one after the other."""

    def __init__(self, request: Request, width: float, height: float | None) -> None:
        self.ask, self.width, self.height = request, width, height
        u = self.u = request.unit
        self.margin = MARGIN * u
        self.title_h = (TITLE + LINE if request.formulas else TITLE) * u
        limit = label_room(request.row_texts, min(120 * u, 0.16 * width), u)
        self.labels_w = math.ceil(max(52 * u, limit)) + LABEL_GAP * u
        limit = label_room(request.column_texts, max(min(92 * u, 0.2 * (height or 1e9)), 24 * u), u)
        self.texts = [min(text, limit) for text in request.column_texts]
        self.foot = (BAR_GAP + BAR + 5) * u + (LINE * u if request.words else 0)
        self.foot += (LINE + 2) * u if request.note else 0
        self._fit()

    def _fit(self) -> None:
        """Find the size of the cells; labels that hang over the right edge take room from them."""
        self.right = self.margin
        self._stand(SLANT)
        for _ in range(3):
            self._size_cells()
            overhang = self._overhang() + 4 * self.u
            if overhang <= self.right:
                break
            self.right = overhang
        if self.cell_w < NARROW * self.u:
            self._stand(STEEP)
            self._size_cells()
        if self.texts and max(self.texts) + 6 * self.u <= self.cell_w:
            self._stand(0.0)
            self.right = self.margin
            self._size_cells()

    def _stand(self, slant: float) -> None:
        u = self.u
        self.slant = slant
        longest = max(self.texts, default=0)
        rise = longest * math.sin(math.radians(slant)) + 8 * u if slant else LINE * u
        self.band = math.ceil(max(rise, 2 * LINE * u)) + 4 * u
        self.head = 12 * u + self.title_h + self.band

    def _size_cells(self) -> None:
        ask, u = self.ask, self.u
        count = max(1, ask.count)
        room = self.width - self.margin - self.labels_w - self.right - (count - 1) * GAP * u
        self.slot = max(room / count, 1.0)
        wide = self.slot / max(1, ask.columns)
        high = wide
        if self.height is not None:
            high = max((self.height - self.head - self.foot - 10 * u) / max(1, ask.rows), 0.2)
        if ask.square:
            wide = high = min(wide, high)
        cap = LARGEST_CELL * u
        self.cell_w = cell_size(min(wide, cap), ask.scale)
        self.cell_h = self.cell_w if ask.square else cell_size(min(high, cap), ask.scale)
        self.map_w, self.map_h = self.cell_w * ask.columns, self.cell_h * ask.rows

    def _overhang(self) -> float:
        if not self.slant:
            return 0.0
        last = len(self.texts) - 1
        return max(
            (
                text * math.cos(math.radians(self.slant)) + 8 * self.u - (last - column + 0.5) * self.cell_w
                for column, text in enumerate(self.texts)
            ),
            default=0.0,
        )

    def layout(self) -> StripLayout:
        """Return where everything stands."""
        ask, u, scale = self.ask, self.u, self.ask.scale
        count = max(1, ask.count)
        pitch = max(self.map_w, min(self.slot, 210 * u))
        used = self.labels_w + count * pitch + (count - 1) * GAP * u
        spare = max(self.width - self.margin - self.right - used, 0.0)
        gap = GAP * u + (min(spare / (count + 1), 46 * u) if count > 1 else 0)
        spare -= (count - 1) * (gap - GAP * u)
        left = self.margin + spare / 2 + self.labels_w
        total = self.head + self.map_h + self.foot + 10 * u
        height = self.height if self.height is not None else math.ceil(total * scale) / scale
        drop = min(max(height - total, 0) * 0.4, 40 * u)
        top = snapped(drop + self.head, scale)
        maps = tuple(
            self._one(snapped(left + index * (pitch + gap), scale), top, pitch, index == 0)
            for index in range(count)
        )
        first = maps[0]
        corner = Box(
            first.frame.x - self.labels_w,
            top - 2 * LINE * u,
            self.labels_w - LABEL_GAP * u,
            2 * LINE * u - 3 * u,
        )
        note_y = first.bar.bottom + 5 * u + (LINE * u if ask.words else 0)
        note = Box(first.frame.x, note_y, maps[-1].title.right - first.frame.x, LINE * u if ask.note else 0)
        return StripLayout(maps, corner, note, self.width, height)

    def _one(self, x: float, y: float, pitch: float, labelled: bool) -> MapLayout:
        u, ask = self.u, self.ask
        frame = Box(x, y, self.map_w, self.map_h)
        bar_y = snapped(frame.bottom + BAR_GAP * u, ask.scale)
        bar_w = max(self.map_w, min(pitch, 150 * u))
        rows_w = self.labels_w - LABEL_GAP * u if labelled else 0.0
        words_w = max(bar_w, min(pitch, 190 * u))
        row_step, column_step = label_step(self.cell_h, u), label_step(self.cell_w, u)
        across = self.cell_w * (math.sin(math.radians(self.slant)) if self.slant else 1.0)
        return MapLayout(
            frame=frame,
            title=Box(x, y - self.band - self.title_h, pitch, self.title_h),
            rows=Box(x - self.labels_w, y, rows_w, self.map_h),
            columns=Box(x, y - self.band, self.map_w, self.band),
            bar=Box(x, bar_y, bar_w, BAR * u),
            words=Box(x, bar_y + (BAR + 3) * u, words_w, LINE * u if ask.words else 0),
            shape=(ask.rows, ask.columns),
            row_step=row_step,
            column_step=column_step,
            row_px=label_px(row_step * self.cell_h, u, 0.82),
            column_px=label_px(column_step * across, u, 0.95),
            slant=self.slant,
            scale=ask.scale,
        )
