"""Where the frozen program starts: the command `askew`.

What Askew does beside its window, it does in processes that are told what to do by arguments, and arguments
never open a second window. It has no process pools.
"""

from askew_gui.start import main

main()
