# /// lesson
# needs = ["compiler"]
# data = ["_step4_prelude.h"]
# ///
"""No compiler, and C++ that does not compile: both errors name the cause."""

import os

import _step4_cpp
import torch
from _step4_backend import backend

messages = []


def attempt(what):
    torch.compiler.reset()
    try:
        torch.compile(torch.sin, backend=backend)(torch.ones(4))
    except torch._dynamo.exc.BackendCompilerFailed as error:
        # a line of Python has "Error: ", a line of g++ "error: "
        lines = [line for line in str(error).splitlines() if "rror: " in line]
        messages.append(lines[-1].split(": ", 1)[-1])
        print(f"{what}: {messages[-1]}")


_step4_cpp.OPS["sin"] = "sinus({})"
attempt("an operator with a wrong name")
_step4_cpp.OPS["sin"] = "sin({})"

environment = dict(os.environ)
os.environ["PATH"] = "/nowhere"
os.environ["CXX"] = ""
attempt("no compiler")
os.environ.update(environment)
attempt("repaired")  # prints nothing: there is no error
# region checks
assert len(messages) == 2
assert "sinus" in messages[0]
assert "install g++" in messages[1]
# endregion
