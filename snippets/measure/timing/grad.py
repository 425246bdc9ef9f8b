# /// lesson
# needs = ["compiler"]
# varies.output = ['\d[\d.,]* µs']
# varies.values = ["time"]
# ///
"""Wrong: inference timed with gradients on. Both functions then keep more tensors."""

import torch
from torch import nn
from torch.autograd.graph import saved_tensors_hooks
from torch.utils.benchmark import Timer

torch.set_num_threads(1)  # so that other programs on this machine disturb less
model = nn.Sequential(nn.Linear(64, 512), nn.GELU(), nn.LayerNorm(512)).eval()
x = torch.randn(64, 64)


def count_kept_tensors(function):
    kept = []

    def keep(tensor):
        kept.append(tensor)
        return tensor

    with saved_tensors_hooks(keep, keep):
        function(x)  # a compiled function compiles here, once for each context
    return len(kept)


counts = []
for context in (torch.enable_grad, torch.inference_mode):
    for name, function in {"eager": model, "compiled": torch.compile(model)}.items():
        with context():
            counts.append(count_kept_tensors(function))
            timer = Timer("function(x)", globals={"function": function, "x": x})
            time = timer.blocked_autorange(min_run_time=0.2).median * 1e6
        print(f"{context.__name__:14}  {name:8}  {time:4.0f} µs", end=", ")
        print(f"{counts[-1]} tensors kept for a backward pass")

# region checks
assert counts[2:] == [0, 0]
assert min(counts[:2]) > 0
# endregion
