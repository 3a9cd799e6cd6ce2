"""SVG and PDF as other programs show them: cells, colours, letters."""

from __future__ import annotations

import os
import subprocess
import sys
import unicodedata
from dataclasses import replace
from typing import TYPE_CHECKING
from xml.etree import ElementTree

import numpy as np
import pytest
from PySide6.QtGui import QColor
from tests.gui.viewers import (
    NEEDS_BROWSER,
    NEEDS_POPPLER,
    fonts_of,
    seen_as_page,
    seen_in_browser,
    words_of,
)

import askew_assets
from askew.evaluation import evaluate
from askew.examples import example
from askew.heatmap import Heatmap
from askew_gui.export.pages import FINEST, strip_page
from askew_gui.export.pdf import pdf_of
from askew_gui.export.picture_file import picture_bytes
from askew_gui.export.spec import VIEWS, PictureSpec
from askew_gui.export.svg import svg_bytes, svg_of
from askew_gui.maps.painter import lay_out
from askew_gui.maps.style import page_style

if TYPE_CHECKING:
    from pathlib import Path

    from PySide6.QtGui import QImage

    from askew.evaluation import Evaluation
    from askew.vectors import WordVectors
    from askew_gui.export.pages import Page
    from askew_gui.export.spec import Format, View

pytestmark = pytest.mark.usefixtures("dressed_app")

STYLE = replace(page_style(), cells="rectangles", numbers="off")
WIDE = 120.0  # millimetres
WORDS = ("<b>", "AT&T", "&amp;", "猫", "שנה", "مرحبا", "naïve", "office", "\U0010ffff", "</s>")


@pytest.fixture
def evaluation(vectors: WordVectors) -> Evaluation:
    return evaluate(example("glove-random", vectors), vectors)


def one_map(values: list[list[float]], colours: str = "sequential", **more: object) -> Heatmap:
    array = np.array(values, dtype=np.float32)
    labels = tuple(f"t{place}" for place in range(max(array.shape)))
    limits = (0.0, 1.0) if colours == "sequential" else (-0.6, 0.6)
    rows, columns = labels[: array.shape[0]], labels[: array.shape[1]]
    return Heatmap(array, rows, columns, limits, colours, **more)  # type: ignore[arg-type]


def page_of(heatmap: Heatmap) -> Page:
    return strip_page((heatmap,), None, STYLE)


def cells_of(heatmap: Heatmap, page: Page, image: QImage) -> list[list[str]]:
    """Return the colour in the middle of each cell of a picture of a page."""
    frame, factor = lay_out((heatmap,), page.width, scale=FINEST).maps[0], image.width() / page.width
    rows, columns = heatmap.values.shape
    return [
        [
            image.pixelColor(
                round(factor * (frame.frame.x + (column + 0.5) * frame.cell[0])),
                round(factor * (frame.frame.y + (row + 0.5) * frame.cell[1])),
            ).name()
            for column in range(columns)
        ]
        for row in range(rows)
    ]


def colours_of(heatmap: Heatmap) -> list[list[str]]:
    """Return what the colour table says of each value."""
    table, (low, high) = askew_assets.colour_table(heatmap.palette), heatmap.limits
    places = np.rint((heatmap.values - low) / (high - low) * 255).astype(int)
    return [[QColor(*table[place].tolist()).name() for place in row] for row in places]


def in_browser(page: Page, folder: Path, zoom: float = 1.0, crisp: bool = True) -> QImage:
    file = folder / "map.svg"
    content = svg_of(page, WIDE)
    file.write_bytes(content if crisp else content.replace(b"crispEdges", b"auto"))
    wide = WIDE / 25.4 * 96
    image = seen_in_browser(file, (round(wide), round(wide * page.height / page.width)), zoom)
    assert not image.isNull()
    return image


def as_page(page: Page, folder: Path, dots: int = 144, program: str = "pdftoppm") -> QImage:
    file = folder / "map.pdf"
    file.write_bytes(pdf_of(page, WIDE / 25.4 * 72))
    return seen_as_page(file, dots, program)


MAPS = {
    "bright cell top right": one_map([[0.1, 0.9], [0.1, 0.1]]),
    "more above than below zero": one_map([[-0.1, 0.6], [0.0, 0.3]], "diverging"),
    "another table": one_map([[0.0, 1.0, 0.5], [0.25, 0.75, 0.33]], table="viridian"),
}


@NEEDS_BROWSER
@pytest.mark.parametrize("name", MAPS)
def test_cells_in_a_browser_have_the_colours_of_the_table(name: str, tmp_path: Path) -> None:
    page = page_of(MAPS[name])
    assert cells_of(MAPS[name], page, in_browser(page, tmp_path)) == colours_of(MAPS[name])


@NEEDS_POPPLER
@pytest.mark.parametrize("name", MAPS)
def test_cells_of_a_page_have_the_colours_of_the_table(name: str, tmp_path: Path) -> None:
    page = page_of(MAPS[name])
    assert cells_of(MAPS[name], page, as_page(page, tmp_path)) == colours_of(MAPS[name])


STRIPES = one_map([[0.90, 0.92] * 8] * 8)  # dark, so that what shines through is seen


def lightest_inside(image: QImage, page: Page) -> int:
    """Return the lightest grey between the outermost cells of the stripes."""
    frame, factor = lay_out((STRIPES,), page.width, scale=FINEST).maps[0], image.width() / page.width
    left, top, right, bottom = (
        round(factor * edge) for edge in (frame.frame.x, frame.frame.y, frame.frame.right, frame.frame.bottom)
    )
    return max(
        image.pixelColor(x, y).lightness()
        for x in range(left + 3, right - 3)
        for y in range(top + 3, bottom - 3)
    )


@NEEDS_BROWSER
@pytest.mark.parametrize("crisp", [True, False], ids=["crisp edges", "edges smoothed"])
def test_there_are_no_lines_between_cells_in_a_browser(crisp: bool, tmp_path: Path) -> None:
    """Nor would there be in a viewer that knows no crisp edges."""
    page = page_of(STRIPES)
    palest = QColor(colours_of(STRIPES)[0][0]).lightness()
    assert lightest_inside(in_browser(page, tmp_path, 1.37, crisp), page) <= palest + 1


@NEEDS_POPPLER
@pytest.mark.parametrize("dots", [72, 97, 150])
@pytest.mark.parametrize("program", ["pdftoppm", "pdftocairo"])
def test_there_are_no_lines_between_cells_of_a_page(program: str, dots: int, tmp_path: Path) -> None:
    page = page_of(STRIPES)
    palest = QColor(colours_of(STRIPES)[0][0]).lightness()
    assert lightest_inside(as_page(page, tmp_path, dots, program), page) <= palest + 1


def parsed(content: bytes) -> ElementTree.Element:
    return ElementTree.fromstring(content.decode())


def texts(content: bytes) -> list[str]:
    return ["".join(one.itertext()) for one in parsed(content).iter("{http://www.w3.org/2000/svg}text")]


def test_an_svg_says_its_size_and_has_nothing_that_viewers_get_wrong() -> None:
    content = svg_of(page_of(MAPS["bright cell top right"]), WIDE)
    root = parsed(content)
    assert root.get("width") == "120mm"
    left, top, wide, high = map(float, (root.get("viewBox") or "").split())
    assert (left, top) == (0, 0)
    assert float((root.get("height") or "").removesuffix("mm")) == pytest.approx(120 * high / wide, abs=1e-2)
    assert b"rgba(" not in content
    assert "Noto Sans" in (root.get("font-family") or "")
    assert (root.get("font-family") or "").endswith("sans-serif")
    colours = colours_of(MAPS["bright cell top right"])
    rects = [one.get("fill") for one in root.iter("{http://www.w3.org/2000/svg}rect")]
    # Two cells in the first row; the two of the second are one run of the same colour.
    assert [fill for fill in rects if fill in {colours[0][0], colours[0][1]}] == [*colours[0], colours[0][0]]


@pytest.fixture
def strange(vectors: WordVectors) -> Evaluation:
    from askew.vectors import WordVectors as Table

    numbers = np.random.default_rng(5).standard_normal((len(WORDS), 20)).astype(np.float32)
    table = Table.from_arrays(WORDS, numbers, name="strange")
    return evaluate(replace(example("glove-random", table), text=" ".join(WORDS)), table)


def test_tokens_are_text_character_for_character_in_an_svg(strange: Evaluation) -> None:
    said = texts(svg_bytes(strange, PictureSpec(title="a <title> & more")))
    for word in WORDS:
        shown = "U+10FFFF" if word == "\U0010ffff" else word
        assert said.count(shown) == 4, "labels of the rows once, of the columns over each map"


def test_letters_that_a_viewer_may_lack_are_drawn_under_their_text(strange: Evaluation) -> None:
    root = parsed(svg_bytes(strange, PictureSpec("raw")))
    hidden = [one.text for one in root.iter("{http://www.w3.org/2000/svg}text") if one.get("fill-opacity")]
    assert set(hidden) == {"猫"}


@pytest.mark.parametrize("title", ["\x00 \x1b[0m", "\udcff\ufffe", "]]> &amp; <svg>", "x" * 5000, "\n\t"])
def test_no_title_breaks_a_file(evaluation: Evaluation, title: str) -> None:
    spec = PictureSpec("raw", title=title, caption=title)
    assert parsed(svg_bytes(evaluation, spec)).tag.endswith("svg")
    assert picture_bytes(evaluation, spec, "pdf").startswith(b"%PDF")
    assert picture_bytes(evaluation, spec, "png").startswith(b"\x89PNG")


@NEEDS_POPPLER
@pytest.mark.parametrize("view", ["maps", "raw"])
def test_tokens_can_be_copied_out_of_a_pdf(strange: Evaluation, view: View, tmp_path: Path) -> None:
    file = tmp_path / "strange.pdf"
    file.write_bytes(picture_bytes(strange, PictureSpec(view, title="Über naïve"), "pdf"))
    said = unicodedata.normalize("NFKC", words_of(file))
    said = "".join([letter for letter in said if unicodedata.category(letter) != "Cf"])
    for word in WORDS:
        assert ("U+10FFFF" if word == "\U0010ffff" else word) in said.split()
    assert "Über naïve" in said


@NEEDS_POPPLER
def test_fonts_of_a_pdf_are_embedded_and_none_is_type_3(strange: Evaluation, tmp_path: Path) -> None:
    file = tmp_path / "strange.pdf"
    for view in ("maps", "grid"):
        file.write_bytes(picture_bytes(strange, PictureSpec(view, title="bold"), "pdf"))
        fonts = fonts_of(file)
        assert {"NotoSans-Regular", "NotoSans-Bold"} <= {
            line[0].partition("+")[2] or line[0] for line in fonts
        }
        for line in fonts:
            assert line[1:3] == ["CID", "TrueType"]
            assert line[4] == "yes", "embedded"


@NEEDS_POPPLER
def test_a_page_is_as_large_as_asked_to_a_hundredth_of_a_point(
    evaluation: Evaluation, tmp_path: Path
) -> None:
    content = picture_bytes(evaluation, PictureSpec(width=89, unit="mm"), "pdf")
    box = content[content.index(b"/MediaBox [") + 11 :].split(b"]")[0].split()
    left, bottom, right, top = map(float, box)
    assert right - left == pytest.approx(89 / 25.4 * 72, abs=0.01)
    file = tmp_path / "page.pdf"
    file.write_bytes(content)
    image = seen_as_page(file, 300)
    assert abs(image.width() - 1051) <= 1
    assert abs(image.height() - (top - bottom) / 72 * 300) <= 1
    edges = {image.pixelColor(x, y).name() for x in (0, image.width() - 1) for y in (0, image.height() - 1)}
    assert edges == {"#ffffff"}


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("every", [False, True])
def test_every_view_is_written_in_every_format(evaluation: Evaluation, view: View, every: bool) -> None:
    spec = PictureSpec(view, all_heads=every, width=183, unit="mm", font_size=7, caption="said below")
    root = parsed(picture_bytes(evaluation, spec, "svg"))
    assert root.get("width") == "183mm"
    assert b"said below" in picture_bytes(evaluation, spec, "svg")
    assert picture_bytes(evaluation, spec, "pdf").startswith(b"%PDF")


def test_many_cells_are_one_image_in_a_drawing(vectors: WordVectors) -> None:
    text = " ".join(["the animal did not cross the street because it was too tired"] * 10)
    many = evaluate(replace(example("glove-random", vectors), text=text), vectors)
    content = svg_bytes(many, PictureSpec("maps"))
    assert content.count(b"<image ") == 3
    assert b"image-rendering:pixelated" in content
    assert len(texts(content)) > 100
    assert len(content) < 1_000_000


_TWICE = """
import sys
from pathlib import Path
import numpy as np
from askew_gui.rendering import gui_without_screen
app = gui_without_screen()
from askew.evaluation import evaluate
from askew.examples import example
from askew.vectors import WordVectors
from askew_gui.export.picture_file import picture_bytes
from askew_gui.export.spec import FORMATS, PictureSpec
words = tuple("the animal did not cross street because it was too tired".split())
numbers = np.random.default_rng(5).standard_normal((len(words), 20)).astype(np.float32)
table = WordVectors.from_arrays(words, numbers, name="small")
spec = PictureSpec(width=120, unit="mm", title="猫 and bold", caption="below")
shown = evaluate(example("glove-random", table), table)
for name in FORMATS:
    Path(sys.argv[1], "picture." + name).write_bytes(picture_bytes(shown, spec, name))
"""


def test_two_processes_write_the_same_bytes(tmp_path: Path) -> None:
    folders = [tmp_path / "one", tmp_path / "two"]
    for seed, folder in enumerate(folders):
        folder.mkdir()
        environment = {**os.environ, "PYTHONHASHSEED": str(seed), "QT_QPA_PLATFORM": "offscreen"}
        command = [sys.executable, "-c", _TWICE, str(folder)]
        subprocess.run(command, env=environment, check=True, timeout=120)
    formats: tuple[Format, ...] = ("png", "svg", "pdf")
    for name in formats:
        first, second = ((folder / f"picture.{name}").read_bytes() for folder in folders)
        assert first == second, name
    assert b"CreationDate" not in (folders[0] / "picture.pdf").read_bytes()
