"""The same node, wherever the number comes from."""

import re

import torch


class Settings:
    scale = 3


def make(scale):
    return lambda x: x * scale


def keep_code(graph_module, example_inputs):
    codes.append(graph_module.code)
    return graph_module.forward


settings, options, codes = Settings(), {"scale": [0, 3]}, []
functions = {
    "constant": lambda x: x * 3,
    "closure": make(3),
    "attribute": lambda x: x * settings.scale,
    "dict and list": lambda x: x * options["scale"][-1],
    "built-in calls": lambda x: x * len(str(100)),
    "comprehension": lambda x: x * max([n for n in range(5) if n % 3 == 0]),
}
for name, function in functions.items():
    torch.compile(function, backend=keep_code)(torch.ones(2))
    print(f"{name:15}", re.search(r"\w+ = l_x_ \* .*?;", codes[-1]).group())

different = len(set(codes))
assert len(codes) == 6 and different == 1

settings.scale = 4  # this value was guarded
torch.compile(functions["attribute"], backend=keep_code)(torch.ones(2))
assert len(codes) == 7
