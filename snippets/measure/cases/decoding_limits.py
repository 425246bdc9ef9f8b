# /// lesson
# needs = ["gpu", "triton"]
# memory = 30000
# timeout = 300
# data = ["_llama.py", "_sums_steps.py"]
# ///
"""The kernels of decoding with products as sums, compared with the GPU's limits."""

from _limits import print_limits, share

profile = print_limits("_sums_steps.py", 40)
# region checks
fused_share = share(profile, "triton_red")
# endregion
