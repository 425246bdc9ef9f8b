# /// lesson
# varies.output = ['\d\d%']
# ///
"""Passes that treat random operators like others: equal masks where none should be."""

import _step3_passes
import torch
import torch.nn.functional as F
from _step2_interpret import backend_of
from _step3_passes import fold_constants, merge_common


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


def compare_masks(name, one_pass):
    compiled = compile_with(one_pass)
    first, second = compiled(x)
    again, _ = compiled(x)
    print(f"{name}, equal elements:")
    print(f"  in both dropouts {(first == second).float().mean():.0%}")
    print(f"  in two calls {(first == again).float().mean():.0%}")
    return torch.equal(first, second), torch.equal(first, again)


x = torch.ones(1000)
right = [compare_masks("merge_common", merge_common)]
right.append(compare_masks("fold_constants", fold_constants))
_step3_passes.is_pure = every_operator  # also those that draw random numbers
wrong = [compare_masks("merge_common, every operator", merge_common)]
wrong.append(compare_masks("fold_constants, every operator", fold_constants))
# region checks
assert right == [(False, False), (False, False)]
assert wrong == [(True, False), (False, True)]
# endregion
