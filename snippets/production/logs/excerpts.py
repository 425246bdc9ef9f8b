# /// lesson
# needs = ["compiler"]
# env = {TORCH_LOGS_FORMAT = "%(message)s"}
# ///
"""One training step in seven logs: the lines to look for."""

import contextlib
import io
from pathlib import Path

import torch

torch._inductor.config.fx_graph_cache = False
torch._functorch.config.enable_autograd_cache = False


def loss(x, w):
    return (torch.relu(x * w) + 1).sum()


def text_of(log):
    torch.compiler.reset()
    compiled = torch.compile(loss)
    sizes = (64, 32) if log == "recompiles" else (64,)
    with contextlib.redirect_stderr(io.StringIO()) as output:
        torch._logging.set_logs(**{log: True})  # private, but documented
        for size in sizes:
            compiled(torch.ones(size), torch.ones(size, requires_grad=True)).backward()
    return output.getvalue().replace(str(Path(__file__).parent), "…")


excerpts = {  # the log, the text to look for, and how many lines to show from there
    "graph_code": ("# File", 4),
    "guards": ("GuardManager: source=L['x']", 3),
    "recompiles": ("Recompiling", 3),
    "aot_graphs": ("# File", 4),
    "post_grad_graphs": ("# File", 4),
    "fusion": ("===== attempting", 4),
    "output_code": ("for(int64_t", 6),
}
texts = {log: text_of(log) for log in excerpts}
for log, (start, count) in excerpts.items():
    lines = texts[log].splitlines()
    first = next(number for number, line in enumerate(lines) if start in line)
    print(f"--- {log}")
    for line in lines[first : first + count]:
        print(line.strip()[:110])

# region checks
assert "torch.relu" in texts["graph_code"]
assert "aten.relu" in texts["aot_graphs"]
# endregion
