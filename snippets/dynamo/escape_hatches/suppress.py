"""Hide a broken backend with suppress_errors: the function runs in eager mode."""

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


# region checks
def keep_graph(graph_module, example_inputs):
    graphs.append(graph_module)
    return graph_module.forward


def shifted_square(x):
    y = torch.relu(x) + 1
    print(end="")
    return y * y


for suppress in (False, True):  # it leaves graph breaks as they are
    torch.compiler.reset()
    graphs = []
    with torch._dynamo.config.patch(suppress_errors=suppress):
        torch.compile(shifted_square, backend=keep_graph)(torch.ones(3))
        assert len(graphs) == 2
        try:
            torch.compile(shifted_square, backend="eager", fullgraph=True)(torch.ones(3))
            raise AssertionError
        except torch._dynamo.exc.Unsupported:
            pass

forward_only = torch._dynamo.backends.common.aot_autograd(
    fw_compiler=lambda graph_module, inputs: graph_module.forward, bw_compiler=broken_backend
)
with torch._dynamo.config.patch(suppress_errors=True):
    loss = torch.compile(lambda x: x.sin().sum(), backend=forward_only)(torch.ones(3, requires_grad=True))
    try:
        loss.backward()
        raise AssertionError
    except RuntimeError as error:
        assert "a bug in the backend" in str(error)
# endregion
