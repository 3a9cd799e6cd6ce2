"""Painting of heat maps, one code path for screen and files."""
