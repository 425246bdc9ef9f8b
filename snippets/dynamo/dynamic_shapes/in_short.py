# /// lesson
# needs = ["compiler"]
# ///
"""Mark a dimension before the first call."""

import torch

torch._logging.set_logs(recompiles=True)
compiled = torch.compile(torch.nn.Linear(3, 2))
for step, batch in enumerate(torch.ones(11, 3).split(4)):
    if step == 0:  # before the first call: the batch size will change
        torch._dynamo.mark_dynamic(batch, 0)
    print(compiled(batch).shape)

# region checks
torch.compiler.set_stance("fail_on_recompile")
assert compiled(torch.ones(100, 3)).shape == (100, 2)
# endregion
