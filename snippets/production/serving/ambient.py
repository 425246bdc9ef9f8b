# /// lesson
# env = {TORCH_LOGS = "-all"}
# ///
"""Warmed up under inference_mode: which settings around a call trigger a compile."""

from functools import partial

import torch
from _service import classify

from compile_lessons import Table, keep_graphs, show

tokens = torch.ones(2, 8, dtype=torch.long)
threads = torch.get_num_threads()
autocast = partial(torch.set_autocast_enabled, "cpu")
settings = {  # what sets it, the value for the call, and the value before
    "autocast in inference_mode": (autocast, True, False),
    "set_default_dtype(float64)": (torch.set_default_dtype, torch.double, torch.float),
    "set_num_threads": (torch.set_num_threads, threads + 1, threads),
    "use_deterministic_algorithms": (torch.use_deterministic_algorithms, True, False),
    "matmul precision": (torch.set_float32_matmul_precision, "high", "highest"),
}


# region count
def warm_up():
    torch.compiler.reset()
    kept = keep_graphs()
    compiled = torch.compile(classify, backend=kept)
    with torch.inference_mode():
        compiled(tokens)
    return compiled, kept  # kept.graphs has the warm-up's graph


rows = []
modes = (torch.inference_mode, torch.no_grad, torch.enable_grad)
for mode in modes:
    compiled, kept = warm_up()
    with mode():
        compiled(tokens)
    rows.append([mode.__name__, len(kept.graphs) - 1])
for name, (change, value, usual) in settings.items():
    compiled, kept = warm_up()
    change(value)
    with torch.inference_mode():
        compiled(tokens)
    change(usual)
    rows.append([name, len(kept.graphs) - 1])
# endregion
show(Table(["around the call", "compiles after the warm-up"], rows))

# region checks
assert [row[1] for row in rows] == [0, 1, 1, 1, 1, 1, 1, 1]
# endregion
