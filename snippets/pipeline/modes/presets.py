"""A mode is a name for a few Inductor options."""

import torch

from compile_lessons import Table, show

presets = torch._inductor.list_mode_options()
names = ["reduce-overhead", "max-autotune-no-cudagraphs", "max-autotune"]
show(Table(["mode", "options that are on"], [[mode, ", ".join(presets[mode])] for mode in names]))

# region checks
assert set(presets) == {"default", "lite", *names} and presets["default"] == {}
assert presets["reduce-overhead"] == {"triton.cudagraphs": True}
assert all(value is True for mode in names for value in presets[mode].values())
assert len(presets["max-autotune"]) == 3
assert presets["max-autotune"].keys() - presets["max-autotune-no-cudagraphs"].keys() == {"triton.cudagraphs"}
assert len(presets["lite"]) == 10 and presets["lite"]["fallback_by_default"]
# endregion
