"""Sessions inside exported pictures and pages: PNG, SVG, HTML."""

from __future__ import annotations

NOTE = "This picture carries the experiment that made it. Open it with Askew."


def embed_png(png: bytes, session: bytes) -> bytes:
    """Return a PNG with a session in a text chunk, and a chunk that says so."""
    raise NotImplementedError


def embed_svg(svg: bytes, session: bytes) -> bytes:
    """Return an SVG with a session in a `<metadata>` element, which says so."""
    raise NotImplementedError


def embed_html(html: bytes, session: bytes) -> bytes:
    """Return an HTML page with a session in a block that no browser runs, and a comment that says so."""
    raise NotImplementedError


def extract(data: bytes, name: str) -> bytes | None:
    """Return the session that a PNG, SVG or HTML carries, or None where it carries none.

    Raises
    ------
    SessionError
        If what it carries is damaged or too large; the message names the place.
    """
    raise NotImplementedError
