"""A layer of the wrong size: the error in eager mode, and the error while Dynamo traces."""

import logging

import torch

from compile_lessons import Table, show

logging.getLogger("torch._subclasses.fake_tensor").setLevel(logging.CRITICAL)  # it logs the error too


class Classifier(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.calls = 0
        self.hidden, self.classes = torch.nn.Linear(16, 32), torch.nn.Linear(64, 10)

    def forward(self, x):
        self.calls += 1
        x = torch.relu(self.hidden(x))
        return self.classes(x)  # wants 64 features and gets 32


rows = []
for mode in ("eager", "compiled"):
    model = Classifier()
    run = torch.compile(model, backend="eager") if mode == "compiled" else model
    try:
        run(torch.ones(8, 16))
    except RuntimeError as error:
        text = str(error)
    rows.append([mode, text.partition("RuntimeError('")[2].partition("'")[0] or text, model.calls])

show(Table(["mode", "message", "calls"], rows))
print("\n".join(text.splitlines()[8:12]).replace(__file__, "same_error.py"))
# region checks
assert [row[2] for row in rows] == [1, 0]
assert "8x32 and 64x10" in rows[0][1] and "[8, 32] X [64, 10]" in rows[1][1]
assert "return self.classes(x)" in text and text.startswith("RuntimeError when making fake tensor call")
assert issubclass(torch._dynamo.exc.TorchRuntimeError, RuntimeError)
# endregion
