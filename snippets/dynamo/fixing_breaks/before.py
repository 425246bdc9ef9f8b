"""A training loss with three graph breaks."""

import torch
import torch.nn.functional as F

from compile_lessons import capture

torch.manual_seed(0)
model = torch.nn.Sequential(torch.nn.Embedding(100, 16), torch.nn.Linear(16, 5))


def training_loss(tokens, labels, lengths):
    longest = lengths.max().item()
    scores = model(tokens[:, :longest])
    loss = F.cross_entropy(scores.flatten(0, 1), labels[:, :longest].flatten())
    if loss.isnan():
        raise FloatingPointError("the loss is nan")
    print("loss", loss)
    return loss


tokens = torch.arange(24).view(2, 12)
labels = tokens % 5
lengths = torch.tensor([9, 7])
pipeline = capture(training_loss, until="dynamo")(tokens, labels, lengths)
for graph_break in pipeline.breaks:
    print(graph_break.gb_type, "at", graph_break.stack[-1])
print("graphs:", len(pipeline.graphs))

# region checks
assert len(pipeline.breaks) == 3
# endregion
