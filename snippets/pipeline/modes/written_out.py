# /// lesson
# needs = ["compiler"]
# ///
"""A mode's options, written out, and one more."""

import torch

from compile_lessons import capture


def softmax(x):
    return torch.softmax(x.sin(), -1)


# region copy
options = torch._inductor.list_mode_options("max-autotune") | {"cpp.simdlen": 0}
compiled = torch.compile(softmax, options=options)
# endregion
print(options)
x = torch.linspace(-1, 1, 64 * 64).reshape(64, 64)
[kernel] = capture(softmax, options=options)(x).kernels
print("vector types in the kernel:", kernel.source.count("at::vec::Vectorized"))

# region checks
assert "at::vec::Vectorized" not in kernel.source and options["max_autotune"] is True
torch.testing.assert_close(compiled(x), softmax(x))
# endregion
