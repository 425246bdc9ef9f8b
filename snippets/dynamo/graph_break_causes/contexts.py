"""A context manager around one operation: one graph, or none."""

import threading
import warnings

import torch

from compile_lessons import Table, capture, show

CONTEXTS = """torch.no_grad()
torch.autocast("cpu")
torch.profiler.record_function("step")
contextlib.nullcontext()
lock
open(os.devnull)
contextlib.redirect_stdout(None)
torch.device("cpu")
torch.autograd.graph.save_on_cpu()
torch.autograd.detect_anomaly()"""
FUNCTION = """import contextlib, os, torch
def f(x):
    with {context}:
        y = x + 1
    return y * 2"""

warnings.simplefilter("ignore")  # detect_anomaly warns that it is slow
rows = []
for context in CONTEXTS.splitlines():
    exec(FUNCTION.format(context=context), scope := {"lock": threading.Lock()})
    pipeline = capture(scope["f"], until="dynamo")(torch.ones(8))
    rows.append([f"with {context}:", len(pipeline.graphs)])
show(Table(["statement", "graphs"], rows))

# region checks
assert [row[1] for row in rows] == [1] * 4 + [0] * 6
# endregion
