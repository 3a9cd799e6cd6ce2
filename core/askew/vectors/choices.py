"""Choices that a file cannot follow: said, since who made one expects that it counts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from askew.errors import VectorsError

if TYPE_CHECKING:
    from askew.vectors.options import Options

_MEMBER = frozenset({"zip", "safetensors"})  # formats that hold several matrices by name
_WORDS = frozenset({"npy", "zip", "safetensors"})
_LANGUAGE = frozenset({"numberbatch"})


def refuse_idle(options: Options, kind: str, name: str, *, archive: bool = False) -> None:
    """Refuse a choice of member, words or language where there is nothing to choose.

    Parameters
    ----------
    kind
        The format, as `sniff` tells it; "bundled" for what comes with the program.
    archive
        Whether the file lies in an archive, whose member was chosen.

    Raises
    ------
    VectorsError
        If one of them does not apply.
    """
    for flag, value, applies, what in (
        ("--member", options.member, archive or kind in _MEMBER, "an archive, an .npz or a .safetensors"),
        ("--words", options.words, kind in _WORDS, "a bare matrix, which comes without its words"),
        ("--language", options.language, kind in _LANGUAGE, "a Numberbatch file, which has several"),
    ):
        if value is not None and not applies:
            message = f"{flag} does not apply to these vectors; it is for {what}"
            raise VectorsError(message, where=name, remedy=f"Leave out {flag}")
