"""The options that each mode sets."""

import torch._inductor

from compile_lessons import Listing, show

modes = torch._inductor.list_mode_options()
rows = [
    [mode, ", ".join(f"{option}={value!r}" for option, value in modes[mode].items()) or "none"]
    for mode in sorted(modes, key=lambda mode: len(modes[mode]))
]
show(Listing(["mode", "options"], rows, prefix="mode-"))
# region checks
assert modes["reduce-overhead"] == {"triton.cudagraphs": True}
# endregion
