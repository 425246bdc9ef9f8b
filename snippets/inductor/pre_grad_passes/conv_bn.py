# /// lesson
# needs = ["compiler"]
# varies.values = ["difference"]
# ///
"""Fold a batch norm into the layer before it: calls that the pass reads wrongly."""

import torch
import torch.nn.functional as F
from torch import nn

from compile_lessons import Table, show

conv = nn.Conv2d(8, 8, 3, padding=1)
linear = nn.Linear(8, 8)
norm = nn.BatchNorm2d(8).eval()
norm_of_tokens = nn.BatchNorm1d(8).eval()
for module in (norm, norm_of_tokens):
    nn.init.uniform_(module.running_mean)
    nn.init.uniform_(module.running_var, 0.5, 2)


# region calls
def by_module(image):
    return norm(conv(image))


def with_a_keyword(image):
    return norm(F.conv2d(image, conv.weight, bias=conv.bias))


def three_dimensions(image):
    return norm_of_tokens(linear(image[0]))


# endregion
options = {"efficient_conv_bn_eval_fx_passes": True}
image = torch.randn(2, 8, 8, 8)
rows = []
with torch.no_grad():
    for function in (by_module, with_a_keyword, three_dimensions):
        compiled = torch.compile(function, options=options)
        difference = (compiled(image) - function(image)).abs().max().item()
        rows.append([function.__name__, difference < 1e-4])
show(Table(["function", "equal results"], rows))
# region checks
assert [row[1] for row in rows] == [True, False, False]
# endregion
