# /// lesson
# needs = ["compiler"]
# ///
"""What each scheduler node writes, and which reads wait for another node."""

import torch

from compile_lessons import capture


def attend(scores, values):
    return torch.softmax(scores, -1) @ values


scores = torch.randn(64, 128)
values = torch.randn(128, 32)
[graph] = capture(attend, machine_code=False)(scores, values).graphs
nodes = graph.inductor[0].ir
for node in nodes:
    text = node.text.split(f"{node.name}.outputs")[0]
    for line in text.splitlines():
        if "input_distance" not in line:
            print(line)
# region checks
waits = [node.text.split("unmet_dependencies = ")[1].splitlines()[0] for node in nodes]
assert waits[1] == "[MemoryDep('buf0', c0, {c0: 64})]"
assert waits[4] == "[StarDep(name='buf3', mode=None)]"
# endregion
