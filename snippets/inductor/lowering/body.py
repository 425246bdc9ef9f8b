# /// lesson
# needs = ["compiler"]
# ///
"""The body of one loop: what is computed at each point, with symbolic indices."""

from head import lowered

total = lowered.ir[0]
print(total.text[total.text.index("class") :])
# region checks
assert "{p0: 256, p1: 512}" in total.text
assert "index0 = 512*p0 + p1" in total.text
assert total.text.count("ops.load('arg0_1'") == 2  # a value used twice is written twice
assert total.text.count("ops.store_reduction") == 1
# endregion
