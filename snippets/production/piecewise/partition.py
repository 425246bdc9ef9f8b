# /// lesson
# needs = ["triton"]
# ///
"""Inductor splits its own code around an operator, for CUDA graphs."""

import torch

from compile_lessons import Table, capture, show

unsafe = (torch.Tag.cudagraph_unsafe,)
inputs = (torch.ones(8, 32), torch.ones(32))


@torch.library.custom_op("lesson::plain", mutates_args=("out",))
def plain(q: torch.Tensor, out: torch.Tensor) -> None:
    out.copy_(q)


@torch.library.custom_op("lesson::tagged", mutates_args=("out",), tags=unsafe)
def tagged(q: torch.Tensor, out: torch.Tensor) -> None:
    out.copy_(q)


for operator in (plain, tagged):
    operator.register_fake(lambda q, out: None)


# region partitions
def two_layers(x, weight, attention):
    for _ in range(2):
        q = x.softmax(-1) * weight
        out = torch.empty_like(q)
        attention(q, out)
        x = x + out
    return x


def code_for(attention, **options):
    settings = {"triton.cudagraphs": True, **options}
    captured = capture(two_layers, target="h200", options=settings, machine_code=False)
    [graph] = captured(*inputs, attention).graphs
    return graph.inductor[0].output_code


named = {"custom_should_partition_ops": ["lesson::plain"]}
codes = {
    "a custom operator": code_for(plain),
    "the same, named in the options": code_for(plain, **named),
    "with the tag cudagraph_unsafe": code_for(tagged),
}
rows = [[name, code.count("def partition_")] for name, code in codes.items()]
show(Table(["attention is", "partitions"], rows))
call = codes["with the tag cudagraph_unsafe"].partition("def call(")[2]
for line in call.splitlines():
    if "self.partitions" in line or "torch.ops" in line:
        print(line.strip())
# endregion

# region checks
assert [row[1] for row in rows] == [1, 3, 3]
# endregion
