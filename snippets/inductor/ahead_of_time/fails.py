# /// lesson
# needs = ["compiler"]
# ///
"""What can't be captured ahead of time: a branch on data, and a graph break."""

import contextlib
import io
import logging

import torch

logging.disable(logging.WARNING)
x = torch.ones(4)
outcomes = []


def attempt(name, compile_ahead):
    discarded = io.StringIO()  # torch prints the graph up to the failure
    try:
        with (
            contextlib.redirect_stdout(discarded),
            contextlib.redirect_stderr(discarded),
        ):
            compile_ahead()
        outcomes.append("works")
    except Exception as error:
        outcomes.append(f"{type(error).__name__}: {str(error).strip().splitlines()[0]}")
    print(f"{name}\n    {outcomes[-1]}")


# region attempts
class Branch(torch.nn.Module):
    def forward(self, x):
        return x * 2 if x.sum() > 0 else x - 1


class Cond(torch.nn.Module):
    def forward(self, x):
        return torch.cond(x.sum() > 0, lambda x: x * 2, lambda x: x - 1, (x,))


compiled = torch.compile(Branch())
in_one_graph = torch.compile(Branch(), fullgraph=True)
attempt("export of Branch", lambda: torch.export.export(Branch(), (x,)))
attempt("export of Cond", lambda: torch.export.export(Cond(), (x,)))
attempt("aot_compile", lambda: compiled.forward.aot_compile(((x,), {})))
attempt(
    "aot_compile, fullgraph=True", lambda: in_one_graph.forward.aot_compile(((x,), {}))
)
# endregion
# region checks
starts = [
    "GuardOnDataDependent",
    "works",
    "RuntimeError: Graph breaks",
    "Unsupported: Data-dependent branching",
]
pairs = zip(outcomes, starts, strict=True)
assert all(outcome.startswith(start) for outcome, start in pairs)
# endregion
