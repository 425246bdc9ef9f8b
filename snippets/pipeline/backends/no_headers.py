# /// lesson
# needs = ["compiler"]
# ///
"""Without Python's headers, generated C++ does not compile."""

import sysconfig
import tempfile
import warnings

import torch
import torch._inductor.config
from torch._inductor.exc import InductorError  # torch has no public name for it


def get_path_without_headers(name, *args, **kwargs):
    if name == "include":
        return empty_folder
    return get_path(name, *args, **kwargs)


@torch.compile
def quick_gelu(x):
    return x * torch.sigmoid(1.702 * x)


get_path = sysconfig.get_path
empty_folder = tempfile.mkdtemp()
sysconfig.get_path = get_path_without_headers
warnings.filterwarnings("ignore", "Can't find Python.h")
# the precompiled header needs no Python.h, but 10 s
torch._inductor.config.cpp_cache_precompile_headers = False

try:
    quick_gelu(torch.linspace(-4, 4, 512))
except InductorError as error:
    first, *lines = str(error).splitlines()
    [reason] = [line.partition("fatal ")[2] for line in lines if "fatal " in line]
    print(first, reason, sep="\n")

# region checks
assert reason == "error: Python.h: No such file or directory"
# endregion
