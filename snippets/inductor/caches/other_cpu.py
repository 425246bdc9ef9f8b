# /// lesson
# needs = ["compiler"]
# ///
"""A machine with AVX-512 fills a folder of caches. Then a machine with AVX2 uses the same folder."""

from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from multiprocessing import get_context

import torch
import torch._inductor.cpu_vec_isa as cpu_vec_isa
from torch._dynamo.utils import counters

from compile_lessons import Table, show


def wave(x):
    return (x * 3 + 1).sin()


def first_call(instructions, tag):
    """Compile in a new process, for a CPU with these vector instructions."""
    cpu_vec_isa.valid_vec_isa_list = lambda: [instructions]
    cpu_vec_isa.VecISA.__bool__ = lambda self: True  # whatever this machine has
    torch.compiler.config.cache_key_tag = tag
    x = torch.linspace(0, 1, 4096)
    with torch.no_grad():
        equal = torch.allclose(torch.compile(wave)(x), wave(x), atol=1e-5)
    return ["hit" if counters["aot_autograd"]["autograd_cache_hit"] else "miss", "yes" if equal else "no"]


avx512, avx2 = cpu_vec_isa.VecAVX512(), cpu_vec_isa.VecAVX2()
rows = []
for instructions, tag in ((avx512, ""), (avx2, ""), (avx2, "AVX2")):
    # A machine without AVX-512 can compile the first code, but not run it.
    with ProcessPoolExecutor(1, mp_context=get_context("fork")) as process, suppress(BrokenProcessPool):
        rows.append([str(instructions), tag or "-", *process.submit(first_call, instructions, tag).result()])
show(Table(["the process's CPU", "cache_key_tag", "cache", "matches eager mode"], rows[-2:]))
# region checks
assert rows[-2:] == [["avx2", "-", "hit", "no"], ["avx2", "AVX2", "miss", "yes"]]
# endregion
