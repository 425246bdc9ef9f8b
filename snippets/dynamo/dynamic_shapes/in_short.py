"""Mark a dimension before the first call."""

import torch


def keep_graph(graph_module, example_inputs):
    graphs.append(graph_module)
    return graph_module.forward


loader, device, graphs = torch.ones(11, 3).split([4, 4, 3]), "cpu", []
compiled = torch.compile(lambda x: x * 2, backend=keep_graph)
# region copy
for step, batch in enumerate(loader):
    batch = batch.to(device)
    if step == 0:
        torch._dynamo.mark_dynamic(batch, 0)  # before the first call: the batch size will change
    output = compiled(batch)
# endregion

# region checks
assert len(graphs) == 1 and output.shape == (3, 3)
# endregion
