"""The same lines with fake tensors and on the device "meta"."""

import torch
from _llama import Block
from _saved import saved_by
from torch._subclasses.fake_tensor import FakeTensorMode

from compile_lessons import Table, show


def outcome(line):
    try:
        return str(line())
    except (AssertionError, RuntimeError) as error:
        return type(error).__name__


def outcomes(mode, cuda):
    """Run the lines, with ``cuda`` as the GPU: the device "meta" has no other name for it."""
    with mode:
        weight, cpu = torch.empty(3, 3, device=cuda), torch.empty(3, 3, device="cpu" if cuda == "cuda" else "meta")
        lines = {
            "weight.device": lambda: weight.device,
            "cpu @ weight": lambda: (cpu @ weight).shape,
            "data @ weight": lambda: (data @ weight).shape,
            "GiB saved by one block": lambda: f"{saved_by(Block(), torch.empty(1, 8192, 8192))[1] / 2**30:.1f}",
        }
        return {name: outcome(line) for name, line in lines.items()}


data = torch.ones(3, 3)
torch.set_default_dtype(torch.bfloat16)
fake = outcomes(FakeTensorMode(), "cuda")
meta = outcomes(torch.device("meta"), "meta")
show(Table(["line", "FakeTensorMode", 'device="meta"'], [[name, fake[name], meta[name]] for name in fake]))
# region checks
assert list(fake.values()) == ["cuda:0", "FakeTensorDeviceMismatchError", "AssertionError", "3.0"]
assert (data @ torch.empty(3, 3, device="meta")).device.type == "cpu"
assert list(meta.values()) == ["meta", "torch.Size([3, 3])", "torch.Size([3, 3])", "19.6"]
# endregion
