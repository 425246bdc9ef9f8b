"""The remedies for requests that wait for a compile: the warm-up, changed as printed, leaves none to the requests."""

import contextlib
import functools
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import torch
from torch import nn

from compile_lessons import keep_graphs
from compile_lessons.findings.catalogue import fix

TOKENS = torch.arange(64).remainder(10)


class Encoder(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.table = nn.Embedding(10, 4)

    def forward(self, tokens: torch.Tensor, double: bool = False) -> torch.Tensor:
        x = self.table(tokens).mean(-2)
        return x * 2 if double else x


@contextlib.contextmanager
def threads(number: int) -> Iterator[None]:
    before = torch.get_num_threads()
    torch.set_num_threads(number)
    try:
        yield
    finally:
        torch.set_num_threads(before)


def call(mode: Any, *lengths: int, mark: bool = False, **options: bool) -> Callable[[nn.Module], None]:
    def calls(encode: nn.Module) -> None:
        with mode():
            for length in lengths:
                tokens = TOKENS[:length].clone()
                if mark:
                    torch._dynamo.mark_dynamic(tokens, 0)
                encode(tokens, **options)

    return calls


def in_thread(work: Callable[[nn.Module], None]) -> Callable[[nn.Module], None]:
    def calls(encode: nn.Module) -> None:
        thread = threading.Thread(target=work, args=(encode,))
        thread.start()
        thread.join()

    return calls


def both(*parts: Callable[[nn.Module], None]) -> Callable[[nn.Module], None]:
    def calls(encode: nn.Module) -> None:
        for part in parts:
            part(encode)

    return calls


no_grad, inference = functools.partial(call, torch.no_grad), functools.partial(call, torch.inference_mode)
WARM_UP, ONE_THREAD = no_grad(8), call(lambda: threads(1), 8)
#: Cause, options of torch.compile, the requests after ``WARM_UP``, the warm-up or the requests with the remedy.
CASES = [
    ("mode", {}, inference(8), inference(8), None),
    ("grad", {}, in_thread(call(torch.enable_grad, 8)), None, in_thread(no_grad(8))),
    ("size", {}, no_grad(16, 9, 2), no_grad(8, 16), None),
    ("size", {}, no_grad(16, 9, 2), no_grad(8, mark=True), None),
    ("static-size", {"dynamic": False}, no_grad(8, 16), no_grad(8, 16), None),
    ("state", {}, ONE_THREAD, ONE_THREAD, None),
    ("value", {}, no_grad(8, double=True), both(WARM_UP, no_grad(8, double=True)), None),
]


@pytest.mark.parametrize(("cause", "options", "requests", "warm_better", "ask_better"), CASES)
def test_a_request_after_the_warm_up_compiles_nothing(
    cause: str, options: Any, requests: Any, warm_better: Any, ask_better: Any
) -> None:
    assert fix("late-compile", cause, mode="no_grad", source="double", remedy="").remedy

    def graphs(warm: Any, ask: Any) -> tuple[int, int]:
        torch.compiler.reset()
        kept = keep_graphs("eager")
        encode = torch.compile(Encoder().eval(), backend=kept, **options)
        with threads(2) if cause == "state" else contextlib.nullcontext():
            warm(encode)
            before = len(kept.graphs)
            ask(encode)
        return before, len(kept.graphs) - before

    assert graphs(WARM_UP, requests)[1] > 0
    assert graphs(warm_better or WARM_UP, ask_better or requests)[1] == 0
