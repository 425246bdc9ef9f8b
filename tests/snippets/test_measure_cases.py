"""What "In short" of a case study quotes is in its recorded program, and bars show what tables do."""

import html
import re
from pathlib import Path

import pytest

from compile_lessons.show.charts import StackedBars

ROOT = Path(__file__).parents[2]
CASES = ROOT / "snippets/measure/cases"


@pytest.mark.parametrize(
    ("page", "program", "quotes"),
    [
        (
            "unet",
            "unet.py",
            ["compiled = torch.compile(denoise)", "latents = latents.to(memory_format=torch.channels_last)"],
        ),
    ],
)
def test_the_page_quotes_its_program(page, program, quotes):
    text = (ROOT / f"docs/measure/{page}.md").read_text(encoding="utf-8")
    short = text.split("## In short")[1].split("\n## ")[0]
    for quote in quotes:
        assert quote in short and quote in (CASES / program).read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ["decoding", "training_step", "unet"])
def test_the_bars_have_the_times_of_the_table(record, recording, name):
    lines = recording(f"measure/cases/{name}.py").text.splitlines()
    [head] = [number for number, line in enumerate(lines) if line.startswith("step ")]
    steps = [re.split(r" {2,}", line)[:2] for line in lines[head + 2 :]]
    [output] = record(f"measure/cases/{name}_bars.py").outputs
    bars = StackedBars.from_json(output.rich[StackedBars.MIME])
    drawn = re.findall(r'currentColor">([^<]+), ([\d.]+) ms</text>', bars._repr_html_())
    assert [(html.unescape(step), float(time)) for step, time in drawn] == [
        (step, float(f"{float(time.removesuffix(' ms')):.3g}")) for step, time in steps
    ]


def test_only_the_loss_of_the_training_step_is_far_below_the_limit(recording):
    below = kernels_below(0.75, recording("measure/cases/training_step_limits.py").text)
    assert [("log_softmax" in kernel, share_of_step) for kernel, share_of_step in below] == [(True, 0.03)]


def kernels_below(limit, text):
    """Return name and share of the step of the listed kernels that run below ``limit``."""
    lines = text.partition("saves\n")[2].splitlines()
    rows = [re.fullmatch(r" *\S+ \S+ +(\d+)% +(\d+)% +\d+%  (.+)", line) for line in lines if line]
    return [(row[3], int(row[1]) / 100) for row in rows if int(row[2]) < 100 * limit]


@pytest.mark.parametrize("page", ["decoding", "training-step"])
def test_lines_that_a_page_shows_are_whole_definitions(page):
    """By their numbers, as a recording names the lines of these files: a mark would move them."""
    text = (ROOT / f"docs/measure/{page}.md").read_text(encoding="utf-8")
    shown = re.findall(r'--8<-- "([^":]+):(\d+):(\d+)"', text)
    assert len(shown) == 2
    for path, first, last in shown:
        lines = ["", *(ROOT / path).read_text(encoding="utf-8").splitlines()]
        assert re.match(r" *def |#: ", lines[int(first)]) and lines[int(last) + 1] == ""
