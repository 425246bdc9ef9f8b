"""The options that each mode sets."""

import torch._inductor

from compile_lessons import Listing, show

modes = torch._inductor.list_mode_options()
rows = [[mode, option, repr(value)] for mode, options in modes.items() for option, value in options.items()]
rows += [[mode, "none", ""] for mode, options in modes.items() if not options]
show(Listing(["mode", "option", "value"], rows, prefix="mode-"))
# region checks
assert modes["reduce-overhead"] == {"triton.cudagraphs": True}
# endregion
