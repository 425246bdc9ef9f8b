# /// lesson
# env = {TORCH_LOGS = "-dynamo", TORCH_LOGS_FORMAT = "%(message)s"}
# ///
"""The minifier: from a function with a wrong result to a graph with one operator."""

import re
import subprocess
import sys
import tempfile
from pathlib import Path

import torch
import torch.nn.functional as F


def block(x, w, b):
    h = F.layer_norm(x @ w, (8,)) * b
    h = torch.relu(h) + torch.tanh(x)
    return F.softmax(h, -1)


folder = tempfile.mkdtemp()
torch._dynamo.config.debug_dir_root = folder
torch._dynamo.config.repro_after = "dynamo"
torch._dynamo.config.repro_level = 4
torch.manual_seed(0)
compiled = torch.compile(block, backend="relu_accuracy_error_TESTING_ONLY")
try:
    compiled(torch.randn(4, 8), torch.randn(8, 8), torch.randn(8))
except torch._dynamo.exc.BackendCompilerFailed as error:
    print(type(error.inner_exception).__name__, error.inner_exception)

[launcher] = Path(folder).rglob("minifier_launcher.py")
command = [sys.executable, "-W", "ignore", launcher]
run = subprocess.run(command, cwd=folder, capture_output=True, check=False, text=True)
steps = re.findall(r"^SUCCESS: .*", run.stdout + run.stderr, re.M)
print("$ python minifier_launcher.py")
for step in steps:
    print(step)
repro = Path(folder, "repro.py").read_text()
graph = re.search(r" +def forward\(.*\n( .*\n)*", repro)[0]
print(f"\nrepro.py has this graph:\n{graph}")

# region checks
assert steps[-1].endswith("to 3 nodes")
assert "torch.relu(" in graph
# endregion
