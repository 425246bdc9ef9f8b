"""The backends that have a name."""

import torch

stable = torch.compiler.list_backends()
everything = torch.compiler.list_backends(exclude_tags=None)
print("listed:", *stable)
print("others:", *sorted(set(everything) - set(stable)), sep="\n  ")

assert "inductor" in stable and "eager" not in stable
assert {"eager", "aot_eager", "aot_eager_decomp_partition"} <= set(everything)
