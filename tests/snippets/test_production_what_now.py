"""What the pages of docs/fix show of their logs: the lines are picked by number, so the log must not move."""

import re
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest
import torch
from torch import nn

from training import assert_trains_like_eager

TESTS = Path(__file__).parents[1]
PAGES = sorted((TESTS.parent / "docs/fix").glob("*.md"))
SHOWN = [
    found
    for page in PAGES
    for found in re.findall(r'snippet\("([^"]+)", show="output", lines="([^"]+)"', page.read_text(encoding="utf-8"))
]
#: The first line of each part of an output, page by page.
FIRST = [
    r"[\d.]+ m?s: ",  # breaks: a report of diagnose
    "Graph break in user code",
    "function",
    r"[\d.]+ m?s: ",  # crashes
    "eager fails first",
    "training +result",  # cuda-graphs
    r"[\d.]+ m?s: .* of that again",  # first-call
    r"[\d.]+ m?s: ",  # not-faster
    r"[\d.]+ m?s: ",  # recompiles
    "Recompiling function forward",
    "position",
    "Graph break in user code",  # several
    "Recompiling function torch_dynamo_resume_in_loss",
    "function",
]
#: Messages of the catalogue, and the program that printed each.
MESSAGES = {
    message["part"]: message["from"].removeprefix("snippets/")
    for message in tomllib.loads((TESTS / "findings/messages.toml").read_text(encoding="utf-8"))["messages"]
    if message["from"].startswith("snippets/")
} | {
    "index out of bounds": "production/what_now/out_of_range.py",
    "Permission denied": "production/warm_starts/read_only.py",
}


@pytest.mark.parametrize(("message", "name"), MESSAGES.items())
def test_each_message_is_on_record(record, recording, message, name):
    found = (recording if re.search("/h[12]00_", name) else record)(name)
    assert message.lower() in found.text.lower()


def test_each_embed_has_its_first_line():
    assert len(SHOWN) == len(FIRST)


@pytest.mark.parametrize(("embed", "first"), list(zip(SHOWN, FIRST, strict=True)))
def test_the_lines_shown_begin_where_the_page_says(record, recording, embed, first):
    name, lines = embed
    text = (recording if "/h100_" in name else record)(name).text.splitlines()
    assert re.match(first, text[int(lines.split("-")[0]) - 1])
    last = int(lines.split("-")[-1])
    if first in ("position", "function"):  # a table ends the output
        assert last == len(text)
    if name.startswith("production/diagnose/") and "-" in lines:  # a report, to its fix
        assert text[last - 1].startswith("   Fix: ")


class Recurrent(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.inner, self.gate = nn.Linear(4, 4), nn.Linear(4, 4)

    def step(self, state: torch.Tensor, x: torch.Tensor) -> torch.Tensor:
        return torch.lerp(state, torch.tanh(self.inner(state) + x), torch.sigmoid(self.gate(x)))

    def forward(self, sequence: torch.Tensor) -> torch.Tensor:
        return self.loop(sequence, self.step)

    def loop(self, sequence: torch.Tensor, step: Callable[..., torch.Tensor]) -> torch.Tensor:
        state = torch.zeros_like(sequence[0])
        for x in sequence.unbind():
            state = step(state, x)
        return state


def test_one_step_of_a_loop_trains_like_the_loop() -> None:
    def one_step(model: Recurrent) -> Callable[..., torch.Tensor]:
        step = torch.compile(model.step, backend="aot_eager")
        return lambda sequence: model.loop(sequence, step)

    batches = [(torch.randn(steps, rows, 4),) for steps, rows in ((5, 3), (6, 3), (4, 2))]
    assert_trains_like_eager(Recurrent, batches, one_step)


class WarmedUp(nn.Sequential):
    def forward(self, x: torch.Tensor, y: torch.Tensor, warmup: torch.Tensor) -> torch.Tensor:
        return nn.functional.cross_entropy(super().forward(x), y) * warmup


def test_a_warm_up_factor_that_is_a_tensor_trains() -> None:
    batches = [
        (torch.randn(rows, 4), torch.randint(2, (rows,)), torch.tensor(step / 10))
        for step, rows in enumerate((8, 8, 5), 1)
    ]
    assert_trains_like_eager(
        lambda: WarmedUp(nn.Linear(4, 8), nn.GELU(), nn.Linear(8, 2)),
        batches,
        lambda model: torch.compile(model, backend="aot_eager"),
    )


class Attention(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.qkv = nn.Linear(4, 12)

    def forward(self, x: torch.Tensor, mask: torch.Tensor | None = None) -> torch.Tensor:
        q, k, v = self.qkv(x).chunk(3, dim=-1)
        scores = q @ k.mT
        if mask is not None:
            scores = scores.masked_fill(~mask[:, None], float("-inf"))
        return torch.softmax(scores, dim=-1) @ v


def test_attention_whose_caller_decides_on_the_mask_trains() -> None:
    mask = torch.tensor([[True] * 6, [True] * 4 + [False] * 2])
    batches = [(torch.randn(2, 6, 4), mask), (torch.randn(2, 6, 4),), (torch.randn(2, 7, 4), torch.ones(2, 7) > 0)]
    assert_trains_like_eager(Attention, batches, lambda model: torch.compile(model, backend="aot_eager"))
