# /// lesson
# needs = ["compiler"]
# ///
"""A machine with AVX-512 fills a cache folder, then one with AVX2 uses the folder."""

from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from multiprocessing import get_context

import torch
from torch._dynamo.utils import counters  # private: torch has no public counter
from torch._inductor import cpu_vec_isa  # private: stands for another machine

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
    hits = counters["aot_autograd"]["autograd_cache_hit"]
    return ["hit" if hits else "miss", "yes" if equal else "no"]


rows = []


def run(instructions, tag):
    fork = get_context("fork")
    # A machine without AVX-512 can compile the first code, but not run it.
    with ProcessPoolExecutor(1, fork) as process, suppress(BrokenProcessPool):
        outcome = process.submit(first_call, instructions, tag).result()
        rows.append([str(instructions), tag or "-", *outcome])


# region runs
avx512 = cpu_vec_isa.VecAVX512()
avx2 = cpu_vec_isa.VecAVX2()
run(avx512, tag="")  # fills the folder
run(avx2, tag="")
run(avx2, tag="AVX2")
# endregion
rows = rows[-2:]
show(Table(["the process's CPU", "cache_key_tag", "cache", "matches eager mode"], rows))
# region checks
assert rows == [["avx2", "-", "hit", "no"], ["avx2", "AVX2", "miss", "yes"]]
# endregion
