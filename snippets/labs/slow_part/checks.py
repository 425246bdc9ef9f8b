"""The operators that the parts call, and what the new part returns."""

import torch
from torch.utils._python_dispatch import TorchDispatchMode

from compile_lessons.labs import Work, Wrong, require

torch.set_num_threads(1)  # so that other programs on this machine disturb less

MOST = 100


class _Original(torch.nn.Module):
    """The part as it was."""

    def forward(self, energy):
        level, levels = energy[:, 0], []
        for frame in energy.unbind(dim=1):
            level = 0.96 * level + 0.04 * frame
            levels.append(level)
        return (energy / (0.001 + torch.stack(levels, dim=1)) ** 0.9 + 2).sqrt() - 2**0.5


class _Count(TorchDispatchMode):
    """Count the operators that are called. A profile has the same, with times, which other programs disturb."""

    def __init__(self):
        super().__init__()
        self.calls = 0

    def __torch_dispatch__(self, operator, types, args=(), kwargs=None):
        self.calls += 1
        return operator(*args, **(kwargs or {}))


def _count(part, x):
    """Return the number of operators in one call, and its result."""
    with torch.no_grad(), _Count() as count:
        return part(x), count.calls


def _model(work):
    model = work.Model().eval()
    names = list(getattr(model, "parts", {}))
    require(
        names == ["spectrum", "loudness", "attention", "head"],
        f"`Model().parts` has {names}: the four parts have to stay, because the checks profile each one.",
    )
    return model


def check_the_name(work: Work):
    """SLOW names the part that takes the most time."""
    model, x, calls = _model(work), torch.randn(1, 400, 64), {}
    model.parts["loudness"] = _Original()
    for name, part in model.parts.items():
        x, calls[name] = _count(part, x)
    require(work.SLOW in calls, f"SLOW is {work.SLOW!r}, which isn't one of the parts: {', '.join(calls)}.")
    if work.SLOW != "loudness":
        raise Wrong(
            f"`{work.SLOW}` calls {calls[work.SLOW]} operators for 400 frames, and the four parts together call "
            f"{sum(calls.values())}. Its matrix multiplications look expensive, but are short at this size. "
            "Which row with the name of a part has the largest `CPU total` in the profile?",
            "gpu/profile",
        )


@torch.no_grad()
def _check_results(model, frames):
    part = model.parts["loudness"]
    energy = torch.rand(2, frames, 32) + 0.1
    actual, expected = part(energy), _Original()(energy)
    require(
        isinstance(actual, torch.Tensor) and actual.shape == expected.shape,
        f"`loudness` has to return a tensor with the shape {tuple(expected.shape)}, like the original.",
    )
    frames_right = torch.isclose(actual, expected, rtol=1e-3, atol=1e-4).all(dim=2).all(dim=0)
    right = int(frames_right.cumprod(0).sum())
    if frames // 2 < right < frames:
        raise Wrong(
            f"Of {frames} frames, the first {right} are right, and the next one is not. 0.96 to the power of minus "
            f"{frames} is {0.96**-frames:.1g}, and the largest float32 is {torch.finfo(torch.float32).max:.1g}. Use "
            "only powers that get smaller.",
            "production/numerics",
        )
    require(
        right == frames,
        f"With {frames} frames, the result of `loudness` differs from the original's. The moving average starts at the "
        "first frame's energy, and each frame after it has a weight of 0.04.",
        "production/wrong-results",
    )


def check_the_results(work: Work):
    """The changed part returns what the original returns, for short and long recordings."""
    model = _model(work)
    for frames in (2, 50, 2400):
        _check_results(model, frames)


def check_the_operators(work: Work):
    """The changed part calls at most 100 operators and compiles into one graph."""
    part = _model(work).parts["loudness"]
    calls = {frames: _count(part, torch.rand(1, frames, 32))[1] for frames in (200, 400)}
    if calls[400] > MOST:
        raise Wrong(
            f"`loudness` calls {calls[200]} operators for 200 frames and {calls[400]} for 400. Each call takes a "
            "few microseconds, whatever its size, and a compiler unrolls the loop into as many nodes. Which weight "
            "does a frame's average give to each earlier frame, and which single operator computes weighted sums?"
        )
    pipeline = work.capture(part, until="dynamo")(torch.rand(1, 400, 32))
    require(
        len(pipeline.graphs) == 1 and not pipeline.breaks,
        f"`loudness` has {len(pipeline.breaks)} graph breaks: the code between two graphs runs in eager mode.",
        "dynamo/fixing-breaks",
    )
    nodes = len(pipeline.graphs[0].dynamo.calls)
    require(nodes <= MOST, f"Compiled, `loudness` is a graph of {nodes} calls, because a loop is unrolled.")
