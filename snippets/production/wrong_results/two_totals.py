"""A module with two running totals returns a total in place of its predictions."""

import torch

from compile_lessons import Table, show


class Metrics(torch.nn.Module):
    def __init__(self, detach):
        super().__init__()
        self.detach = detach
        self.register_buffer("correct", torch.zeros((), dtype=torch.long))
        self.register_buffer("total", torch.zeros(()))

    def forward(self, logits, labels):
        predicted = logits.argmax(-1)
        loss = torch.nn.functional.cross_entropy(logits, labels)
        self.correct += (predicted == labels).sum()
        self.total += loss.detach() if self.detach else loss
        return loss, predicted


logits, labels, rows = torch.eye(4, requires_grad=True), torch.tensor([0, 1, 2, 0]), []
for detach in (False, True):
    for backend in ("eager", "aot_eager"):
        loss, predicted = torch.compile(Metrics(detach), backend=backend)(logits, labels)
        rows.append(["loss.detach()" if detach else "loss", backend, str(predicted.tolist())])
        torch.compiler.reset()
show(Table(["added to the total", "backend", "predicted"], rows))
# region checks
assert [row[2] for row in rows] == ["[0, 1, 2, 3]", "3", "[0, 1, 2, 3]", "[0, 1, 2, 3]"]
# endregion
