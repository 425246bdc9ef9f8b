"""The options that each mode sets."""

import torch._inductor

from compile_lessons import Listing, show

modes = torch._inductor.list_mode_options()  # no public name
rows = []
for mode, options in sorted(modes.items(), key=lambda item: len(item[1])):
    named = [f"{option}={value!r}" for option, value in options.items()]
    rows.append([mode, ", ".join(named) or "none"])
show(Listing(["mode", "options"], rows, prefix="mode-"))
# region checks
assert modes["reduce-overhead"] == {"triton.cudagraphs": True}
# endregion
