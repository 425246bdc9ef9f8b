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


with tempfile.TemporaryDirectory() as folder:
    torch._dynamo.config.debug_dir_root = folder
    torch._dynamo.config.repro_after, torch._dynamo.config.repro_level = "dynamo", 4
    try:
        compiled = torch.compile(block, backend="relu_accuracy_error_TESTING_ONLY")
        torch.manual_seed(0)
        compiled(torch.randn(4, 8), torch.randn(8, 8), torch.randn(8))
    except torch._dynamo.exc.BackendCompilerFailed as error:
        print(type(error.inner_exception).__name__, error.inner_exception)

    (launcher,) = Path(folder).rglob("minifier_launcher.py")
    command = [sys.executable, "-W", "ignore", launcher]
    log = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True).stdout
    steps = re.findall(r"^SUCCESS: .*", log, re.M)
    print("$ python minifier_launcher.py", *steps, sep="\n")
    repro = Path(folder, "repro.py").read_text()

graph = re.search(r" +def forward\(.*\n( .*\n)*", repro)[0]
print(f"\nrepro.py has this graph:\n{graph}")
# region checks
assert steps[-1].endswith("to 3 nodes") and "torch.relu(" in graph
# endregion
