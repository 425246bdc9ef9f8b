"""Shapes that don't broadcast are found before the backend is called."""

import logging
import re

import torch
from _step2_interpret import Interpreter, backend_of

# this log says the same as the error below
logging.getLogger("torch._subclasses.fake_tensor").setLevel(logging.CRITICAL)
graphs = []


def interpret(graph_module):
    graphs.append(graph_module)
    return Interpreter(graph_module)


compiled = torch.compile(lambda x, y: x + y, backend=backend_of(interpret))
try:
    compiled(torch.ones(3), torch.ones(4))
except RuntimeError as error:
    message = re.search(r"Attempting to broadcast[^!]*!", str(error))[0]
    print(f"{type(error).__name__}: {message}")
print("graphs that the backend got:", len(graphs))
# region checks
assert not graphs
assert "Attempting to broadcast a dimension of length 4" in message
# endregion
