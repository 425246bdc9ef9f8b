"""1,000 random graphs on awkward numbers: the passes keep every bit of eager mode."""

from _random_graphs import SPECIAL, differences
from _step3_passes import (
    fold_constants,
    merge_common,
    optimize,
    remove_dead_code,
    simplify,
)

from compile_lessons import Table, show


def alone(one_pass):
    def run(module):
        one_pass(module)
        remove_dead_code(module)
        module.recompile()
        return module

    return run


rows = []
for one_pass in (fold_constants, simplify, merge_common, remove_dead_code, optimize):
    count = 1000 if one_pass is optimize else 60
    wrong, before, after = differences(count, alone(one_pass))
    rows.append([one_pass.__name__, f"{before:.1f}", f"{after:.1f}", wrong])
print("the input:", SPECIAL)
show(Table(["pass", "nodes before", "nodes after", "graphs whose bits differ"], rows))
# region checks
assert all(wrong == 0 for *_, wrong in rows)
assert float(rows[-1][2]) < float(rows[3][2]) < float(rows[3][1])
# endregion
