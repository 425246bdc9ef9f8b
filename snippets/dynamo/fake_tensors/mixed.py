"""Programs that mix fake tensors with other tensors, and the same programs, fixed."""

import copy
import warnings

import torch
from torch import nn
from torch._subclasses.fake_tensor import FakeTensorMode  # no public name

from compile_lessons import Table, show

layer = nn.Linear(3, 3)
bias = torch.ones(3)
x = torch.ones(2, 3)
mode = FakeTensorMode()
fake = mode.from_tensor(x)


@torch.compiler.allow_in_graph
def add_bias(x, bias=bias):
    return x + bias


def outcome(program):
    try:
        program()
    except (AssertionError, RuntimeError) as error:
        text = str(error).partition('got AssertionError("')[2] or str(error)
        return " ".join(text.split()[:6]).partition(".")[0]
    return "works"


# region programs
programs = {
    "layer(fake)": lambda: layer(fake),
    "fake + bias": lambda: fake + bias,
    "copy.deepcopy(nn.Linear(3, 3))(fake)": lambda: copy.deepcopy(nn.Linear(3, 3))(
        fake
    ),
    "nn.Linear(3, 3).bfloat16()": lambda: nn.Linear(3, 3).bfloat16(),
}
fixed = [
    lambda: nn.Linear(3, 3)(fake),
    lambda: fake + mode.from_tensor(bias),
    lambda: nn.Linear(3, 3)(fake),
    lambda: nn.Linear(3, 3, dtype=torch.bfloat16),
]
compiled = torch.compile(lambda *tensors: add_bias(*tensors) * 1, backend="eager")
# endregion

warnings.filterwarnings("ignore", "Accessing the data pointer")
rows = []
with mode:
    for (name, program), fix in zip(programs.items(), fixed, strict=True):
        rows.append([name, outcome(program), outcome(fix)])
without_bias = outcome(lambda: compiled(x))
rows.append(["compiled: add_bias(x)", without_bias, outcome(lambda: compiled(x, bias))])
show(Table(["program", "the message begins with", "fixed"], rows))

# region checks
convert = "Please convert all Tensors to FakeTensors"
assert [rows[number][1] for number in (0, 1, 4)] == [convert] * 3
assert rows[2][1] == "Mixing fake modes NYI x"
assert "Couldn't swap Linear" in rows[3][1]
assert all(row[2] == "works" for row in rows)
# endregion
