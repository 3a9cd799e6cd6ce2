"""One widget a file: each shows data and emits intents."""
