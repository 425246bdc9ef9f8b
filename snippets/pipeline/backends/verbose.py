"""A backend that fails: config.verbose decides how much of the traceback you get."""

import traceback

import torch
import torch._dynamo.config
from torch._dynamo.exc import BackendCompilerFailed

from compile_lessons import Table, show


def failing(graph_module, example_inputs):
    raise ValueError("this backend always fails")


rows = []
for verbose in (False, True):
    torch.compiler.reset()
    with torch._dynamo.config.patch(verbose=verbose):
        try:
            torch.compile(lambda x: x.sin(), backend=failing)(torch.ones(2))
        except BackendCompilerFailed as error:
            frames = len(traceback.extract_tb(error.__traceback__))
            rows.append([str(verbose), frames, "TORCHDYNAMO_VERBOSE=1" in str(error)])

columns = ["verbose", "frames in the traceback", "the message names the variable"]
show(Table(columns, rows))

# region checks
assert rows[1][1] > 2 * rows[0][1]
assert rows[0][2] is True
assert rows[1][2] is False
# endregion
