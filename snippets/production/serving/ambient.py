# /// lesson
# env = {TORCH_LOGS = "-all"}
# ///
"""Warmed up under inference_mode: which settings around a later call trigger a compile."""

from contextlib import nullcontext

import torch
from _service import classify, counting, graphs, setting

from compile_lessons import Table, show

tokens, threads = torch.ones(2, 8, dtype=torch.long), torch.get_num_threads()
around = {
    "inference_mode, as in the warm-up": torch.inference_mode(),
    "no_grad": torch.no_grad(),
    "nothing": nullcontext(),
    "autocast in inference_mode": setting(lambda on: torch.set_autocast_enabled("cpu", on), True, False),
    "set_default_dtype(float64)": setting(torch.set_default_dtype, torch.float64, torch.float32),
    "set_num_threads": setting(torch.set_num_threads, threads + 1, threads),
    "use_deterministic_algorithms": setting(torch.use_deterministic_algorithms, True, False),
    "set_float32_matmul_precision": setting(torch.set_float32_matmul_precision, "high", "highest"),
}
rows = []
for name, context in around.items():
    torch.compiler.reset()
    compiled = torch.compile(classify, backend=counting)
    with torch.inference_mode():
        compiled(tokens)
    graphs.clear()
    with context:
        compiled(tokens)
    rows.append([name, len(graphs)])
show(Table(["around the call", "compiles after the warm-up"], rows))
# region checks
assert [row[1] for row in rows] == [0, 1, 1, 1, 1, 1, 1, 1]
# endregion
