"""The report: one page of HTML with sentence, settings, maps, measures and the experiment itself."""

from __future__ import annotations

import html
import re
from typing import TYPE_CHECKING, NamedTuple

from askew.captions import caption
from askew.carried import embed_html
from askew.heads import Recipe
from askew.tables import Table, measures_table
from askew.tables_text import DIGITS, NO_VALUE, rounded
from askew_gui.export.carrying import carried_session
from askew_gui.export.pages import page_of
from askew_gui.export.report_style import STYLE
from askew_gui.export.spec import PictureSpec
from askew_gui.export.svg import svg_bytes, svg_of
from askew_gui.export.views import Shown, shown_maps
from askew_gui.i18n import tr
from askew_gui.maps.views import heads_title

if TYPE_CHECKING:
    from collections.abc import Iterator

    from askew.evaluation import Evaluation
    from askew.heads import Origin
    from askew.tables import Cell

NARROW, WIDE = 88.0, 178.0  # millimetres; two narrow maps stand side by side on a page, a wide one alone
MANY_TOKENS = 20  # above which a map is wide
FONT = 7.0  # points
HEADS_PER_TABLE = 8

_ISOLATED, _END = "\u2068", "\u2069"  # keep words that are read from the right from moving their neighbours

# Nothing is loaded and nothing runs, whoever changed the page.
POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"

_NOT_IN_HTML = re.compile(r"<\?xml[^>]*\?>\s*| xmlns(?::\w+)?=\"[^\"]*\"")
_CONTROLS = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff]")


class Report(NamedTuple):
    """The content of a file, and why it does not carry its experiment, or ""."""

    content: bytes
    why_not: str


def report_bytes(evaluation: Evaluation) -> Report:
    """Return the page; the same experiment gives the same bytes.

    It needs nothing beside it and no network. Opened with Askew it is the experiment again.

    Raises
    ------
    AskewError
        If there is nothing to show.
    """
    session, why_not = carried_session(evaluation)
    page = "\n".join(_page(evaluation, carries=session is not None)).encode("utf-8", "replace")
    return Report(page if session is None else embed_html(page, session), why_not)


def _page(evaluation: Evaluation, *, carries: bool) -> Iterator[str]:
    """Give the page, block by block."""
    sentence = escaped(" ".join(evaluation.experiment.text.split()))
    yield "<!DOCTYPE html>"
    yield '<html lang="en">'
    yield '<head>\n<meta charset="utf-8">'
    yield f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
    yield f"<title>{sentence} · Askew</title>"
    yield f"<style>\n{STYLE}</style>\n</head>\n<body>\n<main>"
    yield f'<h1 dir="auto">{sentence}</h1>'
    if carries:
        told = tr("This page carries the experiment that made it: open it with Askew, and it is back.")
        yield f'<p class="quiet">{escaped(told)}</p>'
    yield from _maps(evaluation)
    yield from _grid(evaluation)
    yield from _measures(evaluation)
    yield f"<section>\n<h2>{escaped(tr('Settings'))}</h2>\n<dl>"
    for name, value in settings(evaluation):
        yield f'<div><dt>{escaped(name)}</dt><dd dir="auto">{escaped(value)}</dd></div>'
    yield "</dl>\n</section>\n</main>\n</body>\n</html>\n"


def _maps(evaluation: Evaluation) -> Iterator[str]:
    """Give the three maps, each a drawing of its own so that they can stand one below the other."""
    width = WIDE if len(evaluation.tokens) > MANY_TOKENS else NARROW
    spec = PictureSpec(width=width, unit="mm", font_size=FONT)
    heads = heads_title(evaluation.experiment.selected)
    yield f"<section>\n<h2>{escaped(tr('Raw similarity and {}').format(heads.lower()))}</h2>"
    yield '<figure class="maps">'
    for place, one in enumerate(shown_maps(evaluation, spec).heatmaps):
        page = page_of(Shown((one,), grid=False), spec, None)
        yield _drawing(svg_of(page, width, f"m{place}"), one.title)
    yield f'<figcaption dir="auto">{escaped(_caption(evaluation))}</figcaption>\n</figure>\n</section>'


def _caption(evaluation: Evaluation) -> str:
    """Return the caption of the maps, which say themselves which of them is which."""
    words = caption(evaluation)
    for place in (" (left)", " (middle)", " (right)"):
        words = words.replace(place, "", 1)
    return words


def _grid(evaluation: Evaluation) -> Iterator[str]:
    if len(evaluation.heads) == 1:
        return
    drawing = svg_bytes(evaluation, PictureSpec("grid", width=WIDE, unit="mm", font_size=FONT), "g")
    yield f"<section>\n<h2>{escaped(tr('All heads'))}</h2>"
    yield f'<figure class="grid">{_drawing(drawing, tr("All heads"))}'
    yield f'<figcaption dir="auto">{escaped(caption(evaluation, "grid"))}</figcaption>\n</figure>\n</section>'


def _drawing(svg: bytes, name: str) -> str:
    """Return an SVG file as a part of a page, which screen readers name."""
    inside = _NOT_IN_HTML.sub("", svg.decode())
    return inside.replace("<svg", f'<svg role="img" aria-label="{escaped(name)}"', 1).strip()


def _measures(evaluation: Evaluation) -> Iterator[str]:
    """Give the measures, a few heads a table so that each is as wide as a page."""
    whole = measures_table(evaluation, titles=True)
    yield f"<section>\n<h2>{escaped(tr('Measures'))}</h2>"
    for start in range(0, len(whole.cells), HEADS_PER_TABLE):
        few = slice(start, start + HEADS_PER_TABLE)
        part = Table("", whole.row_labels[few], whole.column_labels, whole.cells[few])
        yield from _table(part.turned())
    yield "</section>"


def _table(table: Table) -> Iterator[str]:
    heads = "".join(f'<th scope="col">{escaped(label)}</th>' for label in table.column_labels)
    yield f'<div class="table"><table>\n<thead><tr><td></td>{heads}</tr></thead>\n<tbody>'
    for label, row in zip(table.row_labels, table.cells, strict=True):
        cells = "".join(f"<td>{_cell(value)}</td>" for value in row)
        yield f'<tr><th scope="row">{escaped(label)}</th>{cells}</tr>'
    yield "</tbody>\n</table></div>"


def _cell(value: Cell) -> str:
    if value is None:
        return NO_VALUE
    return f"<bdi>{escaped(value)}</bdi>" if isinstance(value, str) else rounded(value, DIGITS)


def settings(evaluation: Evaluation) -> Iterator[tuple[str, str]]:
    """Give the settings by name, those at their default too, and the words that have no vector."""
    experiment = evaluation.experiment
    first = experiment.heads[0]
    yield tr("Vectors"), tr("{}, {} numbers a word").format(experiment.vectors.name, experiment.d_model)
    yield tr("Heads"), tr("{}, d_k = {}, d_v = {}").format(len(experiment.heads), first.d_k, first.d_v)
    yield tr("Weights"), "; ".join(dict.fromkeys(_origin(head.recipe) for head in experiment.heads))
    yield tr("Scoring"), ", ".join(dict.fromkeys(head.scoring for head in experiment.heads))
    yield tr("Positions"), experiment.positions
    yield tr("Normalization"), experiment.normalize
    yield tr("Mask"), experiment.mask
    yield tr("Temperature"), f"{experiment.temperature:g}"
    yield tr("Raw similarity"), experiment.raw
    yield tr("Comparison"), experiment.compare
    if evaluation.unknown:
        yield (
            tr("Words without a vector"),
            ", ".join(f"{_ISOLATED}{token.text}{_END}" for token in evaluation.unknown),
        )


def _origin(recipe: Origin) -> str:
    if not isinstance(recipe, Recipe):
        return str(recipe)
    parts = [recipe.initializer, tr("seed {}").format(recipe.seed), tr("gain {}").format(f"{recipe.gain:g}")]
    return ", ".join(parts)


def escaped(text: str) -> str:
    """Return text of which nothing has a meaning in HTML."""
    return html.escape(_CONTROLS.sub("\ufffd", text))
