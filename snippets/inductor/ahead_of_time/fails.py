# /// lesson
# needs = ["compiler"]
# ///
"""What can't be captured ahead of time: a branch on data, and a graph break."""

import contextlib
import io
import logging

import torch

logging.disable(logging.WARNING)


class Branch(torch.nn.Module):
    def forward(self, x):
        return x * 2 if x.sum() > 0 else x - 1


class Cond(torch.nn.Module):
    def forward(self, x):
        return torch.cond(x.sum() > 0, lambda x: x * 2, lambda x: x - 1, (x,))


def attempt(name, compile_ahead):
    try:
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            compile_ahead()  # prints the graph up to the failure
        outcomes.append("works")
    except Exception as error:
        outcomes.append(f"{type(error).__name__}: {str(error).strip().splitlines()[0]}")
    print(f"{name}\n    {outcomes[-1]}")


x, outcomes = torch.ones(4), []
attempt("export of Branch", lambda: torch.export.export(Branch(), (x,)))
attempt("export of Cond", lambda: torch.export.export(Cond(), (x,)))
for fullgraph in (False, True):
    compiled = torch.compile(Branch.forward, fullgraph=fullgraph)
    attempt(f"aot_compile, fullgraph={fullgraph}", lambda compiled=compiled: compiled.aot_compile(((None, x), {})))
# region checks
starts = ["GuardOnDataDependent", "works", "RuntimeError: Graph breaks", "Unsupported: Data-dependent branching"]
assert all(outcome.startswith(start) for outcome, start in zip(outcomes, starts, strict=True))
# endregion
