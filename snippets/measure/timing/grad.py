# /// lesson
# needs = ["compiler"]
# varies.output = ['\d[\d.,]* µs']
# varies.values = ["eager_grad", "compiled_grad", "eager_inference", "compiled_inference"]
# ///
"""Wrong: inference timed with gradients on. Both sides then also keep what a backward pass would need."""

import torch
from torch import nn
from torch.autograd.graph import saved_tensors_hooks
from torch.utils.benchmark import Timer

torch.set_num_threads(1)  # so that other programs on this machine disturb less
model = nn.Sequential(nn.Linear(64, 512), nn.GELU(), nn.LayerNorm(512), nn.Linear(512, 64)).eval()
x, compiled, kept, us = torch.randn(64, 64), torch.compile(model), {}, []
for context in (torch.enable_grad, torch.inference_mode):
    with context():
        for function in (model, compiled):
            saved = []
            with saved_tensors_hooks(lambda t, saved=saved: saved.append(t.nbytes) or t, lambda t: t):
                function(x)  # the compiled function compiles here, once for each context
            timer = Timer("function(x)", globals={"function": function, "x": x}, num_threads=torch.get_num_threads())
            us.append(timer.blocked_autorange(min_run_time=0.2).median * 1e6)
            name = f"{context.__name__}, {'compiled' if function is compiled else 'eager'}"
            kept[name] = len(saved)
            print(f"{name:26} {us[-1]:4.0f} µs, {len(saved):2} tensors kept for a backward pass")
eager_grad, compiled_grad, eager_inference, compiled_inference = us
# region checks
assert list(kept.values())[2:] == [0, 0] and min(list(kept.values())[:2]) > 0
# endregion
