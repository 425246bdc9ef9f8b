# /// lesson
# varies.output = ["\\d\\.\\d GiB$"]
# varies.values = ["peak"]
# ///
"""The shapes and bytes of a model with 70 billion parameters, without its memory."""

import resource

# region copy
import torch
from _llama import llama
from _saved import saved_by

# torch has no public name for it
from torch._subclasses.fake_tensor import FakeTensorMode

torch.set_default_dtype(torch.bfloat16)

with FakeTensorMode():  # build the model and its inputs inside
    model = llama()
    tokens = torch.zeros(4, 8192, dtype=torch.int64)
    logits, saved = saved_by(model, tokens)

weights = sum(parameter.nbytes for parameter in model.parameters())
print("result:", tuple(logits.shape), logits.dtype, logits.device)
print(f"parameters: {weights / 2**30:,.1f} GiB")
print(f"saved for the backward pass: {saved / 2**30:,.1f} GiB")
# endregion
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
print(f"memory of this process, at most: {peak:.1f} GiB")
billions = sum(parameter.numel() for parameter in model.parameters()) / 1e9

# region checks
assert round(billions, 2) == 70.55
assert peak < 4
assert logits.shape == (4, 8192, 128256)
assert logits.dtype == torch.bfloat16
# endregion
