# /// lesson
# env = {TORCH_LOGS = "-all"}
# ///
"""A warm-up that runs under no_grad, for requests that run under inference_mode."""

import torch
from _service import classify

from compile_lessons import keep_graphs

kept = keep_graphs()
compiled = torch.compile(classify, backend=kept)
tokens = torch.ones(4, 16, dtype=torch.long)

# region warm
with torch.no_grad():
    compiled(tokens)
torch.compiler.set_stance("fail_on_recompile")
# endregion


def request(context):
    try:
        with context():
            compiled(tokens)
    except RuntimeError as error:
        return "\n".join(str(error).splitlines()[:4])
    return "served"


for context in (torch.no_grad, torch.inference_mode):
    print(f"{context.__name__}: {request(context)}")

# region checks
assert len(kept.graphs) == 1
# endregion
