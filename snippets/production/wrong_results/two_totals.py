"""A module with two running totals returns a total in place of its predictions."""

import torch

from compile_lessons import Table, show


class Metrics(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("correct", torch.zeros((), dtype=torch.long))
        self.register_buffer("total", torch.zeros(()))

    def forward(self, logits, labels, detach):
        predicted = logits.argmax(-1)
        loss = torch.nn.functional.cross_entropy(logits, labels)
        self.correct += (predicted == labels).sum()
        self.total += loss.detach() if detach else loss
        return loss, predicted


logits = torch.eye(4, requires_grad=True)
labels = torch.tensor([0, 1, 2, 0])
rows = []
for backend, detach in [("eager", False), ("aot_eager", False), ("aot_eager", True)]:
    torch.compiler.reset()
    compiled = torch.compile(Metrics(), backend=backend)
    loss, predicted = compiled(logits, labels, detach)
    rows.append([backend, detach, str(predicted.tolist())])
show(Table(["backend", "loss.detach()", "predicted"], rows))

# region checks
assert [row[2] for row in rows] == ["[0, 1, 2, 3]", "3", "[0, 1, 2, 3]"]
# endregion
