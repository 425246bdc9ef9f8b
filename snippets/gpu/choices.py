# /// lesson
# data = ["choices.json"]
# ///
"""Composite operators of ATen that choose by device, and the operators that differed on a GPU."""

import json
from pathlib import Path

from compile_lessons import Table, show
from compile_lessons.gpu.device_choices import CHOICES, DERIVATIVES


def short(names):
    packets = list(dict.fromkeys(name.partition(".")[0] for name in names))
    return ", ".join(packets[:2]) + (f" and {len(packets) - 2} more" if len(packets) > 2 else "")


def row(choice):
    return short(choice.operators), choice.decides, choice.here, choice.how, Path(choice.source).name


table = [row(choice) for choice in (*CHOICES, *DERIVATIVES)]
show(Table(["operators", "the device decides", "here", "how", "source"], table))

counts = {here: sum(choice.here == here for choice in CHOICES) for here in ("treated", "refused", "no effect")}
treated, refused, no_effect = counts.values()
operators = sum(len(choice.operators) for choice in CHOICES)
measured = json.loads((Path(__file__).parent / "choices.json").read_text())
calls, device, real_torch = measured["calls"], measured["device"], measured["torch"]
# region checks
USES = {  # what an operator of torch's list of sample inputs calls
    "nn.functional.instance_norm": "batch_norm",
    "nn.functional.batch_norm.without_cudnn": "batch_norm",
    "nn.functional.multi_head_attention_forward": "dropout",
}
OTHER_LAYOUT = {  # the copy to the GPU, or the kernel there, changes a tensor's layout
    *("ravel", "nn.functional.embedding_bag", "nn.functional.max_unpool2d", "nn.functional.max_unpool2d.grad"),
}
listed = {name.partition(".")[0] for choice in (*CHOICES, *DERIVATIVES) for name in choice.operators}
differ = {row["operator"] for row in measured["rows"]} - OTHER_LAYOUT
assert {USES.get(name, name.removeprefix("nn.functional.")) for name in differ} <= listed
assert all(choice.link.startswith("https://github.com/pytorch/pytorch/blob/v") for choice in CHOICES)
# endregion
