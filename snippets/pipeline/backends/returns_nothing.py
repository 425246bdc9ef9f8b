# /// lesson
# raises = {type = "BackendCompilerFailed", message = "compiler_fn did not return callable"}
# ///
"""A backend that forgets to return something to call."""

import torch


def only_look(graph_module, example_inputs):
    print(graph_module.code.strip())


torch.compile(torch.sigmoid, backend=only_look)(torch.ones(4))
