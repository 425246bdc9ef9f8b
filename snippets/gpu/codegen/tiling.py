# /// lesson
# needs = ["triton"]
# ///
"""A transposed read in two dimensions, and in one."""

import torch

from compile_lessons import capture


def add_transposed(x, y):
    return x + y.t()


x = torch.empty(4096, 4096)
sources = []
for tiles in (2, 1):
    options = {"triton.max_tiles": tiles}
    pipeline = capture(
        add_transposed, target="h200", machine_code=False, options=options
    )
    [kernel] = pipeline(x, x.clone()).graphs[0].kernels
    print(f"# triton.max_tiles = {tiles}")
    print(kernel.source[kernel.source.index("def ") :].split("''',")[0])
    sources.append(kernel.source)
# region checks
assert "YBLOCK" in sources[0]
assert "YBLOCK" not in sources[1]
assert "4096*x1" in sources[0]
# endregion
