"""Where the frozen program starts: the command `askew`.

What Askew does beside its window, it does in processes that are told what to do by arguments, and arguments
never open a second window. It has no process pools.
"""

import os

from askew_gui.start import main

if not any(os.environ.get(name) for name in ("LC_ALL", "LC_CTYPE", "LANG")):
    os.environ["LC_CTYPE"] = "C.UTF-8"  # as Python has it where it is not frozen; else Qt complains

main()
