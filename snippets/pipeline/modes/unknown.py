"""An unknown option raises an error."""

import torch

# torch documents this function, although its module is private
known = len(torch._inductor.list_options())
try:
    torch.compile(torch.sin, options={"fusion_enabled": True})
except RuntimeError as error:
    refused = str(error).split(",")[0]
    print(refused)
print(f"options this torch knows: {known}")

# region checks
assert refused == "Unexpected optimization option fusion_enabled"
assert not hasattr(torch._inductor.config, "fusion_enabled")
# endregion
