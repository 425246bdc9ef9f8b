# /// lesson
# needs = ["compiler"]
# varies.output = ['/\S+/\w+\.main\.so']
# ///
"""A run is killed while it writes a library into the cache folder; two more start."""

import os
import shutil
import tempfile
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import torch
from torch._inductor import cpu_vec_isa  # private

cpu_vec_isa.pick_vec_isa()  # find out the vector instructions before the folder changes
folder = Path(tempfile.mkdtemp())
os.environ["TORCHINDUCTOR_CACHE_DIR"] = str(folder)


def call_compiled():
    try:
        torch.compile(torch.nn.GELU())(torch.ones(16))
    except Exception as error:
        return " ".join(str(error).splitlines()[:2])
    return "no error"


outcomes = []


def run(name):
    with ProcessPoolExecutor(1, get_context("fork")) as process:
        outcome = process.submit(call_compiled).result()
    outcomes.append(outcome)
    print(f"{name}: {outcome}")


# region runs
run("first run")
[library] = folder.glob("*/*.main.so")
library.write_bytes(b"")  # as a kill in the middle of writing leaves it
run("after the kill")
shutil.rmtree(folder)
run("with the folder deleted")
# endregion
# region checks
assert outcomes[0] == outcomes[2] == "no error"
assert "ImportError" in outcomes[1]
assert outcomes[1].endswith("file too short")
# endregion
