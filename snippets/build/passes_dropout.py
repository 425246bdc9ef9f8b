# /// lesson
# varies.output = ['\d\d%']
# ///
"""Passes that treat random operators like any other: one mask for two dropouts, or one mask for every call."""

import _step3_passes
import torch
from _step2_interpret import backend_of
from _step3_passes import fold_constants, is_pure, merge_common

from compile_lessons import Table, show


def two_views(x):
    return torch.nn.functional.dropout(x, 0.5), torch.nn.functional.dropout(x, 0.5)


def compile_with(one_pass, pure):
    def compile_graph(module):
        careful, _step3_passes.is_pure = _step3_passes.is_pure, pure
        one_pass(module)
        _step3_passes.is_pure = careful
        module.recompile()
        return module.forward

    return torch.compile(two_views, backend=backend_of(compile_graph))


def equal(a, b):
    return f"{(a == b).float().mean():.0%}"


rows, x = [], torch.ones(1000)
for name, pure in (("is_pure", is_pure), ("every operator is pure", lambda node: node.op == "call_function")):
    for one_pass in (merge_common, fold_constants):
        torch.compiler.reset()
        compiled = compile_with(one_pass, pure)
        (first, second), (again, _) = compiled(x), compiled(x)
        rows.append([one_pass.__name__, name, equal(first, second), equal(first, again)])
show(Table(["pass", "rule", "same mask in both dropouts", "same mask in two calls"], rows))
# region checks
assert [row[2] == "100%" for row in rows] == [False, False, True, False]
assert [row[3] == "100%" for row in rows] == [False, False, False, True]
# endregion
