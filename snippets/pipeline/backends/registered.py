"""The backends that have a name."""

import torch

stable = torch.compiler.list_backends()
everything = torch.compiler.list_backends(exclude_tags=None)
not_debug = torch.compiler.list_backends(exclude_tags=("debug",))
print("listed:", *stable)
print("others:", *sorted(set(everything) - set(stable)))

# region checks
debug = set(everything) - set(not_debug)
assert "inductor" in stable
assert "eager" not in stable
assert {"eager", "aot_eager", "aot_eager_decomp_partition"} <= debug
assert torch.compiler.get_default_backend() == "inductor"
# endregion
