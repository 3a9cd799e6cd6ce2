"""`python -m askew_gui` is the command `askew`."""

from askew_gui.cli import main

main(prog_name="askew")
