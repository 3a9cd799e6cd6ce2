"""Many small maps as a page of their own: heading, tiles, one colour bar for all."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF

from askew_gui.i18n import tr
from askew_gui.maps.labels import elided
from askew_gui.maps.layout import Box, MapLayout
from askew_gui.maps.painter import LEFT, paint_bar, paint_title
from askew_gui.maps.style import SMALL_PX, colour
from askew_gui.maps.tile_painter import paint_tile_frames, paint_tile_maps, paint_tiles
from askew_gui.maps.tiles import MARGIN, PADDING, TileLayout, page_tiles

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QPainter

    from askew.heatmap import Heatmap
    from askew_gui.maps.style import MapStyle

HEADING = 48.0
FOOTING = 46.0
BAR_WIDTH = 240.0


@dataclass(frozen=True, slots=True)
class GridPage:
    """Where heading, tiles and colour bar of a page stand, and what they say."""

    tiles: TileLayout
    width: float
    height: float
    title: str
    subtitle: str


def grid_page(
    heatmaps: Sequence[Heatmap],
    words: tuple[str, str],
    width: float,
    scale: float,
    per_row: int | None = None,
) -> GridPage:
    """Lay out maps of one shape on a page of a width in units, under a title and a subtitle."""
    tiles = page_tiles(len(heatmaps), heatmaps[0].values.shape, width, scale, per_row)
    return GridPage(tiles, width, HEADING + tiles.height + FOOTING, *words)


def paint_grid_page(painter: QPainter, page: GridPage, heatmaps: Sequence[Heatmap], style: MapStyle) -> None:
    """Paint the page with any painter."""
    painter.fillRect(QRectF(0, 0, page.width, page.height), colour(style.background))
    left, tiles = MARGIN + PADDING, range(page.tiles.count)
    frame = _bar_frame(page, left)
    paint_title(painter, replace(heatmaps[0], title=page.title, subtitle=page.subtitle), frame, style)
    painter.save()
    painter.translate(0, HEADING)
    paint_tiles(painter, page.tiles, [one.title for one in heatmaps], tiles, style)
    paint_tile_maps(painter, page.tiles, heatmaps, tiles, style)
    paint_tile_frames(painter, page.tiles, tiles, style)
    painter.restore()
    paint_bar(painter, heatmaps[0], frame, style)
    _paint_words(painter, page, heatmaps[0], left, style)


def _bar_frame(page: GridPage, left: float) -> MapLayout:
    """Return the heading and the bar of the page in the form of a map without cells."""
    none, bottom = Box(0, 0, 0, 0), HEADING + page.tiles.height
    title = Box(left, 14, page.width - 2 * left, 22)
    bar = Box(left, bottom + 14, BAR_WIDTH, 8)
    scale = page.tiles.scale
    return MapLayout(none, title, none, none, bar, none, (0, 0), 1, 1, 0, 0, slant=0, scale=scale)


def _paint_words(painter: QPainter, page: GridPage, heatmap: Heatmap, left: float, style: MapStyle) -> None:
    """Say how to read the maps, beside the colour bar."""
    text = tr("rows: {}, columns: {}, the first top left").format(heatmap.row_axis, heatmap.column_axis)
    ends = f"{heatmap.low} ← → {heatmap.high}" if heatmap.low or heatmap.high else ""
    text = " · ".join([part for part in (ends, text, heatmap.note) if part])
    font = style.font(SMALL_PX)
    box = QRectF(left + BAR_WIDTH + 24, HEADING + page.tiles.height + 6, 0, 24)
    box.setRight(page.width - left)
    painter.setFont(font)
    painter.setPen(colour(style.tokens.muted))
    painter.drawText(box, LEFT, elided(text, font.pixelSize(), int(box.width())))
