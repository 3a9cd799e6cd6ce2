"""Pictures of 12 heads as files, against matplotlib's savefig.

matplotlib is needed for this alone: `.venv/bin/python -m pip install matplotlib`. Without it there are no
rows. The grid of Askew names its tokens once, over the maps; the bars are held against a figure that does the
same, and the time of one with labels at every map is told beside it.
"""

from __future__ import annotations

import io
from functools import partial
from typing import TYPE_CHECKING

import askew
from askew_gui.export.picture_file import picture_bytes
from askew_gui.export.spec import PictureSpec
from benchmarks.material import made_experiment
from benchmarks.table import Row
from benchmarks.timing import pairs_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from askew.evaluation import Evaluation
    from askew_gui.export.spec import Format

BARS: dict[Format, int] = {"svg": 40, "pdf": 25, "png": 3}
A4 = PictureSpec("grid", width=297, unit="mm", dpi=300)
INCHES = (11.69, 8.27)


def rows() -> list[Row]:
    """Return the rows of the table that write pictures."""
    try:
        import matplotlib as mpl
    except ImportError:
        return []
    mpl.use("Agg")
    # Text stays text, in fonts that can be searched, as in Askew's files.
    mpl.rcParams |= {"svg.fonttype": "none", "pdf.fonttype": 42}
    return [written(file_format, 16) for file_format in BARS]


def written(file_format: Format, n: int) -> Row:
    """Write the grid of 12 heads; the baselines have their figures ready, Askew begins with the numbers."""
    experiment, vectors = made_experiment(n, 300, 12)
    evaluation = askew.evaluate(experiment, vectors)
    theirs = partial(_saved, _figure(evaluation, labelled=False), file_format)
    ours = partial(picture_bytes, evaluation, A4, file_format)
    timed = pairs_of(ours, theirs)
    labelled = pairs_of(ours, partial(_saved, _figure(evaluation, labelled=True), file_format), pairs=5)
    return Row(
        f"{file_format.upper()} of 12 heads and raw, A4, n = {n}",
        f"matplotlib savefig: {timed.baseline_ms:.0f} ms, {len(theirs()) / 1024:.0f} KiB; "
        f"labels at every map: {labelled.baseline_ms:.0f} ms",
        f"{timed.ours_ms:.1f} ms, {len(ours()) / 1024:.0f} KiB",
        f"{timed.ratio:.1f}×; {labelled.ratio:.1f}×",
        f"≥ {BARS[file_format]}×",
        timed.ratio >= BARS[file_format],
    )


def _saved(figure: Figure, file_format: Format) -> bytes:
    content = io.BytesIO()
    figure.savefig(content, format=file_format, dpi=300)
    return content.getvalue()


def _figure(evaluation: Evaluation, *, labelled: bool) -> Figure:
    from matplotlib.figure import Figure

    figure = Figure(figsize=INCHES, layout="constrained")
    axes = figure.subplots(2, 7).ravel()
    tokens = [token.text for token in evaluation.tokens]
    for place, ax in enumerate(axes):
        if place > len(evaluation.heads):
            ax.set_axis_off()
            continue
        values = evaluation.raw.pattern if place == 0 else evaluation.pattern[place - 1]
        ax.imshow(values, vmin=0, vmax=1, cmap="Blues")
        ax.set_title("raw" if place == 0 else str(place - 1), loc="left", fontsize=9)
        ax.set_xticks(range(len(tokens)) if labelled else [], tokens if labelled else [], rotation=60)
        ax.set_yticks(range(len(tokens)) if labelled else [], tokens if labelled else [])
    figure.suptitle(" ".join(tokens), fontsize=9)
    return figure
