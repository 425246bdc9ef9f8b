"""How long from a key in the editor of ``compile-lessons explore`` to the panes, in headless Chromium.

Usage: ``python benchmarks/explore.py [--edits 9]``

Each edit types a digit into a number of the function, and waits for the panes of each stage. The times count from the
key: the editor's pause of 0.2 s is in them.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

MLP = """import torch


def mlp(x, first, second):
    h = torch.nn.functional.gelu(x @ first) * 1.5
    return torch.softmax(h @ second, -1)


def make_inputs():
    weights = torch.randn(64, 128, requires_grad=True), torch.randn(128, 64, requires_grad=True)
    return torch.randn(8, 64), *weights
"""
LAYER = """import torch

layer = torch.nn.TransformerEncoderLayer(64, 4, batch_first=True, dropout=0.0)


def block(x):
    return layer(x) * 1.5


def make_inputs():
    return torch.randn(2, 8, 64)
"""
PROGRAMS = {"a GELU MLP with softmax": MLP, "a transformer encoder layer": LAYER}
#: Note when the panes of each stage are shown.
WATCH = """() => {
  window.taken = {};
  const root = document.documentElement;
  new MutationObserver(() => { window.taken[root.dataset.panes] = performance.now(); })
    .observe(root, {attributeFilter: ["data-panes"]});
}"""


def main() -> None:
    """Print the medians, with the least and the most, and the load."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--edits", type=int, default=9)
    edits = parser.parse_args().edits
    print("| program | target | Dynamo's graph | Inductor's code |", "| --- | --- | --- | --- |", sep="\n")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        chromium = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))))
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        for number, (what, text) in enumerate(PROGRAMS.items()):
            file = Path(folder, f"program_{number}.py")
            file.write_text(text)
            command = [sys.executable, "-m", "compile_lessons", "explore", str(file), "--no-open", "--port", "0"]
            process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
            assert process.stdout is not None
            found = re.search(r"http://\S+", process.stdout.readline())
            assert found is not None
            page = browser.new_page(viewport={"width": 1440, "height": 900})
            page.set_default_timeout(600_000)
            page.goto(found[0])
            page.locator("html[data-panes$='-code']").wait_for()
            page.evaluate(WATCH)
            for target in ("cpu", "h200"):
                times = _times(page, target, edits)
                print(f"| {what} | {target} | " + " | ".join(map(_words, zip(*times, strict=True))) + " |", flush=True)
            process.terminate()
            process.wait()
    print("load:", " ".join(f"{load:.1f}" for load in os.getloadavg()), f"on {os.cpu_count()} cores")


def _times(page: Page, target: str, edits: int) -> list[tuple[float, float]]:
    """Return the seconds from a key to the panes of both stages, for each edit. The first one is not counted."""
    if page.locator("#target").input_value() != target:
        run = _run(page) + 1
        page.locator("#target").select_option(target)
        page.locator(f"html[data-panes='{run}-code']").wait_for()
    times = []
    for _ in range(edits + 1):
        page.locator("#editor .cm-line", has_text="* 1.").first.click()
        page.keyboard.press("End")
        run = _run(page) + 1
        began = page.evaluate("performance.now()")
        page.keyboard.press("1")
        page.locator(f"html[data-panes='{run}-code']").wait_for()
        taken = page.evaluate("window.taken")
        stages = [(taken[f"{run}-{stage}"] - began) / 1000 for stage in ("dynamo", "code")]
        times.append((stages[0], stages[1]))
    return times[1:]


def _run(page: Page) -> int:
    """Return the number of the run whose panes are shown."""
    return int(str(page.locator("html").get_attribute("data-panes")).partition("-")[0])


def _words(seconds: tuple[float, ...]) -> str:
    return f"{statistics.median(seconds):.2f} s ({min(seconds):.2f} to {max(seconds):.2f})"


if __name__ == "__main__":
    main()
