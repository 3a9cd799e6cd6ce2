"""The size of pictures: pixels, millimetres, inches, points; what is refused; what is remembered."""

from __future__ import annotations

import re
import tracemalloc
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from askew.errors import AskewError
from askew.evaluation import evaluate
from askew.examples import example
from askew.initializers import random_heads
from askew.vectors import WordVectors
from askew_gui.export.choices import from_plain, to_plain
from askew_gui.export.pages import height_in_pixels, picture_page
from askew_gui.export.picture_file import format_of, picture_bytes
from askew_gui.export.png import checked_page, picture_image
from askew_gui.export.spec import MOST_PIXELS, PRESETS, VIEWS, WIDEST, PictureSpec, check_size, parsed_width

if TYPE_CHECKING:
    from askew.evaluation import Evaluation
    from askew_gui.export.spec import Preset, Unit, View

pytestmark = pytest.mark.usefixtures("dressed_app")


@pytest.mark.parametrize(
    ("spec", "pixels", "points"),
    [
        (PictureSpec(width=1600), 1600, 1200),
        (PictureSpec(width=1600, dpi=300), 1600, 384),
        (PictureSpec(width=1600, scale=8), 12800, 1200),
        (PictureSpec(width=89, unit="mm"), 1051, 252.283),
        (PictureSpec(width=3.5, unit="in"), 1050, 252),
        (PictureSpec(width=183, unit="mm", dpi=600, scale=2), 8646, 518.740),
    ],
)
def test_sizes_are_plain_arithmetic(spec: PictureSpec, pixels: int, points: float) -> None:
    assert spec.pixels == pixels
    assert spec.points == pytest.approx(points, abs=1e-3)


def test_letters_of_so_many_points_decide_how_many_units_a_page_has() -> None:
    spec = PictureSpec(width=89, unit="mm", font_size=6)
    assert spec.units == pytest.approx(12 * 252.283 / 6, abs=0.01)
    assert PictureSpec().units is None


@given(st.floats(0, 1e6, allow_nan=False).map(lambda x: round(x, 3)), st.sampled_from(["px", "mm", "in"]))
def test_a_width_is_read_as_it_was_written(number: float, unit: str) -> None:
    assert parsed_width(f"{number:.3f}{unit}") == (number, unit)
    assert parsed_width(f"{number:.3f} {unit}") == (number, unit)


@pytest.mark.parametrize("text", ["", "wide", "89cm", "1e3", "12mm3", "²", "--5", "1 2"])
def test_what_is_no_width_is_none(text: str) -> None:
    with pytest.raises(ValueError, match="is no width"):
        parsed_width(text)


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        (PictureSpec(width=9, unit="mm"), "Choose 10 to 5000 mm"),
        (PictureSpec(width=0.2, unit="in"), "Choose 0.4 to 196 in"),
        (PictureSpec(width=200, unit="in"), "cannot be 200 in wide"),
        (PictureSpec(width=63), "Choose 64 to 30000"),
        (PictureSpec(width=4000, scale=8), "a picture cannot be 32000 pixels wide"),
        (PictureSpec(width=30, unit="mm", font_size=12), "Choose 6.8 or less"),
        (PictureSpec(font_size=0), "Choose 3 to 72"),
        (PictureSpec(font_size=float("nan")), "letters cannot be nan points high"),
        (PictureSpec(font_size=-1), "letters cannot be -1 points high"),
    ],
)
def test_a_size_that_makes_no_sense_is_refused_with_what_would_do(spec: PictureSpec, said: str) -> None:
    with pytest.raises(AskewError) as caught:
        check_size(spec, "png")
    assert said in str(caught.value)


@pytest.fixture(scope="module")
def huge() -> Evaluation:
    import numpy as np

    from askew.vectors import WordVectors as Table

    words = tuple(f"w{number}" for number in range(600))
    table = Table.from_arrays(words, np.random.default_rng(1).standard_normal((600, 24)).astype(np.float32))
    experiment = replace(example("glove-random", table), text=" ".join(words))
    return evaluate(replace(experiment, heads=random_heads(12, d_model=24, d_k=2, d_v=2, seed=0)), table)


@pytest.mark.parametrize("view", ["maps", "grid", "raw"])
def test_too_large_a_picture_is_refused_before_memory_is_taken_for_it(huge: Evaluation, view: View) -> None:
    spec = PictureSpec(view, width=30000)
    tracemalloc.start()
    with pytest.raises(AskewError, match="is too large") as caught:
        picture_bytes(huge, spec, "png")
    assert tracemalloc.get_traced_memory()[1] < 100e6
    tracemalloc.stop()
    largest = int(caught.value.remedy.split()[3])
    page = checked_page(huge, replace(spec, width=largest))
    assert largest * height_in_pixels(page, largest) <= MOST_PIXELS
    for wider in (round(factor * largest) for factor in (1.01, 1.05, 1.2, 1.5)):
        height = height_in_pixels(picture_page(huge, spec, wider), wider)
        assert wider * height > MOST_PIXELS or height > WIDEST


def test_a_page_of_pdf_has_its_own_limit(huge: Evaluation) -> None:
    with pytest.raises(AskewError, match="mm high"):
        picture_bytes(huge, PictureSpec("raw", width=5000, unit="mm", aspect=0.5), "pdf")


@pytest.mark.parametrize("preset", PRESETS, ids=lambda preset: preset.key)
def test_presets_give_pictures_of_their_size(vectors: WordVectors, preset: Preset) -> None:
    evaluation = evaluate(example("glove-random", vectors), vectors)
    fields = {name: getattr(preset, name) for name in ("width", "unit", "dpi", "font_size", "aspect")}
    image = picture_image(evaluation, PictureSpec(**fields))
    assert (
        image.width()
        == {"screen": 1600, "single-column": 1051, "double-column": 2161, "slide": 1920}[preset.key]
    )
    assert image.dotsPerMeterX() == round(preset.dpi / 0.0254)
    if preset.key == "slide":
        assert image.height() == 1080


@settings(max_examples=40, deadline=None)
@given(
    width=st.one_of(
        st.tuples(st.integers(64, 900).map(float), st.just("px")),
        st.tuples(st.floats(10, 60), st.just("mm")),
        st.tuples(st.floats(0.5, 2.5), st.just("in")),
    ),
    dpi=st.sampled_from([None, 72, 150, 300]),
    scale=st.integers(1, 3),
    view=st.sampled_from(VIEWS),
    words=st.integers(0, 40),
)
def test_every_file_is_as_wide_as_asked(
    width: tuple[float, Unit], dpi: int | None, scale: int, view: View, words: int
) -> None:
    spec = PictureSpec(view, width=width[0], unit=width[1], dpi=dpi, scale=scale, caption="word " * words)
    assume(spec.pixels >= 64 and spec.millimetres >= 10)
    vectors = WordVectors.from_arrays(["the", "cat"], np.eye(2, 8, dtype=np.float32), name="two")
    evaluation = evaluate(replace(example("glove-random", vectors), text="the cat"), vectors)
    png = picture_bytes(evaluation, spec, "png")
    wide, place = int.from_bytes(png[16:20]), png.index(b"pHYs")
    per_unit = {"px": 1, "mm": spec.resolution / 25.4, "in": spec.resolution}[width[1]]
    assert wide == round(width[0] * per_unit) * scale
    assert int.from_bytes(png[place + 4 : place + 8]) == round(spec.resolution * scale / 0.0254)
    said = re.search(
        rb'width="([\d.]+)mm" height="([\d.]+)mm" viewBox="0 0 ([\d.]+) ([\d.]+)"',
        picture_bytes(evaluation, spec, "svg"),
    )
    assert said is not None
    on_paper, high, across, down = map(float, said.groups())
    assert on_paper == pytest.approx(spec.millimetres, abs=1e-3)
    assert high / on_paper == pytest.approx(down / across, rel=1e-3)


@pytest.mark.parametrize("view", ["raw", "maps"])
@pytest.mark.parametrize("aspect", [0.5, 16 / 9, 4.0])
def test_a_picture_of_given_proportions_has_them(vectors: WordVectors, view: View, aspect: float) -> None:
    evaluation = evaluate(example("glove-random", vectors), vectors)
    image = picture_image(evaluation, PictureSpec(view, width=800, aspect=aspect))
    assert (image.width(), image.height()) == (800, round(800 / aspect))


def test_the_range_is_shared_or_each_maps_own(vectors: WordVectors) -> None:
    from askew_gui.export.views import shown_maps

    evaluation = evaluate(example("glove-random", vectors), vectors)
    raw, head = evaluation.raw.pattern, evaluation.pattern[0]
    limits = {
        wanted: [one.limits[1] for one in shown_maps(evaluation, PictureSpec(range=wanted)).heatmaps[:2]]
        for wanted in ("as-shown", "fixed", "shared", "map")
    }
    assert limits["as-shown"] == limits["fixed"] == [1.0, 1.0]
    assert limits["shared"] == pytest.approx([max(raw.max(), head.max())] * 2)
    assert limits["map"] == pytest.approx([raw.max(), head.max()])
    stretched = evaluate(replace(evaluation.experiment, stretch="row"), vectors)
    assert shown_maps(stretched, PictureSpec()).heatmaps[0].row_stretch
    assert not shown_maps(stretched, PictureSpec(range="fixed")).heatmaps[0].row_stretch


def test_numbers_are_written_as_asked(vectors: WordVectors) -> None:
    evaluation = evaluate(example("glove-random", vectors), vectors)
    small = PictureSpec(width=89, unit="mm", font_size=5)
    counts = {
        wanted: picture_bytes(evaluation, replace(small, numbers=wanted), "svg").count(b">0.")
        for wanted in ("auto", "on", "off")
    }
    assert counts["off"] == counts["auto"] < counts["on"]


def test_a_choice_is_remembered_and_nonsense_is_forgotten() -> None:
    spec = PictureSpec("grid", width=89, unit="mm", dpi=600, font_size=6.5, colours="grey", carry=False)
    assert from_plain(to_plain(spec, "svg")) == (spec, "svg")
    nonsense: dict[str, Any] = {"view": "sideways", "width": "wide", "unit": ["px"], "scale": 99, "dpi": True}
    assert from_plain({**nonsense, "carry": 1, "format": "exe", "font_size": 1e9}) == (PictureSpec(), "png")
    assert from_plain({"width": 30.0, "unit": "mm", "font_size": 70.0}) == (PictureSpec(), "png")


def test_the_format_is_the_ending_of_the_name() -> None:
    assert [format_of(f"a.b.{ending}") for ending in ("PNG", "svg", "Pdf")] == ["png", "svg", "pdf"]
    with pytest.raises(AskewError, match="jpg"):
        format_of("a.jpg")
