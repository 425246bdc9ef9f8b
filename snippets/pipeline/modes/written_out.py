# /// lesson
# needs = ["compiler"]
# ///
"""A mode's options, written out, and one more."""

import torch
from torch._inductor.utils import run_and_get_code


def softmax(x):
    return torch.softmax(x.sin(), -1)


options = torch._inductor.list_mode_options("max-autotune") | {"cpp.simdlen": 0}
print(options)

x = torch.linspace(-1, 1, 64 * 64).reshape(64, 64)
y, [code] = run_and_get_code(torch.compile(softmax, options=options), x)
vectors = code.count("at::vec::Vectorized")
print("uses of vector types:", vectors)
assert vectors == 0 and options["max_autotune"] is True
torch.testing.assert_close(y, softmax(x))
