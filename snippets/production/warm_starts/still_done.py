# /// lesson
# needs = ["compiler"]
# ///
"""The phases of a compile that are left after a hit in the caches."""

import torch

# private: the times of phases by their names, and the counters
from torch._dynamo.utils import compilation_time_metrics, counters

from compile_lessons import Table, show

model = torch.nn.Sequential(torch.nn.Linear(32, 64), torch.nn.GELU())
phases = {
    "Dynamo traces": "bytecode_tracing",
    "AOTAutograd traces": "aot_collect_metadata",
    "Inductor generates code": "GraphLowering.codegen",
    "entry and kernels are loaded": "AOTAutogradCache.inductor_load",
    "guards are built": "build_guards",
}


def compile_again():
    """Return which phases ran."""
    torch.compiler.reset()
    counters.clear()
    compilation_time_metrics.clear()
    with torch.no_grad():
        torch.compile(model)(torch.ones(16, 32))
    return [
        "yes" if name in compilation_time_metrics else "" for name in phases.values()
    ]


cold = compile_again()
hit = compile_again()
rows = list(zip(phases, cold, hit, strict=True))
show(Table(["phase", "cold", "hit"], rows))

# region checks
assert counters["aot_autograd"]["autograd_cache_hit"] == 1
assert cold == ["yes", "yes", "yes", "", "yes"]
assert hit == ["yes", "", "", "yes", "yes"]
# endregion
