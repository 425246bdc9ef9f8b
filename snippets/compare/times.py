# /// lesson
# needs = ["peers", "compiler"]
# timeout = 1500
# memory = 12000
# varies.output = ['\d+(\.\d+)?']
# data = ["_timed.py", "_onnx.py", "five.py", "jax_functions.py", "mlx_functions.py", "tensorflow_functions.py"]
# ///
"""First calls and later calls: a process for each framework, and they take turns."""

import json
import statistics
import subprocess
import sys
from pathlib import Path

from compile_lessons import Table, show

NAMES = [
    "PyTorch, eager",
    "torch.compile",
    "TorchScript",
    "torch.export, AOTInductor",
    "torch.onnx, ONNX Runtime",
]
NAMES += ["torch.compile, OpenVINO", "JAX", "TensorFlow", "MLX"]
workers, first, rows = {}, {}, []
for name in NAMES:
    command = [sys.executable, str(Path(__file__).with_name("_timed.py")), name]
    workers[name] = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    # the next one starts when this one has compiled
    first[name] = json.loads(workers[name].stdout.readline())

for function in ("softmax", "mlp", "step"):
    ratios = {name: [] for name in NAMES if function in first[name]}
    for _ in range(15):
        seconds = {}
        for name in ratios:
            print(function, file=workers[name].stdin, flush=True)
            seconds[name] = float(workers[name].stdout.readline())
        for name in ratios:
            ratios[name].append(seconds[name] / seconds["PyTorch, eager"])
    for name, values in ratios.items():
        low, middle, high = statistics.quantiles(values, n=4)
        compiling = f"{first[name][function] / first['torch.compile'][function]:.2f}"
        rows.append(
            [function, name, compiling, f"{middle:.2f}", f"{low:.2f} to {high:.2f}"]
        )
show(Table(["function", "compiled by", "first call", "later calls", "quartiles"], rows))
for worker in workers.values():
    worker.communicate()
# region checks
assert [worker.returncode for worker in workers.values()] == [0] * len(NAMES)
assert len(rows) == 9 + 9 + 6
# endregion
