# /// lesson
# data = ["choices.json"]
# ///
"""Operators of ATen that choose by device, and those that differed on a GPU."""

import json
from pathlib import Path

from compile_lessons import Table, show
from compile_lessons.gpu.device_choices import CHOICES, DERIVATIVES


def shorten(names):
    packets = list(dict.fromkeys(name.partition(".")[0] for name in names))
    more = f" and {len(packets) - 2} more" if len(packets) > 2 else ""
    return ", ".join(packets[:2]) + more


rows = []
for choice in (*CHOICES, *DERIVATIVES):
    source = Path(choice.source).name
    operators = shorten(choice.operators)
    rows.append([operators, choice.decides, choice.here, choice.how, source])
show(Table(["operators", "the device decides", "here", "how", "source"], rows))

operators = sum(len(choice.operators) for choice in CHOICES)
measured = json.loads(Path(__file__).with_name("choices.json").read_text())
calls = measured["calls"]
device = measured["device"]
real_torch = measured["torch"]
# region checks
USES = {  # what an operator of torch's list of sample inputs calls
    "nn.functional.instance_norm": "batch_norm",
    "nn.functional.batch_norm.without_cudnn": "batch_norm",
    "nn.functional.multi_head_attention_forward": "dropout",
}
OTHER_LAYOUT = {  # the copy to the GPU, or the kernel there, changes a tensor's layout
    "ravel",
    "nn.functional.embedding_bag",
    "nn.functional.max_unpool2d",
    "nn.functional.max_unpool2d.grad",
}
listed = set()
for choice in (*CHOICES, *DERIVATIVES):
    listed |= {name.partition(".")[0] for name in choice.operators}
for row in measured["rows"]:
    name = row["operator"]
    assert (
        name in OTHER_LAYOUT or USES.get(name, name.split("functional.")[-1]) in listed
    )
for choice in CHOICES:
    assert choice.link.startswith("https://github.com/pytorch/pytorch/blob/v")
# endregion
