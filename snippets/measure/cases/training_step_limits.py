# /// lesson
# needs = ["gpu", "triton"]
# memory = 60000
# timeout = 300
# data = ["_gpt2.py", "_gpt2_steps.py"]
# ///
"""The kernels of the compiled training step, compared with the GPU's limits."""

from _limits import print_limits, share

profile = print_limits("_gpt2_steps.py", 3)
# region checks
matmul_share = share(profile, "nvjet")
fused_share = share(profile, "triton_")
# endregion
