"""A reordered print shows what the tensor holds after the graph has run."""

import torch

torch._dynamo.config.reorderable_logging_functions.add(print)


def reports(x):
    y = torch.relu(x) + 1
    print("y is", y)
    y.add_(100)
    return y


def reports_a_copy(x):
    y = torch.relu(x) + 1
    print("y is", y.clone())
    y.add_(100)
    return y


x = torch.ones(3)
print("in eager mode:")
reports(x)
for function in (reports, reports_a_copy):
    print(f"{function.__name__}, compiled:")
    torch.compile(function, backend="eager", fullgraph=True)(x)
