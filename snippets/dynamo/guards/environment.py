"""os.environ[...] is guarded, os.environ.get only while the variable is set, and os.getenv not at all."""

import os

import torch

from compile_lessons import Table, show

reads = {
    "eager mode": (lambda x: x * float(os.environ.get("SCALE", 1)), False),
    'os.environ["SCALE"]': (lambda x: x * float(os.environ["SCALE"]), True),
    'os.environ.get("SCALE", 1)': (lambda x: x * float(os.environ.get("SCALE", 1)), True),
    'os.getenv("SCALE", 1)': (lambda x: x * float(os.getenv("SCALE", 1)), True),
}


def results(function, scales):
    """Return what the calls give while SCALE has these values."""
    torch.compiler.reset()
    for scale in scales:
        os.environ.pop("SCALE", None)
        os.environ.update({"SCALE": scale} if scale else {})
        try:
            yield f"{function(torch.ones(1)).item():.0f}"
        except KeyError:
            yield "KeyError"


rows = []
for code, (function, compile_it) in reads.items():
    run = torch.compile(function, backend="eager") if compile_it else function
    rows.append([code, ", ".join(results(run, ["2", "3"])), ", ".join(results(run, ["", "2", "3"]))])
show(Table(["how SCALE is read", "SCALE is 2, 3", "SCALE is unset, 2, 3"], rows))
# region checks
right = ["2, 3", "1, 2, 3"]
assert [row[1:] for row in rows] == [right, ["2, 3", "KeyError, 2, 3"], ["2, 3", "1, 1, 1"], ["2, 2", "1, 1, 1"]]
assert list(results(torch.compile(reads["eager mode"][0], backend="eager"), ["2", "", "3"])) == ["2", "1", "1"]
del os.environ["SCALE"]
present = torch.compile(lambda x: x + ("SCALE" in os.environ), backend="eager")
absent = present(torch.ones(1)).item()
os.environ["SCALE"] = "1"
assert absent == present(torch.ones(1)).item() == 1  # stale too
# endregion
