"""Wrong: torch's Timer with its defaults. Its one thread triggers a recompile."""

import torch
from torch.utils.benchmark import Timer

from compile_lessons import keep_graphs

torch.set_num_threads(2)
x = torch.randn(1000)
settings = {"Timer(…)": {}, "Timer(…, num_threads=2)": {"num_threads": 2}}
compiles = []
for name, options in settings.items():
    torch.compiler.reset()
    kept = keep_graphs()
    compiled = torch.compile(torch.sin, backend=kept)
    compiled(x)  # the warm-up
    names = {"compiled": compiled, "x": x}
    Timer("compiled(x)", globals=names, **options).timeit(100)
    compiles.append(len(kept.graphs))
    print(f"{name:23} compiles, including the warm-up's: {compiles[-1]}")

# region checks
assert compiles == [2, 1]
# endregion
