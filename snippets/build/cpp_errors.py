# /// lesson
# needs = ["compiler"]
# data = ["_step4_prelude.h"]
# ///
"""No compiler, and C++ that does not compile: both errors name the cause."""

import os

import _step4_cpp
import torch
from _step4_backend import backend


def attempt(name):
    torch.compiler.reset()
    try:
        torch.compile(torch.sin, backend=backend)(torch.ones(4))
    except torch._dynamo.exc.BackendCompilerFailed as error:
        lines = [line.split(": ", 1)[-1] for line in str(error).splitlines() if "Error" in line or " error: " in line]
        messages.append(lines[-1])
        print(f"{name}: {lines[-1]}")


messages = []
_step4_cpp.OPS["sin"] = "sinus({})"
attempt("an operator with a wrong name")
_step4_cpp.OPS["sin"] = "sin({})"
path, compiler = os.environ["PATH"], os.environ.pop("CXX", None)
os.environ["PATH"] = "/nowhere"
attempt("no compiler")
os.environ["PATH"] = path
os.environ |= {"CXX": compiler} if compiler else {}
attempt("repaired")
# region checks
assert len(messages) == 2 and "sinus" in messages[0] and "install g++" in messages[1]
# endregion
