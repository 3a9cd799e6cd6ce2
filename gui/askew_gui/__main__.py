"""`python -m askew_gui` is the command `askew`."""

from askew_gui.start import main

main()
