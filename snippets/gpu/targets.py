"""The GPUs for which capture writes code."""

from compile_lessons import Table, show
from compile_lessons.gpu import DEVICES


def row(name, gpu):
    capability = ".".join(map(str, gpu.capability))
    shared, l2 = gpu.shared_per_multiprocessor // 2**10, gpu.l2 // 2**20
    return [name, gpu.name, capability, gpu.multiprocessors, shared, l2, round(gpu.bandwidth / 1e9)]


columns = ["target", "GPU", "capability", "multiprocessors", "shared memory (KiB)", "L2 (MiB)", "memory (GB/s)"]
show(Table(columns, [row(name, gpu) for name, gpu in DEVICES.items()]))

targets = len(DEVICES)
# region checks
assert targets >= 8
# endregion
