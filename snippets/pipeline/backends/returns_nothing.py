"""A backend that returns nothing raises BackendCompilerFailed."""

import torch
from torch._dynamo.exc import BackendCompilerFailed


def only_look(graph_module, example_inputs):
    print(graph_module.code.strip())


try:
    torch.compile(torch.nn.Sigmoid(), backend=only_look)(torch.ones(4))
except BackendCompilerFailed as error:
    where, reason = str(error).splitlines()[:2]
    print(f"BackendCompilerFailed: {where}\n{reason}")

# region checks
assert where.startswith("backend='only_look' raised")
assert "compiler_fn did not return callable" in reason
# endregion
