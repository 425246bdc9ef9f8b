"""A learned gain under a sliding Hann window: compiled training hardly learns."""

import torch

from compile_lessons import Table, show


def frames(signal, gain):
    return (signal * gain).unfold(-1, 8, 1)


def copied_frames(signal, gain):
    return frames(signal, gain).contiguous()


def energies(framed):
    return (framed * torch.hann_window(8)).square().sum(-1)


torch.manual_seed(0)
signal = torch.randn(32, 64)
target = energies(frames(signal, torch.rand(64) + 0.5))


def train(cut):
    gain = torch.ones(64, requires_grad=True)
    optimizer = torch.optim.Adam([gain], lr=0.02)
    losses = []
    for _ in range(200):
        optimizer.zero_grad()
        loss = (energies(cut(signal, gain)) - target).square().mean()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses


runs = {
    "eager": train(frames),
    "compiled": train(torch.compile(frames, backend="aot_eager")),
    "compiled, a copy": train(torch.compile(copied_frames, backend="aot_eager")),
}
rows = []
for name, losses in runs.items():
    rows.append([name, f"{losses[0]:.4f}", f"{losses[-1]:.4f}"])
show(Table(["run", "first loss", "last loss"], rows))

# region checks
assert runs["compiled"][-1] > 0.8 * runs["eager"][0]
assert runs["compiled, a copy"][-1] < 0.01
# endregion
