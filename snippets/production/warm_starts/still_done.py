# /// lesson
# needs = ["compiler"]
# ///
"""The phases of a compile that are left after a hit in the caches."""

import torch
from torch._dynamo.utils import compilation_time_metrics, counters

from compile_lessons import Table, show

model = torch.nn.Sequential(torch.nn.Linear(32, 64), torch.nn.GELU(), torch.nn.Linear(64, 32))
phases = {
    "Dynamo traces": "bytecode_tracing",
    "AOTAutograd traces": "aot_collect_metadata",
    "Inductor generates code": "GraphLowering.codegen",
    "entry and kernels are loaded": "AOTAutogradCache.inductor_load",
    "guards are built": "build_guards",
}


def compile_again():
    """Return which phases ran, and how many entries of AOTAutograd's cache were found."""
    torch.compiler.reset()
    counters.clear()
    compilation_time_metrics.clear()
    with torch.no_grad():
        torch.compile(model)(torch.ones(16, 32))
    ran = ["yes" if timer in compilation_time_metrics else "" for timer in phases.values()]
    return ran, counters["aot_autograd"]["autograd_cache_hit"]


(cold, no_hits), (warm, hits) = compile_again(), compile_again()
show(Table(["phase", "cold", "hit"], list(zip(phases, cold, warm, strict=True))))
# region checks
assert (no_hits, hits) == (0, 1)
assert cold == ["yes", "yes", "yes", "", "yes"]
assert warm == ["yes", "", "", "yes", "yes"]
# endregion
