"""What ``capture`` costs: its time over the time of the compile it watches, median over ten models.

    python benchmarks/capture.py [--repeat 3] [--limit 1.3]

Both compile forward and backward with empty caches of graphs, and with C++ objects that are already built: building
them takes the same time in both, and would hide what ``capture`` adds. Exits with 1 if the median is over the limit.
"""

from __future__ import annotations

import argparse
import os
import statistics
import time
from collections.abc import Callable

import torch
from torch import nn

from compile_lessons.pipeline import capture
from compile_lessons.table import Table


class Residual(nn.Module):
    def __init__(self, inner: nn.Module) -> None:
        super().__init__()
        self.inner = inner

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x + self.inner(x)


def conv(channels: int) -> nn.Module:
    return nn.Sequential(nn.Conv2d(channels, channels, 3, padding=1), nn.BatchNorm2d(channels), nn.ReLU())


def mlp(width: int) -> nn.Module:
    return nn.Sequential(nn.LayerNorm(width), nn.Linear(width, 4 * width), nn.GELU(), nn.Linear(4 * width, width))


def transformer(layers: int) -> nn.Module:
    layer = nn.TransformerEncoderLayer(16, 2, 32, dropout=0.0, batch_first=True)
    return nn.TransformerEncoder(layer, layers, enable_nested_tensor=False)


MODELS: dict[str, Callable[[], tuple[nn.Module, torch.Tensor]]] = {
    "linear": lambda: (nn.Linear(16, 16), torch.randn(8, 16)),
    "mlp": lambda: (mlp(16), torch.randn(8, 16)),
    "residual mlp": lambda: (Residual(mlp(16)), torch.randn(8, 16)),
    "deep mlp": lambda: (nn.Sequential(*(Residual(mlp(16)) for _ in range(4))), torch.randn(8, 16)),
    "conv": lambda: (conv(4), torch.randn(2, 4, 8, 8)),
    "residual conv": lambda: (Residual(nn.Sequential(conv(4), conv(4))), torch.randn(2, 4, 8, 8)),
    "deep conv": lambda: (nn.Sequential(*(Residual(conv(4)) for _ in range(4))), torch.randn(2, 4, 8, 8)),
    "softmax": lambda: (nn.Sequential(nn.Linear(16, 16), nn.Softmax(-1)), torch.randn(8, 16)),
    "transformer": lambda: (transformer(1), torch.randn(2, 8, 16)),
    "two transformers": lambda: (transformer(2), torch.randn(2, 8, 16)),
}


def forget() -> None:
    """Drop compiled functions and the caches of graphs; compiled C++ objects stay."""
    from torch._functorch._aot_autograd.autograd_cache import AOTAutogradCache
    from torch._inductor.codecache import FxGraphCache

    torch._dynamo.reset()
    AOTAutogradCache.clear()
    if os.path.isdir(FxGraphCache._get_tmp_dir()):
        FxGraphCache.clear()


def seconds(run: Callable[[], object]) -> float:
    forget()
    start = time.perf_counter()
    run()
    return time.perf_counter() - start


def compile_once(model: nn.Module, x: torch.Tensor) -> None:
    torch.compile(model)(x).sum().backward()


def measure(name: str, repeat: int) -> tuple[str, float, float, float]:
    """Name, median seconds of the compile and of the capture, and the ratio of the two."""
    model, x = MODELS[name]()
    compile_once(model, x)  # builds the C++ objects
    pipeline = capture(model)(x)
    if pipeline.failures or pipeline.comparison.status != "equal":
        raise RuntimeError(f"{name}: {pipeline.failures or pipeline.comparison}")
    plain, watched = [], []
    for _ in range(repeat):
        plain.append(seconds(lambda: compile_once(model, x)))
        watched.append(seconds(lambda: capture(model)(x)))
    base, cost = statistics.median(plain), statistics.median(watched)
    return name, base, cost, cost / base


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--limit", type=float, default=1.3)
    options = parser.parse_args()
    torch.manual_seed(0)
    rows = [measure(name, options.repeat) for name in MODELS]
    columns = ("model", "compile, s", "capture, s", "ratio")
    print(Table(columns, [(name, f"{a:.2f}", f"{b:.2f}", f"{ratio:.2f}") for name, a, b, ratio in rows]))
    ratios = [row[3] for row in rows]
    median = statistics.median(ratios)
    print(f"median {median:.2f}, from {min(ratios):.2f} to {max(ratios):.2f}; limit {options.limit:.2f}")
    return int(median > options.limit)


if __name__ == "__main__":
    raise SystemExit(main())
