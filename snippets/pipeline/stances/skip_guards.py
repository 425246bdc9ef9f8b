"""skip_guard_eval_unsafe: a guard that is not checked, and a wrong result."""

import torch

factor = 10


@torch.compile(backend="eager", dynamic=False)
def scaled(x):
    return x * factor


scaled(torch.ones(2))
scaled(torch.ones(3))  # now two versions, told apart by the size of x

factor = 20
with torch.compiler.set_stance(skip_guard_eval_unsafe=True):
    skipped = scaled(torch.ones(2))[0].item()
    print("factor is 20, guards skipped:", skipped)
    try:
        scaled(torch.ones(4))
    except RuntimeError as error:
        refused = str(error).split(".")[0]
        print("a different size:", refused)

checked = scaled(torch.ones(2))[0].item()
print("factor is 20, guards checked:", checked)

# region checks
assert skipped == 10
assert checked == 20
assert refused == "Recompilation triggered with skip_guard_eval_unsafe stance"
# endregion
