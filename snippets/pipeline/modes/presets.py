"""A mode is a name for a few Inductor options."""

import torch

from compile_lessons import Table, show

# torch documents this function, although its module is private
presets = torch._inductor.list_mode_options()
names = ["reduce-overhead", "max-autotune-no-cudagraphs", "max-autotune"]
rows = [[mode, ", ".join(presets[mode])] for mode in names]
show(Table(["mode", "options that are on"], rows))

# region checks
assert set(presets) == {"default", "lite", *names}
assert presets["default"] == {}
assert presets["reduce-overhead"] == {"triton.cudagraphs": True}
assert all(value is True for mode in names for value in presets[mode].values())
assert len(presets["max-autotune"]) == 3
without_graphs = presets["max-autotune-no-cudagraphs"]
assert presets["max-autotune"].keys() - without_graphs.keys() == {"triton.cudagraphs"}
assert len(presets["lite"]) == 10
assert presets["lite"]["fallback_by_default"]
# endregion
