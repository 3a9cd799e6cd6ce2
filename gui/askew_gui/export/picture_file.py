"""Pictures as files: PNG, SVG or PDF, whole or not at all, with the experiment that made them if asked."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from askew.errors import AskewError
from askew.files import write_bytes
from askew_gui.export.spec import FORMATS
from askew_gui.i18n import tr

if TYPE_CHECKING:
    import os
    from collections.abc import Callable

    from askew.evaluation import Evaluation
    from askew_gui.export.spec import Format, PictureSpec


def format_of(path: str | os.PathLike[str]) -> Format:
    """Return what the ending of a name asks for.

    Raises
    ------
    AskewError
        If that is no format that is written.
    """
    ending = Path(path).suffix.lower().removeprefix(".")
    for known in FORMATS:
        if ending == known:
            return known
    what = tr("a picture cannot be written as {}").format(f"'{ending}'")
    raise AskewError(what, remedy=tr("End the name in .png, .svg or .pdf"))


def picture_bytes(
    evaluation: Evaluation, spec: PictureSpec, file_format: Format, session: bytes | None = None
) -> bytes:
    """Return the content of a file with a picture; the same picture gives the same bytes.

    Parameters
    ----------
    session
        What the file is to carry; a PDF carries nothing.

    Raises
    ------
    AskewError
        If there is nothing to show, or the picture cannot be made so large.
    """
    return painted(evaluation, spec, file_format, session)()


def painted(
    evaluation: Evaluation, spec: PictureSpec, file_format: Format, session: bytes | None = None
) -> Callable[[], bytes]:
    """Paint a picture, and return what makes the content of its file, which any thread may call.

    Large pictures are painted in a moment; it is packing millions of pixels that takes seconds.

    Raises
    ------
    AskewError
        Like `picture_bytes`.
    """
    if file_format == "png":
        from askew_gui.export.png import picture_image, png_bytes

        return partial(_packed, partial(png_bytes, picture_image(evaluation, spec)), file_format, session)
    if file_format == "svg":
        from askew_gui.export.svg import svg_bytes

        return partial(_packed, svg_bytes(evaluation, spec).__bytes__, file_format, session)
    from askew_gui.export.pdf import pdf_bytes

    return pdf_bytes(evaluation, spec).__bytes__


def _packed(picture: Callable[[], bytes], file_format: Format, session: bytes | None) -> bytes:
    content = picture()
    return content if session is None else _with_session(content, file_format, session)


def _with_session(content: bytes, file_format: Format, session: bytes) -> bytes:
    from askew.carried import embed_png, embed_svg

    return embed_png(content, session) if file_format == "png" else embed_svg(content, session)


def save_picture(
    evaluation: Evaluation,
    spec: PictureSpec,
    path: str | os.PathLike[str],
    session: bytes | None = None,
    file_format: Format | None = None,
) -> None:
    """Write a picture in the format its name asks for, whole or not at all.

    Raises
    ------
    AskewError
        If it cannot be painted.
    askew.files.WriteError
        If the place cannot be written; what was there before still is.
    """
    write_bytes(path, picture_bytes(evaluation, spec, file_format or format_of(path), session))
