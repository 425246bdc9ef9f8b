"""The GPUs for which capture writes code."""

from compile_lessons import Table, show
from compile_lessons.gpu import DEVICES

rows = []
for name, gpu in DEVICES.items():
    capability = ".".join(map(str, gpu.capability))
    shared = gpu.shared_per_multiprocessor // 2**10
    l2 = gpu.l2 // 2**20
    bandwidth = round(gpu.bandwidth / 1e9)
    memory = [shared, l2, bandwidth]
    rows.append([name, gpu.name, capability, gpu.multiprocessors, *memory])
columns = ["target", "GPU", "capability", "multiprocessors"]
columns += ["shared memory (KiB)", "L2 (MiB)", "memory (GB/s)"]
show(Table(columns, rows))

targets = len(DEVICES)
# region checks
assert targets >= 8
# endregion
