"""Where a hook ends up: in the backward graph, in autograd's engine, or nowhere."""

import torch
from functorch.compile import make_boxed_func
from torch._dynamo.backends.common import aot_autograd  # private: no public name

from compile_lessons import Table, show


# region step
def clip(gradient):
    return gradient.clamp(-0.5, 0.5)


def step(x, w, hooked):
    y = torch.sin(x * w)
    if hooked == "y":
        y.register_hook(clip)
    y.sum().backward()


def gradient(function, hooked):
    w = torch.ones(4, requires_grad=True)
    if hooked == "w":
        w.register_hook(clip)
    function(torch.ones(4), w, hooked)
    return w.grad


# endregion
codes = []


def keep_code(traced, example_inputs):
    codes.append(traced.code)
    return make_boxed_func(traced.forward)


def place_of_hook(hooked, **settings):
    torch.compiler.reset()
    codes.clear()
    with torch._dynamo.config.patch(**settings):
        compiled = torch.compile(step, backend=aot_autograd(fw_compiler=keep_code))
        actual = gradient(compiled, hooked)
    if torch.equal(actual, gradient(step, "nothing")):
        return "not run"
    assert torch.equal(actual, gradient(step, hooked))
    inside = any("clamp" in code and "cos" in code for code in codes)
    return "in the graph" if inside else "by the engine"


settings = {
    "default": {},
    "compiled_autograd": {"compiled_autograd": True},
    "trace_autograd_ops": {"trace_autograd_ops": True},
}
rows = []
for name, setting in settings.items():
    rows.append([name, place_of_hook("y", **setting), place_of_hook("w", **setting)])
show(Table(["setting", "hook on y", "hook on w"], rows))
# region checks
assert [row[1] for row in rows] == ["in the graph"] * 3
assert [row[2] for row in rows] == ["by the engine", "in the graph", "not run"]
# endregion
