"""Allocate the whole tensor first, and carry its current length."""

import torch


def grow(x):
    def is_short(length, room):
        return room.sum() < 100

    def double(length, room):
        length = length * 2
        return length, torch.where(torch.arange(128) < length, 1.0, room)

    room = torch.cat([x, torch.zeros(128 - len(x))])
    return torch.while_loop(is_short, double, (torch.tensor(len(x)), room))


compiled = torch.compile(grow, backend="eager", fullgraph=True)
length, room = compiled(torch.ones(4))
print("length", length.item(), "of", len(room), "and sum", room.sum().item())

# region checks
assert length == 128
assert room.sum() == 128
# endregion
