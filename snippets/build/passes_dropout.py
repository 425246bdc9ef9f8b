# /// lesson
# varies.output = ['\d\d%']
# ///
"""Passes that treat random operators like others: equal masks where none should be."""

import _step3_passes
import torch
import torch.nn.functional as F
from _step2_interpret import backend_of
from _step3_passes import fold_constants, is_pure, merge_common

from compile_lessons import Table, show


def two_views(x):
    return F.dropout(x, 0.5), F.dropout(x, 0.5)


def every_call_is_pure(node):
    return node.op == "call_function"


def run_one_pass(module):
    one_pass(module)
    module.recompile()
    return module.forward


def equal(a, b):
    return f"{(a == b).float().mean():.0%}"


rows = []
x = torch.ones(1000)
for rule in (is_pure, every_call_is_pure):
    _step3_passes.is_pure = rule
    for one_pass in (merge_common, fold_constants):
        torch.compiler.reset()
        compiled = torch.compile(two_views, backend=backend_of(run_one_pass))
        first, second = compiled(x)
        again, _ = compiled(x)
        names = [one_pass.__name__, rule.__name__]
        rows.append([*names, equal(first, second), equal(first, again)])
headers = ["pass", "rule", "same mask in both dropouts", "same mask in two calls"]
show(Table(headers, rows))
# region checks
assert [row[2] == "100%" for row in rows] == [False, False, True, False]
assert [row[3] == "100%" for row in rows] == [False, False, False, True]
# endregion
