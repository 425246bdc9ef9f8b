# /// lesson
# needs = ["compiler"]
# timeout = 300
# ///
"""map under Inductor: an error by default, a result with fullgraph=True."""

import logging

import torch
from torch._higher_order_ops.map import map as map_over


def doubled(x):
    return map_over(lambda row: row * 2, x)


torch._logging.set_logs(all=logging.CRITICAL)
x = torch.ones(4, 3)
for fullgraph in (False, True):
    torch.compiler.reset()
    try:
        result = tuple(torch.compile(doubled, fullgraph=fullgraph)(x).shape)
    except torch._inductor.exc.InductorError as error:
        result = str(error).splitlines()[0]
    print(f"fullgraph={fullgraph}:", result)

# region checks
assert result == (4, 3)
# endregion
