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

show(Table(["verbose", "frames in the traceback", "the message names the variable"], rows))

# region checks
short, long = (row[1] for row in rows)
assert long > 2 * short and [row[2] for row in rows] == [True, False]
# endregion
