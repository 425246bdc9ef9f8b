"""Size and speed of the explorer's page: ``python benchmarks/explorer.py`` prints a table.

Two programs: a function as in the lessons, and a block of a transformer with its backward pass. Both for the CPU and,
down to machine code, for an H200. ``first highlight`` is the time from the pointer's event on a line of Python to the
style and layout of what it lights, in headless Chromium with all panes open; ``slowest`` is the slowest of all lines of
Python. Each is the best of three loads, as other work on the machine only adds to it.
"""

from __future__ import annotations

import gzip
import shutil
import sys
import tempfile
import time
from pathlib import Path

import torch
from playwright.sync_api import Browser, sync_playwright

from compile_lessons import Table, capture, explorer, show
from compile_lessons.facts import Pipeline

#: Points at each linked line of Python as a mouse does, and returns milliseconds: highlight, style and layout.
POINT = """() => [...document.querySelectorAll("#python .l[data-a]")].map((line) => {
  const began = performance.now();
  line.dispatchEvent(new PointerEvent("pointerover", {pointerType: "mouse", bubbles: true}));
  document.body.getBoundingClientRect();
  return performance.now() - began;
})"""


class Block(torch.nn.Module):
    def __init__(self, width: int = 256, heads: int = 4) -> None:
        super().__init__()
        self.heads = heads
        self.before = torch.nn.LayerNorm(width)
        self.qkv = torch.nn.Linear(width, 3 * width)
        self.out = torch.nn.Linear(width, width)
        self.after = torch.nn.LayerNorm(width)
        self.up = torch.nn.Linear(width, 4 * width)
        self.down = torch.nn.Linear(4 * width, width)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        batch, length, width = x.shape
        parts = self.qkv(self.before(x)).chunk(3, dim=-1)
        q, k, v = (part.view(batch, length, self.heads, -1).transpose(1, 2) for part in parts)
        scores = (q @ k.transpose(-1, -2)) / (width // self.heads) ** 0.5
        mixed = scores.softmax(-1) @ v
        x = x + self.out(mixed.transpose(1, 2).reshape(batch, length, width))
        hidden = torch.nn.functional.gelu(self.up(self.after(x)))
        return x + self.down(hidden)


def lesson(x: torch.Tensor, w: torch.Tensor) -> torch.Tensor:
    hidden = torch.nn.functional.gelu(x @ w)
    return (hidden * 2).sum(-1)


def pipelines() -> dict[str, Pipeline]:
    block, x = Block(), torch.randn(2, 32, 256)
    arguments = torch.randn(64, 64), torch.randn(64, 64)
    return {
        "lesson function, CPU": capture(lesson, machine_code=False)(*arguments),
        "lesson function, H200": capture(lesson, target="h200")(*arguments),
        "transformer block with backward, CPU": capture(block, machine_code=False)(x),
        "transformer block with backward, H200": capture(block, target="h200")(x),
    }


def highlights(browser: Browser, file: Path, names: str) -> list[float]:
    """Return milliseconds for each line of Python, the best of three loads."""
    loads = []
    for _ in range(3):
        page = browser.new_page()
        page.goto(f"{file.as_uri()}#panes={names}")
        loads.append(page.evaluate(POINT))
        page.close()
    return [min(times) for times in zip(*loads, strict=True)]


def main() -> None:
    chromium = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if chromium is None:
        sys.exit("no Chromium on this machine")
    rows = []
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        for name, pipeline in pipelines().items():
            began = time.perf_counter()
            html = explorer.page(pipeline).encode("utf-8", "backslashreplace")
            seconds = time.perf_counter() - began
            shown = explorer.panes(pipeline)
            lines = sum(len(part.lines) for pane in shown for part in pane.parts)
            file = Path(folder, "page.html")
            file.write_bytes(html)
            times = highlights(browser, file, ",".join(pane.name for pane in shown))
            first, worst = round(times[0], 1), round(max(times), 1)
            rows.append(
                [name, len(shown), lines, round(len(gzip.compress(html)) / 1000, 1), round(seconds, 2), first, worst]
            )
        browser.close()
    show(Table(["pipeline", "panes", "lines", "KB gzipped", "s to make", "first highlight, ms", "slowest, ms"], rows))


if __name__ == "__main__":
    main()
