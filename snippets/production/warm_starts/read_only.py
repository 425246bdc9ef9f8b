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

# private: what a start finds in its caches has no public name
from torch._dynamo.utils import counters
from torch._inductor import cpu_vec_isa  # private
from torch._inductor.utils import clear_caches  # private

logging.disable(logging.ERROR)  # "Failed to load artifact"
cpu_vec_isa.pick_vec_isa()  # find the vector instructions before the folder changes
folder = tempfile.mkdtemp()
os.environ["TORCHINDUCTOR_CACHE_DIR"] = folder
model = torch.nn.GELU()


def start():
    torch.compiler.reset()
    clear_caches()  # nothing in memory, as in a new process
    counters.clear()
    try:
        with torch.no_grad():
            torch.compile(model)(torch.ones(16))
    except Exception as error:
        return f"{type(error).__name__}: {str(error).splitlines()[0]}"
    return f"{counters['aot_autograd']['autograd_cache_hit']} hits"


# region starts
built = start()
served = start()
print("the image is built:", built)
print("the service starts:", served)
Path(folder, "locks").rename(f"{folder}/old")
Path(folder, "locks").symlink_to("/sys")  # this user can't create files there
refused = start()
print("the service starts with no lock files:", refused)
# endregion

# region checks
assert built == "0 hits"
assert served == "1 hits"
assert "InductorError: PermissionError" in refused
assert refused.endswith(".lock'")
# endregion
