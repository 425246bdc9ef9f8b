# /// lesson
# env = {TORCH_LOGS = "-all"}
# ///
"""A layer of the wrong size: the error in eager mode, and while Dynamo traces."""

import torch

from compile_lessons import Table, show


# region model
class Classifier(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.calls = 0
        self.hidden = torch.nn.Linear(16, 32)
        self.classes = torch.nn.Linear(64, 10)

    def forward(self, x):
        self.calls += 1
        x = torch.relu(self.hidden(x))
        return self.classes(x)  # wants 64 features and gets 32


# endregion
rows = []
for mode in ("eager", "compiled"):
    model = Classifier()
    if mode == "compiled":
        model.compile(backend="eager")
    try:
        model(torch.ones(8, 16))
    except RuntimeError as error:
        kind = type(error)
        text = str(error)
    message = text.partition("RuntimeError('")[2].partition("'")[0] or text
    rows.append([mode, message, model.calls])
show(Table(["mode", "message", "calls"], rows))
place = text[text.index("from user code:") :].splitlines()[:4]
print(*place, sep="\n")

# region checks
assert [row[2] for row in rows] == [1, 0]
assert "8x32 and 64x10" in rows[0][1]
assert "[8, 32] X [64, 10]" in rows[1][1]
assert "return self.classes(x)" in text
assert text.startswith("RuntimeError when making fake tensor call")
assert issubclass(kind, torch._dynamo.exc.TorchRuntimeError)
# endregion
