"""What ``capture`` costs beyond the compile it watches, and the package beyond torch's own import.

    python benchmarks/capture.py [--repeat 3] [--json bench-capture.json]

Both compile forward and backward with empty caches of graphs, and with C++ objects that are already built: building
them takes the same time in both, and would hide what ``capture`` adds. It is a measurement, not a test: a target that
is missed is said, and the exit status is 0.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path

import report
import torch
from measure import Part, alternating, ratio, timed
from torch import nn

from compile_lessons import capture
from compile_lessons.runs.machine import this_machine

#: Seconds of ``import torch`` and of our import after it, in a fresh process.
IMPORTS = """
from time import perf_counter
start = perf_counter()
import torch
middle = perf_counter()
from compile_lessons import Diagram, Table, capture, capture_calls, count_breaks, count_graphs, count_recompiles, show
print(middle - start, perf_counter() - middle)
"""


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


def watching(repeat: int) -> Part:
    """``capture`` over the compile it watches, measured in turn; the models' medians are summed up in one figure."""
    part = Part("capture() beside the compile it watches, forward and backward, C++ objects at hand")
    medians = []
    for name, make in MODELS.items():
        model, x = make()
        compile_once(model, x)  # builds the C++ objects
        check(name, model, x)
        plain, watched = alternating(
            repeat, lambda m=model, x=x: seconds(lambda: compile_once(m, x)), lambda m=model, x=x: watch_once(m, x)
        )
        part.figures.append(ratio(name, watched, plain))
        part.facts[name] = {"compile": plain, "capture": watched}
        medians.append(part.figures[-1].median)
        times = f"{statistics.median(plain):.2f} s, {statistics.median(watched):.2f} s"
        print(f"[{len(medians)}/{len(MODELS)}] {name}: {times}", flush=True)
    part.add("all models, their medians", "x", medians, target=1.3)
    return part


def watch_once(model: nn.Module, x: torch.Tensor) -> float:
    return seconds(lambda: capture(model)(x))


def check(name: str, model: nn.Module, x: torch.Tensor) -> None:
    """Raise ``RuntimeError`` if what is to be timed does not do its work; also the first capture, which is slower."""
    pipeline = capture(model)(x)
    if pipeline.failures or pipeline.comparison.status != "equal":
        raise RuntimeError(f"{name}: {pipeline.failures or pipeline.comparison}")


def importing(repeat: int) -> Part:
    part = Part("Importing everything of the package after torch, beside importing torch alone")
    runs = [timed([sys.executable, "-c", IMPORTS], Path.cwd(), dict(os.environ)) for _ in range(repeat + 1)]
    found = [[float(number) for number in run.printed.split()] for run in runs[1:]]  # the first reads from the disk
    part.figures.append(ratio("import", [base + ours for base, ours in found], [base for base, _ in found], 1.05))
    part.facts["seconds"] = found
    return part


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--repeat", type=int, default=3, help="captures of each model (default 3)")
    parser.add_argument("--json", type=Path, default=Path("bench-capture.json"), help="where to write the figures")
    options = parser.parse_args()
    torch.manual_seed(0)
    print(report.machine_line(this_machine()))
    print("[1/2] importing …", file=sys.stderr, flush=True)
    done = [importing(3 * options.repeat)]
    print("[2/2] watching ten models …", file=sys.stderr, flush=True)
    done.append(watching(options.repeat))
    for part in done:
        print(report.table(part))
    report.write(options.json, this_machine(), done)
    print("", *(report.missed(done) or ["every target was met"]), f"written to {options.json}", sep="\n")


if __name__ == "__main__":
    main()
