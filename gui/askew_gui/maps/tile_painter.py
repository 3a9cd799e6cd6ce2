"""Paints the tiles of the head grid with any QPainter, for the window and for pictures."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen

from askew_gui.maps import colours
from askew_gui.maps.cells import paint_hatching
from askew_gui.maps.labels import elided
from askew_gui.maps.layout import MapLayout
from askew_gui.maps.rectangles import draw_cells, framed_box
from askew_gui.maps.style import SMALL_PX, colour
from askew_gui.maps.tiles import map_boxes

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from askew.heatmap import Heatmap
    from askew_gui.maps.canvas import Canvas
    from askew_gui.maps.layout import Box
    from askew_gui.maps.style import MapStyle
    from askew_gui.maps.tiles import TileLayout


def paint_tiles(
    painter: QPainter,
    layout: TileLayout,
    titles: Sequence[str],
    tiles: Sequence[int],
    style: MapStyle,
    selected: Collection[int] = (),
) -> None:
    """Paint frames and titles of some tiles; those selected stand out."""
    painter.setRenderHints(QPainter.RenderHint.Antialiasing | QPainter.RenderHint.TextAntialiasing)
    for tile in tiles:
        if tile in selected:
            _paint_frame(painter, layout.tile_box(tile), style)
    for tile, title in zip(tiles, titles, strict=True):
        box, chosen = layout.title_box(tile), tile in selected
        font = style.font(SMALL_PX, bold=chosen)
        painter.setFont(font)
        painter.setPen(colour(style.tokens.accent_text if chosen else style.tokens.muted))
        text = elided(title, font.pixelSize(), int(box.w), bold=chosen)
        painter.drawText(QPointF(box.x, box.bottom - 4 * style.unit), text)


def _paint_frame(painter: QPainter, box: Box, style: MapStyle) -> None:
    painter.setPen(QPen(colour(style.tokens.accent_text), 1.4 * style.unit))
    painter.setBrush(colour(style.tokens.window))
    u = style.unit
    painter.drawRoundedRect(QRectF(*box).adjusted(0.7, 0.7, -0.7, -0.7), 4 * u, 4 * u)


def paint_tile_maps(
    painter: QPainter,
    layout: TileLayout,
    heatmaps: Sequence[Heatmap],
    tiles: Sequence[int],
    style: MapStyle,
    canvas: Canvas | None = None,
) -> bool:
    """Paint the cells of some tiles, all coloured in one go; return whether cells lack a value.

    With the pixels of the image that is painted on it is quicker.
    """
    room = (round(layout.side[1] * layout.scale), round(layout.side[0] * layout.scale))
    painter.setRenderHints(
        QPainter.RenderHint.SmoothPixmapTransform | QPainter.RenderHint.Antialiasing, False
    )
    place, gaps, drawn = 0, False, style.cells != "pixels"
    cells: list[tuple[colours.Pixels, Box]] = []
    for stack in colours.stacks(heatmaps, style.blanks, room):
        count = len(stack.pixels)
        if drawn:
            boxes = [layout.map_box(tile) for tile in tiles[place : place + count]]
            cells += zip(stack.pixels, boxes, strict=True)
        else:
            _paint_stack(painter, stack, tiles[place : place + count], layout, canvas)
        place, gaps = place + count, gaps or stack.gaps
    if drawn:
        draw_cells(painter, cells, style)
    elif not all((side * layout.scale).is_integer() for side in layout.side):
        paint_tile_frames(painter, layout, tiles, style)  # cells reach into pixels of the lines
    if gaps:
        for tile, heatmap in zip(tiles, heatmaps, strict=True):
            if np.isnan(heatmap.values).any():
                paint_hatching(painter, heatmap, _tile_map(layout, tile, heatmap), style)
    return gaps


def paint_tile_frames(painter: QPainter, layout: TileLayout, tiles: Sequence[int], style: MapStyle) -> None:
    """Paint lines around the cells of some tiles, outside of them."""
    boxes, line = map_boxes(layout), style.line(layout.scale)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
    painter.setPen(QPen(colour(style.tokens.border), line))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRects([QRectF(*framed_box(boxes[tile], line, style)) for tile in tiles])


def _paint_stack(
    painter: QPainter, stack: colours.Picture, tiles: Sequence[int], layout: TileLayout, canvas: Canvas | None
) -> None:
    """Paint maps that were coloured together into their boxes."""
    left = _fill_blocks(canvas, stack.pixels, tiles, layout) if canvas is not None else range(len(tiles))
    if not left:
        return
    targets, (count, rows, columns) = _targets(layout), stack.pixels.shape
    image, sources = stack.image, _sources(count, rows, columns)
    for index in left:
        painter.drawImage(targets[tiles[index]], image, sources[index])


def _fill_blocks(
    canvas: Canvas, pixels: colours.Pixels, tiles: Sequence[int], layout: TileLayout
) -> Sequence[int]:
    """Fill the maps whose cells are whole pixels of the canvas; return the places of those that are not."""
    count, rows, columns = pixels.shape
    width, height = (round(side * layout.scale) for side in layout.side)
    if width % columns or height % rows or abs(width - layout.side[0] * layout.scale) > 1e-6:
        return range(count)
    key = layout, rows
    if key not in canvas.kept:
        canvas.kept.clear()  # other layouts will hardly come back
        canvas.kept[key] = _blocks(canvas, layout, rows)
    blocks, wide, left = canvas.kept[key], np.repeat(pixels, width // columns, axis=2), []
    rows_of_tiles = wide[:, :, np.newaxis]
    for index, tile in enumerate(tiles):
        block = blocks[tile]
        if block is None:
            left.append(index)
        else:
            block[...] = rows_of_tiles[index]
    return left


def _blocks(canvas: Canvas, layout: TileLayout, rows: int) -> list[colours.Pixels | None]:
    """Return the pixels of every tile as (rows, height of a cell, width), None where not all can be seen."""
    width, height = (round(side * layout.scale) for side in layout.side)
    top, (end, right), blocks = round(canvas.top * layout.scale), canvas.pixels.shape, []
    for x, y in _corners(layout):
        seen = y >= top and y - top + height <= end and x + width <= right
        part = canvas.pixels[y - top : y - top + height, x : x + width] if seen else None
        blocks.append(None if part is None else part.reshape(rows, -1, width))
    return blocks


@lru_cache(maxsize=8)
def _corners(layout: TileLayout) -> list[tuple[int, int]]:
    """Return where the cells of every tile begin, in device pixels."""
    return [(round(box.x * layout.scale), round(box.y * layout.scale)) for box in map_boxes(layout)]


@lru_cache(maxsize=8)
def _targets(layout: TileLayout) -> list[QRectF]:
    """Return where the cells of every tile are."""
    return [QRectF(*box) for box in map_boxes(layout)]


@lru_cache(maxsize=8)
def _sources(count: int, rows: int, columns: int) -> list[QRectF]:
    """Return where each of several maps is in the image of all."""
    return [QRectF(0, index * rows, columns, rows) for index in range(count)]


def _tile_map(layout: TileLayout, tile: int, heatmap: Heatmap) -> MapLayout:
    """Return a tile as a map without labels."""
    box, rows, columns = layout.map_box(tile), *heatmap.values.shape
    none = type(box)(0, 0, 0, 0)
    return MapLayout(
        box, none, none, none, none, none, (rows, columns), 1, 1, 0, 0, slant=0, scale=layout.scale
    )
