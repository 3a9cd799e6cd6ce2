"""Pictures as files and on the clipboard: size, content, failure."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest
from PySide6.QtGui import QColor, QGuiApplication, QImage

from askew.errors import AskewError
from askew.evaluation import evaluate
from askew.examples import example
from askew.heatmap import Heatmap
from askew_gui.export import clipboard
from askew_gui.export.picture_file import save_picture
from askew_gui.export.png import picture_image, png_bytes, render_heatmaps
from askew_gui.export.spec import VIEWS, PictureSpec
from askew_gui.theme import DARK, apply_theme

if TYPE_CHECKING:
    from pathlib import Path

    from PySide6.QtWidgets import QApplication

    from askew.evaluation import Evaluation
    from askew.vectors import WordVectors
    from askew_gui.export.spec import View


SMALL = PictureSpec(width=300)


@pytest.fixture
def evaluation(vectors: WordVectors, dressed_app: QApplication) -> Evaluation:
    return evaluate(example("glove-random", vectors), vectors)


def small_map(values: list[list[float]], **more: object) -> Heatmap:
    array = np.array(values, dtype=np.float32)
    labels = tuple(f"t{row}" for row in range(len(values)))
    return Heatmap(array, labels, labels, (0.0, 1.0), **more)  # type: ignore[arg-type]


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("width", [333, 1000])
def test_a_picture_is_exactly_as_wide_as_asked(evaluation: Evaluation, view: View, width: int) -> None:
    image = picture_image(evaluation, PictureSpec(view, width=width))
    assert image.width() == width
    assert image.devicePixelRatio() == 1
    assert 40 < image.height() < 3 * width


@pytest.mark.parametrize("view", ["maps", "grid"])
def test_twice_the_width_is_the_same_picture_twice_as_large(evaluation: Evaluation, view: View) -> None:
    small, large = (picture_image(evaluation, PictureSpec(view, width=width)) for width in (1000, 2000))
    assert abs(large.height() - 2 * small.height()) <= 24
    shrunk = large.scaled(small.size())
    difference = np.abs(pixels(shrunk).astype(int) - pixels(small)).mean()
    assert difference < 12


def pixels(image: QImage) -> np.ndarray:
    copy = image.convertToFormat(QImage.Format.Format_RGB888)
    rows = np.frombuffer(copy.constBits(), np.uint8).reshape(copy.height(), copy.bytesPerLine())
    return rows[:, : 3 * copy.width()].copy()


def test_a_picture_does_not_depend_on_the_screen(
    evaluation: Evaluation, dressed_app: QApplication, tmp_path: Path
) -> None:
    """The picture is made by a process on a screen of each scale, and is the same byte for byte."""
    import subprocess
    import sys

    script = tmp_path / "picture.py"
    script.write_text(SCRIPT, encoding="utf-8")
    files = []
    for scale in ("1", "1.5", "2"):
        file = tmp_path / f"at_{scale}.png"
        environment = dict(os.environ, QT_SCALE_FACTOR=scale)
        subprocess.run([sys.executable, str(script), str(file)], env=environment, check=True, timeout=60)
        files.append(file.read_bytes())
    assert files[0] == files[1] == files[2]
    assert QImage.fromData(files[0]).width() == 1000


SCRIPT = """
import sys
import numpy as np
from PySide6.QtGui import QGuiApplication
from askew.heatmap import Heatmap
from askew_gui.export.png import png_bytes, render_heatmaps
app = QGuiApplication([])
values = np.array([[0.1, 0.9], [0.1, 0.1]], dtype=np.float32)
one = Heatmap(values, ("one", "two"), ("one", "two"), (0, 1), title="Head 0", subtitle="Q·Kᵀ/√2")
open(sys.argv[1], "wb").write(png_bytes(render_heatmaps((one, one, one), 1000)))
"""


def test_the_bright_cell_of_an_asymmetric_map_is_top_right_in_the_file(
    dressed_app: QApplication,
) -> None:
    content = png_bytes(render_heatmaps((small_map([[0.1, 0.9], [0.1, 0.1]]),), 600))
    numbers = pixels(QImage.fromData(content)).reshape(-1, 600, 3).astype(int)
    dark = np.argwhere((numbers[:, :, 2] > 90) & (numbers[:, :, 0] < 60) & (numbers[:, :, 1] < 90))
    pale = np.argwhere((abs(numbers - (230, 237, 250)).sum(axis=2)) < 30)
    dark_y, dark_x = np.median(dark, axis=0)
    left, right = pale[:, 1].min(), pale[:, 1].max()
    assert dark_x > (left + right) / 2 - 5
    assert dark_y < np.median(pale[:, 0])


def test_pictures_are_on_white_also_when_the_window_is_dark(
    evaluation: Evaluation, dressed_app: QApplication
) -> None:
    light = picture_image(evaluation, PictureSpec(width=900))
    apply_theme(dressed_app, "dark")
    assert picture_image(evaluation, PictureSpec(width=900)) == light
    assert light.pixelColor(0, 0) == QColor("#ffffff")
    grid, dark = PictureSpec("grid", width=900), PictureSpec(width=900, theme="dark")
    assert picture_image(evaluation, grid).pixelColor(0, 0) == QColor("#ffffff")
    assert picture_image(evaluation, dark).pixelColor(0, 0) == QColor(DARK.window)


@pytest.mark.parametrize("width", [-1, 0, 63, 10**6])
def test_a_width_that_makes_no_sense_is_refused(evaluation: Evaluation, width: int) -> None:
    with pytest.raises(AskewError, match="cannot be"):
        picture_image(evaluation, PictureSpec(width=width))


@pytest.mark.parametrize("view", VIEWS[:-1])
def test_without_tokens_there_is_no_picture(vectors: WordVectors, view: View) -> None:
    empty = evaluate(replace(example("glove-random", vectors), text=""), vectors)
    with pytest.raises(AskewError, match="no token"):
        picture_image(empty, PictureSpec(view, width=600))


def test_views_show_what_they_are_called(evaluation: Evaluation) -> None:
    images = [picture_image(evaluation, PictureSpec(view, width=500)) for view in VIEWS]
    for index, image in enumerate(images):
        for other in images[index + 1 :]:
            assert image != other
    scores = evaluate(replace(evaluation.experiment, quantity="scores"), evaluation.vectors)
    assert picture_image(scores, PictureSpec("pattern", width=500)) == images[VIEWS.index("pattern")]


@pytest.mark.skipif(os.name == "nt", reason="permissions of folders work otherwise on Windows")
@pytest.mark.skipif(os.name != "nt" and os.geteuid() == 0, reason="root may write everywhere")
def test_a_read_only_folder_is_an_error_that_leaves_the_old_file_whole(
    evaluation: Evaluation, tmp_path: Path
) -> None:
    target = tmp_path / "map.png"
    target.write_bytes(b"old")
    tmp_path.chmod(0o500)
    try:
        with pytest.raises(AskewError, match="cannot write"):
            save_picture(evaluation, SMALL, target)
    finally:
        tmp_path.chmod(0o700)
    assert target.read_bytes() == b"old"
    assert os.listdir(tmp_path) == ["map.png"]


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EACCES])
def test_a_failure_while_writing_leaves_the_old_file_and_nothing_else(
    evaluation: Evaluation, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: int
) -> None:
    folder = tmp_path / "pictures"
    folder.mkdir()
    target = folder / "map.png"
    target.write_bytes(b"old")

    def fail(_descriptor: int) -> None:
        raise OSError(code, os.strerror(code))

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(AskewError, match="cannot write") as caught:
        save_picture(evaluation, SMALL, target)
    assert str(target) in str(caught.value)
    assert caught.value.remedy
    assert target.read_bytes() == b"old"
    assert os.listdir(folder) == ["map.png"]


def test_a_folder_that_is_not_there_is_an_error(evaluation: Evaluation, tmp_path: Path) -> None:
    with pytest.raises(AskewError, match="cannot write"):
        save_picture(evaluation, SMALL, tmp_path / "nowhere" / "map.png")


def test_a_saved_picture_is_read_back_pixel_for_pixel(evaluation: Evaluation, tmp_path: Path) -> None:
    spec = PictureSpec("grid", width=700)
    image = picture_image(evaluation, spec)
    save_picture(evaluation, spec, tmp_path / "naïve 猫.png")
    assert pixels(QImage(str(tmp_path / "naïve 猫.png"))).tolist() == pixels(image).tolist()


def test_the_maps_are_copied_as_a_picture_and_as_a_table(evaluation: Evaluation) -> None:
    clipboard.copy_maps(evaluation)
    content = QGuiApplication.clipboard().mimeData()
    assert content.hasImage()
    assert b">animal</text>" in content.data("image/svg+xml").data()
    lines = content.text().split("\n")
    assert lines[0] == "Raw"
    assert lines[1].split("\t")[:3] == ["", "the", "animal"]
    assert lines[2].split("\t")[0] == "the"
    assert np.float32(lines[2].split("\t")[1]) == evaluation.raw.pattern[0, 0]


_COPY_AND_LEAVE = """
import numpy
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication
from askew.heatmap import Heatmap
from askew_gui.export import clipboard
app = QApplication([])
one = Heatmap(numpy.eye(1, dtype=numpy.float32), ("a",), ("a",), (0.0, 1.0))
clipboard.copy_heatmap(one, QImage(2, 2, QImage.Format.Format_RGB32))
assert app.clipboard().mimeData().hasImage()
"""


def test_a_program_that_has_copied_something_ends_well() -> None:
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
    done = subprocess.run([sys.executable, "-c", _COPY_AND_LEAVE], env=environment, timeout=60, check=False)
    assert done.returncode == 0


def test_a_copied_table_gives_every_float32_back() -> None:
    numbers = np.array([0.1, 1047552.3, 1 / 3, 1e-30, -0.0], dtype=np.float32)
    labels = tuple("abcde")
    one = Heatmap(numbers[None], ("row",), labels, (0.0, 1.0))
    cells = clipboard.table_text(one).splitlines()[1].split("\t")[1:]
    assert (np.array([np.float32(cell) for cell in cells]) == numbers).all()


def test_no_value_is_an_empty_cell_and_labels_stay_in_theirs() -> None:
    one = Heatmap(np.array([[np.nan, 1.0]], dtype=np.float32), ("a\tb\nc",), ("<b>", "AT&T"), (0.0, 1.0))
    assert clipboard.table_text(one) == "\t<b>\tAT&T\na b c\t\t1.0\n"


def test_one_map_is_copied_as_picture_and_table(dressed_app: QApplication) -> None:
    one = small_map([[0.25]])
    clipboard.copy_heatmap(one, render_heatmaps((one,), 300))
    content = QGuiApplication.clipboard().mimeData()
    assert content.hasImage()
    assert content.text() == "\tt0\nt0\t0.25\n"
    clipboard.copy_table(one)
    assert QGuiApplication.clipboard().text() == "\tt0\nt0\t0.25\n"
    clipboard.copy_picture(render_heatmaps((one,), 300))
    assert QGuiApplication.clipboard().image().width() == 300
