"""Word vectors: tables, detection of formats, readers."""
