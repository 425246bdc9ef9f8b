"""A learned gain under a sliding Hann window: compiled training raises no error and hardly learns."""

import torch

from compile_lessons import Table, show


def frames(signal, gain):
    return (signal * gain).unfold(-1, 8, 1)


def copied(signal, gain):
    return frames(signal, gain).contiguous()


def energies(framed):
    return (framed * torch.hann_window(8)).square().sum(-1)


def train(function, steps=200):
    gain, losses = torch.ones(64, requires_grad=True), []
    optimizer = torch.optim.Adam([gain], lr=0.02)
    for _ in range(steps):
        optimizer.zero_grad()
        loss = (energies(function(signal, gain)) - target).square().mean()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses


torch.manual_seed(0)
signal = torch.randn(32, 64)
target = energies(frames(signal, torch.rand(64) + 0.5))
runs = {
    "eager": train(frames),
    "compiled": train(torch.compile(frames, backend="aot_eager")),
    "compiled, returns a copy": train(torch.compile(copied, backend="aot_eager")),
}
show(Table(["run", "first loss", "last loss"], [[n, f"{r[0]:.4f}", f"{r[-1]:.4f}"] for n, r in runs.items()]))
# region checks
assert runs["compiled"][-1] > 0.8 * runs["eager"][0]
assert runs["compiled, returns a copy"][-1] < 0.01
# endregion
