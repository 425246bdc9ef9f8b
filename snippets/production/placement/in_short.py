"""The four places that most programs need."""

import torch
from _model import Model
from torch.nn.functional import cross_entropy

torch.compiler.set_default_backend("eager")  # so that this needs no C++ compiler
model = Model()
tokens = torch.randint(0, 64, (4, 9))
optimizer = torch.optim.Adam(model.parameters())


def loss(tokens):
    logits = model(tokens[:, :-1])
    return cross_entropy(logits.flatten(0, 1), tokens[:, 1:].flatten())


# region copy
# training: the model and the loss in one graph, the optimizer in another
compiled_loss = torch.compile(loss)
compiled_update = torch.compile(optimizer.step)

# inference
model.compile()

# a deep model whose compile takes too long: equal blocks share one compile
for block in model.blocks:
    block.compile()
# endregion
before = model.head.weight.clone()
compiled_loss(tokens).backward()
compiled_update()
print("the weights changed:", not torch.equal(before, model.head.weight))
# region checks
assert not torch.equal(before, model.head.weight)
# endregion
