"""Programs that mix fake tensors with real ones, or with those of another mode, and the same programs, fixed."""

import copy
import warnings

import torch
from torch._subclasses.fake_tensor import FakeTensorMode

from compile_lessons import Table, show

warnings.filterwarnings("ignore", "Accessing the data pointer")
Linear, mode = torch.nn.Linear, FakeTensorMode()
layer, bias, x = Linear(3, 3), torch.ones(3), torch.ones(2, 3)
fake = mode.from_tensor(x)


@torch.compiler.allow_in_graph
def add(x, bias=bias):
    return x + bias


def message(program, *arguments):
    try:
        return program(*arguments) is not None and "works"
    except (AssertionError, RuntimeError) as error:
        text = str(error).partition('got AssertionError("')[2] or str(error)
        return " ".join(text.split()[:6]).partition(".")[0]


programs = {  # each with its fix
    "layer(fake)": (lambda: layer(fake), lambda: Linear(3, 3)(fake)),
    "fake + bias": (lambda: fake + bias, lambda: fake + mode.from_tensor(bias)),
    "copy.deepcopy(Linear(3, 3))(fake)": (lambda: copy.deepcopy(Linear(3, 3))(fake), lambda: Linear(3, 3)(fake)),
    "Linear(3, 3).bfloat16()": (lambda: Linear(3, 3).bfloat16(), lambda: Linear(3, 3, dtype=torch.bfloat16)),
}
with mode:
    rows = [[name, message(wrong), message(fixed)] for name, (wrong, fixed) in programs.items()]
compiled = torch.compile(lambda *tensors: add(*tensors), backend="eager")
rows += [["compiled: add(x)", message(compiled, x), message(compiled, x, bias)]]
show(Table(["program", "the message begins with", "fixed"], rows))
# region checks
convert = "Please convert all Tensors to FakeTensors"
assert [row[1] for row in rows] == [convert, convert, "Mixing fake modes NYI x", rows[3][1], convert]
assert "Couldn't swap Linear" in rows[3][1] and all(row[2] == "works" for row in rows)
# endregion
