# /// lesson
# needs = ["compiler", "triton"]
# env = {TORCHINDUCTOR_COMPILE_THREADS = "3"}
# fork = false
# ///
"""The processes that torch.compile starts, before and after its first call."""

import psutil
import torch

from compile_lessons import Table, show


def processes():
    return psutil.Process().children(recursive=True)


rows = [["after import torch", len(processes())]]
double = torch.compile(lambda x: x * 2)
rows.append(["after torch.compile", len(processes())])
double(torch.ones(4))

# private: the pool of processes
from torch._inductor.async_compile import AsyncCompile, shutdown_compile_workers

AsyncCompile.wait_pool_ready()
rows.append(["after the first call, on a CPU", len(processes())])
[main] = psutil.Process().children()
arguments = [
    word for word in main.cmdline() if word.startswith(("--kind", "--workers"))
]
shutdown_compile_workers()
rows.append(["after the pool is shut down", len(processes())])
show(Table(["when", "processes besides this one"], rows))
print(" ".join(arguments))
# region checks
assert [row[1] for row in rows] == [0, 0, 4, 0]
# endregion
