# /// lesson
# needs = ["compiler"]
# varies.output = ['c[a-z2-7]{51}']
# ///
"""Start from a complete cache folder in which torch can't create its lock files."""

import logging
import os
import tempfile
from pathlib import Path

import torch
from torch._dynamo.utils import counters
from torch._inductor import cpu_vec_isa
from torch._inductor.utils import clear_caches

logging.disable(logging.ERROR)  # "Failed to load artifact"
cpu_vec_isa.pick_vec_isa()  # find out the vector instructions before the folder changes
os.environ["TORCHINDUCTOR_CACHE_DIR"] = folder = tempfile.mkdtemp()
model, outcomes = torch.nn.GELU(), []


def start(name):
    torch.compiler.reset()
    clear_caches()  # nothing in memory, as in a new process
    counters.clear()
    try:
        with torch.no_grad():
            torch.compile(model)(torch.ones(16))
        outcomes.append(f"{counters['aot_autograd']['autograd_cache_hit']} hits")
    except Exception as error:
        outcomes.append(f"{type(error).__name__}: {str(error).splitlines()[0]}")
    print(f"{name}:", outcomes[-1])


start("the image is built")
start("the service starts")
Path(folder, "locks").rename(f"{folder}/old")
Path(folder, "locks").symlink_to("/sys")  # a folder in which this user can't create files
start("the service starts with no lock files")
# region checks
assert outcomes[:2] == ["0 hits", "1 hits"]
assert "InductorError: PermissionError" in outcomes[2] and outcomes[2].endswith(".lock'")
# endregion
