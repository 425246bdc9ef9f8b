"""suppress_errors hides a broken backend; the function runs in Python."""

import logging

import torch


def broken_backend(graph_module, example_inputs):
    raise RuntimeError("a bug in the backend")


def double(x):
    return x * 2


torch._logging.set_logs(dynamo=logging.CRITICAL)  # otherwise the error is logged, not raised
for suppress in (False, True):
    torch.compiler.reset()
    with torch._dynamo.config.patch(suppress_errors=suppress):
        try:
            print("suppress_errors =", suppress, "->", torch.compile(double, backend=broken_backend)(torch.ones(3)))
        except torch._dynamo.exc.BackendCompilerFailed as error:
            print("suppress_errors =", suppress, "->", type(error).__name__)
