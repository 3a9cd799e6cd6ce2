"""Pictures from the command line: exactly as asked, without a display."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner
from PySide6.QtGui import QImage

from askew_gui.cli import main
from askew_gui.export.spec import VIEWS, WIDTH

if TYPE_CHECKING:
    from pathlib import Path

    from click.testing import Result
    from PySide6.QtWidgets import QApplication

pytestmark = pytest.mark.usefixtures("qapp")


def render(target: Path, *arguments: str) -> Result:
    return CliRunner().invoke(main, ["render", *arguments, "-o", str(target)], prog_name="askew")


def rendered(target: Path, *arguments: str) -> QImage:
    result = render(target, *arguments)
    assert result.exit_code == 0, result.output
    assert result.output == ""
    image = QImage(str(target))
    assert not image.isNull()
    return image


def colours(image: QImage) -> set[int]:
    return {image.pixel(x, y) for x in range(0, image.width(), 3) for y in range(0, image.height(), 3)}


@pytest.mark.parametrize("width", ["320", "1000", "1601"])
@pytest.mark.parametrize("view", ["maps", "grid"])
def test_a_picture_is_exactly_as_wide_as_asked(tmp_path: Path, view: str, width: str) -> None:
    assert rendered(tmp_path / "out.png", "--view", view, "--width", width).width() == int(width)


def test_every_view_is_a_picture_of_its_own(tmp_path: Path) -> None:
    images = [
        rendered(tmp_path / f"{view}.png", "--example", "glove-random", "--view", view, "--width", "400")
        for view in VIEWS
    ]
    for i, image in enumerate(images):
        assert len(colours(image)) > 20
        assert all(image != other for other in images[:i])


def test_a_picture_is_painted_on_white_unless_asked_otherwise(tmp_path: Path) -> None:
    light = rendered(tmp_path / "light.png")
    assert light.pixelColor(0, 0).name() == "#ffffff"
    assert light.width() == WIDTH
    dark = rendered(tmp_path / "dark.png", "--theme", "dark")
    assert dark.pixelColor(0, 0).lightnessF() < 0.25
    assert dark.size() == light.size()


def test_the_head_is_chosen_by_its_number_from_zero(tmp_path: Path) -> None:
    first = rendered(tmp_path / "a.png", "--view", "pattern", "--width", "400")
    assert rendered(tmp_path / "b.png", "--view", "pattern", "--head", "0", "--width", "400") == first
    assert rendered(tmp_path / "c.png", "--view", "pattern", "--head", "4", "--width", "400") != first


@pytest.mark.parametrize("view", [view for view in VIEWS if view != "raw"])
def test_all_heads_are_another_picture_than_one(tmp_path: Path, view: str) -> None:
    arguments = ("--view", view, "--width", "640", "--heads", "2", "--d-k", "10", "--d-v", "10")
    one = rendered(tmp_path / "one.png", *arguments)
    every = rendered(tmp_path / "all.png", *arguments, "--all-heads")
    assert every.width() == 640
    assert (every == one) == (view == "grid"), "the grid shows all heads as it is"


def test_the_same_flags_give_the_same_bytes(tmp_path: Path) -> None:
    rendered(tmp_path / "a.png", "--width", "400")
    rendered(tmp_path / "b.png", "--width", "400")
    assert (tmp_path / "a.png").read_bytes() == (tmp_path / "b.png").read_bytes()


@pytest.mark.parametrize(
    ("flags", "code", "said"),
    [
        (("--width", "0"), 1, "a picture cannot be 0 pixels wide"),
        (("--width", "-5"), 1, "a picture cannot be -5 pixels wide"),
        (("--width", "100000000"), 1, "a picture cannot be 100000000 pixels wide"),
        (("--width", "0", "--all-heads"), 1, "a picture cannot be 0 pixels wide"),
        (("--head", "5"), 1, "there is no head 5. Heads are 0 to 4"),
        (("--head", "-1"), 1, "there is no head -1"),
        (("--width", "wide"), 2, "--width"),
        (("--view", "sideways"), 2, "--view"),
        (("--theme", "pink"), 2, "--theme"),
        (("--head", "1", "--all-heads"), 2, "--all-heads"),
        (("--view", "raw", "--all-heads"), 2, "--all-heads"),
    ],
)
def test_what_cannot_be_painted_is_said_and_the_old_file_stays(
    tmp_path: Path, flags: tuple[str, ...], code: int, said: str
) -> None:
    target = tmp_path / "out.png"
    target.write_bytes(b"old")
    result = render(target, *flags)
    assert result.exit_code == code
    assert isinstance(result.exception, SystemExit)
    assert said in result.stderr
    assert target.read_bytes() == b"old"


def test_other_formats_are_refused(tmp_path: Path) -> None:
    for name in ("out.jpg", "out", "-"):
        result = render(tmp_path / name)
        assert result.exit_code == 2
        assert "does not end in .png or .svg or .pdf" in result.stderr


def test_a_place_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    result = render(tmp_path / "nowhere" / "out.png", "--width", "200")
    assert result.exit_code == 1
    assert result.stderr.startswith(f"askew: error: cannot write {tmp_path / 'nowhere' / 'out.png'}: ")


def test_no_display_is_needed_whatever_the_environment_says(tmp_path: Path, qapp: QApplication) -> None:
    target, here = tmp_path / "out.png", tmp_path / "here.png"
    environment = {name: value for name, value in os.environ.items() if "DISPLAY" not in name}
    environment |= {"QT_QPA_PLATFORM": "xcb", "QT_SCALE_FACTOR": "2"}
    arguments = [sys.executable, "-m", "askew_gui", "render", "--width", "500", "-o", str(target)]
    done = subprocess.run(arguments, capture_output=True, env=environment, timeout=60, check=True)
    assert done.stdout == done.stderr == b""
    assert QImage(str(target)) == rendered(here, "--width", "500")


@pytest.mark.parametrize(
    ("flags", "dots", "width"),
    [
        (("--width", "89mm"), 11811, 1051),
        (("--width", "3.5in", "--dpi", "150"), 5906, 525),
        (("--width", "500", "--scale", "3"), 11339, 1500),
        (("--width", "500px", "--dpi", "200"), 7874, 500),
    ],
)
def test_a_width_on_paper_is_pixels_at_the_resolution(
    tmp_path: Path, flags: tuple[str, ...], dots: int, width: int
) -> None:
    image = rendered(tmp_path / "out.png", *flags)
    assert image.width() == width
    assert image.dotsPerMeterX() == image.dotsPerMeterY() == dots


@pytest.mark.parametrize("ending", ["svg", "pdf"])
def test_drawings_are_written_by_the_ending_of_the_name(tmp_path: Path, ending: str) -> None:
    target = tmp_path / f"out.{ending}"
    assert render(target, "--width", "89mm", "--font-size", "6", "--title", "A <title>").exit_code == 0
    assert target.read_bytes().startswith({"svg": b"<?xml", "pdf": b"%PDF"}[ending])


def test_what_does_not_go_together_is_a_usage_error(tmp_path: Path) -> None:
    assert render(tmp_path / "out.svg", "--scale", "2").exit_code == 2
    assert render(tmp_path / "out.png", "--scale", "9").exit_code == 2
    result = render(tmp_path / "out.png", "--width", "12mm", "--font-size", "20")
    assert result.exit_code == 1
    assert "leave no room" in result.stderr


@pytest.mark.parametrize("ending", ["png", "svg"])
def test_the_experiment_is_in_the_picture_unless_asked_otherwise(tmp_path: Path, ending: str) -> None:
    from askew.carried import NOTE, extract

    target = tmp_path / f"out.{ending}"
    assert render(target, "--width", "400").exit_code == 0
    assert extract(target.read_bytes(), target.name) is not None
    assert NOTE.encode() in target.read_bytes()
    assert render(target, "--width", "400", "--no-session").exit_code == 0
    assert extract(target.read_bytes(), target.name) is None
