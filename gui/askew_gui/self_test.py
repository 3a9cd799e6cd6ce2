"""A test of an installation: window, vectors, numbers and picture, each held against what must come out."""

from __future__ import annotations

import os
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from askew.errors import AskewError
from askew.examples import default_experiment, example
from askew.experiment import Experiment, evaluate
from askew.heads import Head
from askew.vectors import WordVectors, open_vectors
from askew_gui.paths import HOME_VARIABLE
from askew_gui.preflight import paint_without_screen

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy.typing as npt

    from askew.experiment import Evaluation

TOY_FILE = "red 0.5 -0.25 0.125 1\nsky 0 0.75 -0.5 0.25\ntree -1 0.5 0.5 -0.125\n"
WIDTH = 800


def run() -> None:
    """Check everything.

    Raises
    ------
    AskewError
        At the first thing that is not as it must be.
    """
    with tempfile.TemporaryDirectory(prefix="askew-self-test-") as name, _own_home(name):
        folder = Path(name)
        check_reading(folder)
        check_arithmetic()
        check_bundled_vectors()
        check_trained_layer()
        paint_without_screen()
        check_window(folder)


def check_reading(folder: Path) -> None:
    """Open a small GloVe file."""
    path = folder / "toy.txt"
    path.write_text(TOY_FILE, encoding="utf-8")
    vectors = open_vectors(path)
    _check("words of a file", len(vectors) == 3)
    _agree("a vector of a file", vectors.vectors(["tree"]), [[-1, 0.5, 0.5, -0.125]], 0)


def check_arithmetic() -> None:
    """Compute a case worked by hand: two tokens, two dimensions."""
    vectors = WordVectors.from_arrays(["a", "b"], np.array([[1, 0], [1, 1]], np.float32))
    w_q, identity = np.array([[1, 2], [0, 1]], np.float32), np.eye(2, dtype=np.float32)
    head = Head(w_q, identity, identity)
    result = evaluate(Experiment("a b", vectors.ref, (head,)), vectors)
    _agree("raw similarity", result.raw.dot, [[1, 1], [1, 2]], 0)
    _agree("scores", result.scores[0] * np.sqrt(2), [[1, 3], [1, 4]], 1e-6)
    pattern = [[0.19557031749304313, 0.8044296825069569], [0.10704180146517044, 0.8929581985348296]]
    _agree("a pattern", result.pattern[0], pattern, 1e-6)


def check_bundled_vectors() -> None:
    """Compute raw similarity on the vectors that come with the program."""
    vectors = open_vectors("glove-6b-50d")
    raw = evaluate(default_experiment(vectors), vectors).raw
    found = [raw.pattern[0, 0], raw.pattern[1, 1], raw.pattern[8, 1]]
    _agree("raw patterns of the bundled vectors", found, [0.16901, 0.37532, 0.03099], 2e-4)
    _agree("raw similarity of the bundled vectors", raw.dot[0, 0], 24.683, 1e-3)


def check_trained_layer() -> None:
    """Compute the trained layer that comes with the program: its head 2 looks at the previous token."""
    vectors = open_vectors("minilm-l6-v2")
    result = evaluate(example("trained", vectors), vectors)
    _agree("the trained layer", np.diagonal(result.pattern[2], -1), np.ones(13), 5e-3)


def check_window(folder: Path) -> None:
    """Open the window off screen, change its sentence, and paint its maps into a file."""
    from askew_gui import intents
    from askew_gui.app import first_store, make_app
    from askew_gui.settings import Settings
    from askew_gui.window import Window

    app = make_app()
    store = first_store()
    window = Window(store, Settings())
    try:
        window.show()
        app.processEvents()
        _check("a window that opens", window.isVisible())
        intents.set_text(store, "the cat sat on the mat")
        app.processEvents()
        _check("a new sentence", store.evaluation.pattern.shape[1:] == (8, 8))
        store.undo_stack.undo()
        _check("taking it back", store.evaluation.pattern.shape[1:] == (14, 14))
        check_picture(store.evaluation, folder / "maps.png")
        check_files(store.evaluation, store.vectors, folder)
    finally:
        window.close()
        store.jobs.close(timeout=1.0)


def check_picture(evaluation: Evaluation, path: Path) -> None:
    """Paint the maps into a PNG file and look at it again."""
    from PySide6.QtGui import QImage

    from askew_gui.export.picture_file import save_picture
    from askew_gui.export.spec import PictureSpec

    save_picture(evaluation, PictureSpec(width=WIDTH), path)
    image = QImage(str(path))
    _check(f"a picture {WIDTH} pixels wide", image.width() == WIDTH)
    step = range(0, WIDTH, 4)
    colours = {image.pixel(x, y) for x in step for y in range(0, image.height(), 4)}
    _check("colours in the picture", len(colours) > 20)


def check_files(evaluation: Evaluation, vectors: WordVectors, folder: Path) -> None:
    """Write drawings, numbers and a session, and read back what can be read."""
    from askew.number_files import number_bytes
    from askew.session import Session
    from askew.session_file import load, save
    from askew_gui.export.picture_file import save_picture
    from askew_gui.export.spec import PictureSpec

    for name, beginning in (("maps.svg", b"<?xml"), ("maps.pdf", b"%PDF-")):
        save_picture(evaluation, PictureSpec(), folder / name)
        _check(f"the file {name}", (folder / name).read_bytes().startswith(beginning))
    lines = number_bytes(evaluation, "csv").decode("utf-8").splitlines()
    _check("a table of numbers", lines[0] == "head,quantity,query,key,value" and len(lines) > 1000)
    experiment = evaluation.experiment
    save(folder / "kept.askew", Session((experiment,)), {experiment.vectors.fingerprint: vectors})
    kept = load(folder / "kept.askew").session.experiment
    _check("the sentence of a session", kept.text == experiment.text)
    _agree("the pattern of a session", evaluate(kept, vectors).pattern, evaluation.pattern, 1e-6)


@contextmanager
def _own_home(folder: str) -> Iterator[None]:
    """Keep settings of the test away from those of the user."""
    before = os.environ.get(HOME_VARIABLE)
    os.environ[HOME_VARIABLE] = folder
    try:
        yield
    finally:
        if before is None:
            del os.environ[HOME_VARIABLE]
        else:
            os.environ[HOME_VARIABLE] = before


def _agree(what: str, found: npt.ArrayLike, expected: npt.ArrayLike, tolerance: float) -> None:
    """Raise unless numbers are what they must be."""
    array = np.asarray(found, np.float64)
    same_shape = array.shape == np.shape(expected)
    _check(what, same_shape and bool(np.all(np.abs(array - np.asarray(expected)) <= tolerance)))


def _check(what: str, holds: bool) -> None:
    """Raise unless something holds."""
    if not holds:
        raise AskewError(f"self-test failed: {what}", remedy="Install Askew again")
