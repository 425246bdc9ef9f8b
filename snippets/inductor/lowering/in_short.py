# /// lesson
# needs = ["compiler"]
# ///
"""GELU before a layer norm, computed once instead of three times."""

import torch
import torch.nn.functional as F

torch._logging.set_logs(output_code=True)


@torch.compile(options={"realize_opcount_threshold": 5})
def head(x, bias):
    return F.layer_norm(F.gelu(x + bias), (512,))


head(torch.randn(256, 512), torch.randn(512))  # prints the code: count `erf`

# region checks
assert head(torch.randn(256, 512), torch.randn(512)).shape == (256, 512)
# endregion
