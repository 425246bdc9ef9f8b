"""The same lines with fake tensors and on the device "meta"."""

import torch
from _llama import Block
from _saved import saved_by
from torch._subclasses.fake_tensor import FakeTensorMode  # no public name

from compile_lessons import Table, show


def outcome(matmul):
    try:
        return str(matmul().shape)
    except (AssertionError, RuntimeError) as error:
        return type(error).__name__


# region lines
def try_lines(gpu, cpu):
    """Return what four lines give, with the devices that stand for GPU and CPU."""
    weight = torch.empty(3, 3, device=gpu)
    other = torch.empty(3, 3, device=cpu)
    _result, saved = saved_by(Block(), torch.empty(1, 8192, 8192))
    return {
        "weight.device": str(weight.device),
        "cpu @ weight": outcome(lambda: other @ weight),
        "data @ weight": outcome(lambda: data @ weight),
        "GiB saved by one block": f"{saved / 2**30:.1f}",
    }


# endregion
torch.set_default_dtype(torch.bfloat16)
data = torch.ones(3, 3)
with FakeTensorMode():
    fake = try_lines("cuda", "cpu")
with torch.device("meta"):
    meta = try_lines("meta", "meta")
rows = [[line, fake[line], meta[line]] for line in fake]
show(Table(["line", "FakeTensorMode", 'device="meta"'], rows))

# region checks
errors = ["FakeTensorDeviceMismatchError", "AssertionError"]
assert list(fake.values()) == ["cuda:0", *errors, "3.0"]
assert list(meta.values()) == [
    "meta",
    "torch.Size([3, 3])",
    "torch.Size([3, 3])",
    "19.6",
]
assert (data @ torch.empty(3, 3, device="meta")).device.type == "cpu"
# endregion
