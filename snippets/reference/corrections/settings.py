"""Defaults and names that differ from what texts say."""

import inspect

import torch
import torch._dynamo.config
import torch._functorch.config as functorch
import torch._inductor.config as inductor

from compile_lessons import Table, show

graphs_of_updates = inductor.triton.cudagraph_support_input_mutation
settings = {
    "torch._inductor.config.fx_graph_cache": inductor.fx_graph_cache,
    "torch._functorch.config.enable_autograd_cache": functorch.enable_autograd_cache,
    "torch._inductor.config.triton.cudagraphs": inductor.triton.cudagraphs,
    "…config.triton.cudagraph_support_input_mutation": graphs_of_updates,
}
rows = [[name, str(value)] for name, value in settings.items()]
show(Table(["setting", "default"], rows))

old_name = "cudagraph_support_input_mutation"
parameters = inspect.signature(torch.compile).parameters
names = {
    f"torch._inductor.config.{old_name}": hasattr(inductor, old_name),
    "torch.Tensor.layer_norm": hasattr(torch.Tensor, "layer_norm"),
    "torch.compile.allow_in_graph": hasattr(torch.compile, "allow_in_graph"),
    "torch.compiler.allow_in_graph": hasattr(torch.compiler, "allow_in_graph"),
    "torch.grad": hasattr(torch, "grad"),
    "torch.func.grad": hasattr(torch.func, "grad"),
    "torch.compile(…, dynamic_shapes=…)": "dynamic_shapes" in parameters,
    "torch.compile(…, dynamic=…)": "dynamic" in parameters,
}
show(Table(["name", "exists"], [[name, str(exists)] for name, exists in names.items()]))
torch._dynamo.config.cache_size_limit = 16
limit = torch._dynamo.config.recompile_limit
print("cache_size_limit = 16 sets recompile_limit to", limit)
# region checks
assert list(settings.values()) == [True, True, False, True]
assert list(names.values()) == [False, False, False, True, False, True, False, True]
assert limit == 16
# endregion
