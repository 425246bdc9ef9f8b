"""A mode is a name for a few Inductor options."""

import torch

from compile_lessons import Table, show

presets = torch._inductor.list_mode_options()
rows = [[mode, name, value] for mode, options in presets.items() for name, value in options.items()]
show(Table(["mode", "option", "value"], rows))

modes = len(presets)

# region checks
assert presets["default"] == {}
assert presets["reduce-overhead"] == {"triton.cudagraphs": True}
assert len(presets["max-autotune"]) == 3
assert presets["max-autotune"].keys() - presets["max-autotune-no-cudagraphs"].keys() == {"triton.cudagraphs"}
# endregion
