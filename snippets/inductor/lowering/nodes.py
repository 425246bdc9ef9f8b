# /// lesson
# needs = ["compiler"]
# ///
"""The four loops that the graph became, and what each of them computes."""

import re

from head import lowered

from compile_lessons import Table, show

OPERATION = r"ops\.(?!load|store|constant)(\w+)\((?:.*?'(\w+)', )?"
rows = []
for node in lowered.ir:
    operations = re.findall(OPERATION, node.text)
    computed = [f"{name} ({kind})" if kind else name for name, kind in operations]
    reads = " ".join(node.reads)
    rows.append([node.name, node.kind, reads, " ".join(computed), *node.buffers])
show(Table(["loop", "kind", "reads", "computes", "writes"], rows))
# region checks
assert [row[1] for row in rows] == ["Reduction", "Pointwise", "Reduction", "Pointwise"]
assert sum(row[3].split().count("erf") for row in rows) == 3
# endregion
