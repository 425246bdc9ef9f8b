# /// lesson
# needs = ["gpu", "triton"]
# timeout = 200
# memory = 32768
# env = {TORCHINDUCTOR_MAX_AUTOTUNE_REPORT_CHOICES_STATS = "0"}
# ///
"""What max-autotune tries on an H200 for 16 rows and for 8192, and what it takes."""

import re
import warnings

import torch
from _layer import inputs, layer
from torch._inductor import config

# private: torch has no public way to get Inductor's code as a string
from torch._inductor.utils import run_and_get_code

warnings.simplefilter("ignore")  # of a deprecated function of torch that torch calls
config.compile_threads = 8
config.autotune_num_choices_displayed = 6
kernels = []
for rows in (16, 8192):
    print(f"rows: {rows}", flush=True)
    with torch.inference_mode():
        mode = "max-autotune-no-cudagraphs"
        compiled = torch.compile(layer, mode=mode, dynamic=False)
        _, [code] = run_and_get_code(compiled, *inputs(rows))
    kernels.append(re.findall(r"(extern_kernels\.\w+|\w+\.run)\(", code))
    print(f"kernels of the compiled code: {', '.join(kernels[-1])}\n", flush=True)
# region checks
assert all(1 <= len(names) <= 2 for names in kernels)
# endregion
