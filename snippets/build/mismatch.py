"""Shapes that don't broadcast are found before the backend is called."""

import logging
import re

import torch
from _step2_interpret import Interpreter, backend_of

calls = []
logging.getLogger("torch._subclasses.fake_tensor").setLevel(logging.CRITICAL)  # the error below says as much


def interpret(graph_module):
    calls.append(graph_module)
    return Interpreter(graph_module)


compiled = torch.compile(lambda x, y: x + y, backend=backend_of(interpret))
try:
    compiled(torch.ones(3), torch.ones(4))
except RuntimeError as error:
    message = re.search(r"Attempting to broadcast[^!]*!", str(error))[0]
    print(f"{type(error).__name__}: {message}")
print("graphs that the backend got:", len(calls))
# region checks
assert not calls and "Attempting to broadcast a dimension of length 4" in message
# endregion
