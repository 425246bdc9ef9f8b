"""Hide a broken backend with suppress_errors: the function runs in eager mode."""

import logging

import torch


def broken_backend(graph_module, _):
    raise RuntimeError("a bug in the backend")


def double(x):
    return x * 2


# otherwise the error is logged, not raised; no public name for one logger's level
torch._logging.set_logs(dynamo=logging.CRITICAL)
for suppress in (False, True):
    torch.compiler.reset()
    compiled = torch.compile(double, backend=broken_backend)
    with torch._dynamo.config.patch(suppress_errors=suppress):
        try:
            outcome = compiled(torch.ones(3))
        except torch._dynamo.exc.BackendCompilerFailed as error:
            outcome = type(error).__name__
    print("suppress_errors =", suppress, "->", outcome)

# region checks
assert outcome.equal(torch.full((3,), 2.0))
# endregion
