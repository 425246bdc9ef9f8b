"""Defaults and names that differ from what texts say."""

import inspect

import torch
import torch._dynamo.config
import torch._functorch.config
import torch._inductor.config as inductor

from compile_lessons import Table, show

settings = {
    "torch._inductor.config.fx_graph_cache": inductor.fx_graph_cache,
    "torch._functorch.config.enable_autograd_cache": torch._functorch.config.enable_autograd_cache,
    "torch._inductor.config.triton.cudagraphs": inductor.triton.cudagraphs,
    "torch._inductor.config.triton.cudagraph_support_input_mutation": inductor.triton.cudagraph_support_input_mutation,
}
show(Table(["setting", "default"], [[name, str(value)] for name, value in settings.items()]))
names = {
    "torch._inductor.config.cudagraph_support_input_mutation": hasattr(inductor, "cudagraph_support_input_mutation"),
    "torch.Tensor.layer_norm": hasattr(torch.Tensor, "layer_norm"),
    "torch.compile.allow_in_graph": hasattr(torch.compile, "allow_in_graph"),
    "torch.compiler.allow_in_graph": hasattr(torch.compiler, "allow_in_graph"),
    "torch.grad": hasattr(torch, "grad"),
    "torch.func.grad": hasattr(torch.func, "grad"),
    "torch.compile(…, dynamic_shapes=…)": "dynamic_shapes" in inspect.signature(torch.compile).parameters,
    "torch.compile(…, dynamic=…)": "dynamic" in inspect.signature(torch.compile).parameters,
}
show(Table(["name", "exists"], [[name, str(exists)] for name, exists in names.items()]))
torch._dynamo.config.cache_size_limit = 16
print("cache_size_limit = 16 sets recompile_limit to", torch._dynamo.config.recompile_limit)
# region checks
assert list(settings.values()) == [True, True, False, True]
assert list(names.values()) == [False, False, False, True, False, True, False, True]
assert torch._dynamo.config.recompile_limit == 16
# endregion
