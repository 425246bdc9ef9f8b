"""Mark a dimension before the first call."""

# region copy
import torch


@torch.compile(backend="eager")  # leave out backend= for Inductor
def double(x):
    return x * 2


batch = torch.ones(4, 3)
torch._dynamo.mark_dynamic(batch, 0)  # dimension 0 will change
double(batch)
# endregion

# region checks
with torch.compiler.set_stance("fail_on_recompile"):
    assert double(torch.ones(9, 3)).shape == (9, 3)
# endregion
