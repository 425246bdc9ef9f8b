# /// lesson
# varies.output = ['\d\d%']
# ///
"""Passes that treat random operators like others: equal masks where none should be."""

import _step3_passes
import torch
import torch.nn.functional as F
from _step2_interpret import backend_of
from _step3_passes import fold_constants, is_pure, merge_common


def two_views(x):
    return F.dropout(x, 0.5), F.dropout(x, 0.5)


def every_operator(node):
    return node.op == "call_function"


def compile_with(one_pass):
    def run_pass(module):
        one_pass(module)
        module.recompile()
        return module.forward

    torch.compiler.reset()
    return torch.compile(two_views, backend=backend_of(run_pass))


x = torch.ones(1000)
for rule in (is_pure, every_operator):
    _step3_passes.is_pure = rule  # which nodes the passes may merge or fold
    for one_pass in (merge_common, fold_constants):
        compiled = compile_with(one_pass)
        first, second = compiled(x)
        again, _ = compiled(x)
        print(f"{one_pass.__name__}, {rule.__name__}, equal elements:", end=" ")
        print(f"{(first == second).float().mean():.0%} in both dropouts", end=", ")
        print(f"{(first == again).float().mean():.0%} in two calls")
        # region checks
        careless = rule is every_operator
        assert torch.equal(first, second) == (careless and one_pass is merge_common)
        assert torch.equal(first, again) == (careless and one_pass is fold_constants)
        # endregion
