# /// lesson
# needs = ["compiler"]
# ///
"""The four loops that the graph became, and what each of them computes."""

import re

from head import lowered

from compile_lessons import Table, show

rows, times_erf = [], 0
for node in lowered.ir:
    computed = re.findall(r"ops\.(?!load|store|constant)(\w+)\((?:.*?'(\w+)', )?", node.text)
    computed = [f"{name} ({kind})" if kind else name for name, kind in computed]
    times_erf += computed.count("erf")
    rows.append([node.name, node.kind, " ".join(node.reads), " ".join(computed), *node.buffers])
show(Table(["loop", "kind", "reads", "computes", "writes"], rows))
# region checks
assert [row[1] for row in rows] == ["Reduction", "Pointwise", "Reduction", "Pointwise"]
assert times_erf == 3
# endregion
