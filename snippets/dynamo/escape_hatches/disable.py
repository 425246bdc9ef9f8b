"""torch.compiler.disable: this function runs in Python on every call."""

# region copy
import torch


@torch.compiler.disable(reason="talks to a database")
def lookup(x):
    print("compiling?", torch.compiler.is_compiling())
    return x * 2


# endregion

from compile_lessons import capture


def model(x):
    return lookup(torch.relu(x)) + 1


pipeline = capture(model, until="dynamo")(torch.ones(3))
for graph in pipeline.graphs:
    print([node.name for node in graph.dynamo.calls])
print(pipeline.breaks[0].gb_type, "-", pipeline.breaks[0].explanation)

# region checks
assert len(pipeline.graphs) == 2
assert "talks to a database" in str(pipeline.breaks[0])
# endregion
