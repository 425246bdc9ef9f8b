# /// lesson
# env = {TORCH_LOGS = "graph_breaks", TORCH_LOGS_FORMAT = "%(message)s"}
# ///
"""With TORCH_LOGS set, set_logs does nothing."""

import torch

torch._logging.set_logs(recompiles=True)


@torch.compile(backend="eager")
def scaled(x, name):
    return x * len(name)


for name in ("a", "ab"):  # the second call recompiles
    scaled(torch.ones(2), name)
versions = len(torch._dynamo.eval_frame._debug_get_cache_entry_list(scaled._torchdynamo_orig_callable.__code__))
print(f"{versions} versions, and no log of the recompile")
# region checks
assert versions == 2
# endregion
