"""Defaults that many texts have otherwise."""

import torch._dynamo.config
import torch._functorch.config
import torch._inductor.config

from compile_lessons import Table, show

settings = {
    "torch._inductor.config.fx_graph_cache": torch._inductor.config.fx_graph_cache,
    "torch._functorch.config.enable_autograd_cache": torch._functorch.config.enable_autograd_cache,
    "torch._inductor.config.triton.cudagraph_support_input_mutation": (
        torch._inductor.config.triton.cudagraph_support_input_mutation
    ),
    "torch._dynamo.config.recompile_limit": torch._dynamo.config.recompile_limit,
}
show(Table(["setting", "default"], [[name, str(value)] for name, value in settings.items()]))

assert list(settings.values()) == [True, True, True, 8]
