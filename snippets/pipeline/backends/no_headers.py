# /// lesson
# needs = ["compiler"]
# ///
"""Without Python's headers, generated C++ does not compile."""

import sysconfig
import tempfile
import warnings

import torch
import torch._inductor.config
from torch._inductor.exc import InductorError

folder_of, empty = sysconfig.get_path, tempfile.mkdtemp()
sysconfig.get_path = lambda name, *args, **kwargs: empty if name == "include" else folder_of(name, *args, **kwargs)
warnings.filterwarnings("ignore", "Can't find Python.h")
torch._inductor.config.cpp_cache_precompile_headers = False  # the precompiled header needs no Python.h, but 10 s


@torch.compile
def quick_gelu(x):
    return x * torch.sigmoid(1.702 * x)


try:
    quick_gelu(torch.linspace(-4, 4, 512))
except InductorError as error:
    first, *lines = str(error).splitlines()
    [reason] = [line.partition("fatal ")[2] for line in lines if "fatal " in line]
    print(first, reason, sep="\n")

# region checks
assert reason == "error: Python.h: No such file or directory"
# endregion
