# /// lesson
# needs = ["compiler"]
# ///
"""Profile one compiled call: which kernels take the time."""

import torch
from torch.profiler import profile

# on a CPU: without this setting, the profile leaves out Inductor's kernels
torch._inductor.config.cpp.enable_kernel_profile = True
device = "cuda" if torch.cuda.is_available() else "cpu"
layer = torch.nn.Sequential(torch.nn.Linear(512, 512), torch.nn.GELU()).to(device)
compiled = torch.compile(layer)
x = torch.randn(512, 512, device=device)
compiled(x)  # compiles
with profile() as profiler:
    compiled(x)
print(profiler.key_averages().table(sort_by=f"self_{device}_time_total", row_limit=6))

# region checks
names = [event.key for event in profiler.key_averages()]
assert [name for name in names if "_fused_" in name] == ["graph_0_cpp_fused_gelu_0"]
# endregion
