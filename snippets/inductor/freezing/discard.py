# /// lesson
# needs = ["compiler"]
# ///
"""Discard the original parameters: no other size can be compiled any more."""

import copy
import warnings

import torch
from torch import nn
from torch._inductor import config

warnings.simplefilter("ignore")  # load_state_dict would warn for each weight
model = nn.Sequential(nn.Linear(16, 32), nn.ReLU(), nn.Linear(32, 4)).eval()
state = copy.deepcopy(model.state_dict())
compiled = torch.compile(model)
x = torch.randn(8, 16)
# region discard
config.freezing = True
config.freezing_discard_parameters = True
with torch.no_grad():
    compiled(x)
    print("after the first call:", model[0].weight.device)
    try:
        compiled(x[:5])
    except RuntimeError as error:
        print("another size:", str(error).splitlines()[0][:67])
    model.load_state_dict(state, assign=True)
    torch.compiler.reset()
    compiled(x[:5])
    print("after reset and a call:", model[0].weight.device)
# endregion

# region checks
assert model[0].weight.device.type == "meta"
# endregion
