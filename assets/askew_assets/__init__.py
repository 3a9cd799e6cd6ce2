"""Bundled data of Askew: vectors, fonts, icons, colour tables, licences."""
