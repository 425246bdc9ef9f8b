"""Change a setting of torch: which field of GLOBAL_STATE differs, what recompiles?"""

import json
from functools import partial

import torch

from compile_lessons import Table, keep_graphs, show


def state():
    # private: the C++ object that the guard compares
    guard = torch._C._dynamo.guards.GlobalStateGuard()
    return json.loads(guard.__getstate__())


def allow_float16_sums(on):
    torch.backends.cuda.matmul.allow_fp16_reduced_precision_reduction = on


def allow_bfloat16_sums(on):
    torch.backends.cuda.matmul.allow_bf16_reduced_precision_reduction = on


no_override = torch._C.DisableTorchFunction()  # no public name


def disable_torch_function(off):
    if off:
        no_override.__enter__()
    else:
        no_override.__exit__()


threads = torch.get_num_threads()
autocast_on = partial(torch.set_autocast_enabled, "cpu")
autocast_dtype = partial(torch.set_autocast_dtype, "cpu")
settings = {
    "gradients off": (torch.set_grad_enabled, False, True),
    "autocast on": (autocast_on, True, False),
    "autocast's dtype, while it is off": (autocast_dtype, torch.half, torch.bfloat16),
    "float64 as default": (torch.set_default_dtype, torch.float64, torch.float32),
    "deterministic, warn_only": (torch.set_deterministic_debug_mode, 1, 0),
    "TF32 in matmuls": (torch.set_float32_matmul_precision, "high", "highest"),
    "no float16 sums": (allow_float16_sums, False, True),
    "no bfloat16 sums": (allow_bfloat16_sums, False, True),
    "a different number of threads": (torch.set_num_threads, threads + 1, threads),
    "no __torch_function__": (disable_torch_function, True, False),
    "a different default device": (torch.set_default_device, "meta", None),
    "a different random seed": (torch.manual_seed, 1, 2),
    "no flash attention": (torch.backends.cuda.enable_flash_sdp, False, True),
}
x = torch.ones(4)
rows = []
for name, (change, other, usual) in settings.items():
    torch.compiler.reset()
    kept = keep_graphs()
    compiled = torch.compile(lambda x: x + 1, backend=kept)
    compiled(x)
    before = state()
    change(other)
    compiled(x)
    fields = [field for field, value in state().items() if value != before[field]]
    change(usual)
    rows.append([name, "yes" if len(kept.graphs) == 2 else "no", " ".join(fields)])
show(Table(["the second call has", "recompiles", "field that differs"], rows))

# region checks
covered = {field for row in rows for field in row[2].split()}
assert covered == set(state())
assert [row[1] for row in rows] == ["yes", "yes", "no", *["yes"] * 8, "no", "no"]
# endregion
