"""Change a setting of torch and see whether a guard notices it."""

import torch

from compile_lessons import Table, show


def keep_graph(graph_module, example_inputs):
    graphs.append(graph_module)
    return graph_module.forward


settings = {
    "gradients off": (torch.set_grad_enabled, False, True),
    "autocast on": (lambda on: torch.set_autocast_enabled("cpu", on), True, False),
    "float64 as default": (torch.set_default_dtype, torch.float64, torch.float32),
    "deterministic algorithms": (torch.use_deterministic_algorithms, True, False),
    "another number of threads": (torch.set_num_threads, torch.get_num_threads() + 1, torch.get_num_threads()),
    "another default device": (torch.set_default_device, "meta", None),
    "another random seed": (torch.manual_seed, 1, 2),
    "no flash attention": (torch.backends.cuda.enable_flash_sdp, False, True),
    "no oneDNN": (torch.backends.mkldnn.set_flags, False, True),
    "cuDNN benchmarks": (lambda on: setattr(torch.backends.cudnn, "benchmark", on), True, False),
}
x, rows = torch.ones(4), []
for name, (change, other, usual) in settings.items():
    torch.compiler.reset()
    graphs, compiled = [], torch.compile(lambda x: x + 1, backend=keep_graph)
    compiled(x)
    change(other)
    compiled(x)
    change(usual)
    rows.append([name, "yes" if len(graphs) == 2 else "no"])

show(Table(["the second call has", "recompiles"], rows))
# region checks
assert [row[1] for row in rows] == ["yes"] * 6 + ["no"] * 4
# endregion
