"""Four compiles that the tests look at, each made once."""

import sys
from pathlib import Path

import pytest
import torch

from compile_lessons import api
from compile_lessons.facts import Pipeline
from written import capture

sys.path.insert(0, str(Path(__file__).parent))

import programs


@pytest.fixture(scope="session")
def broken() -> Pipeline:
    return capture(programs.with_a_break)(torch.randn(8, 16))


@pytest.fixture(scope="session")
def step() -> Pipeline:
    return capture(programs.step)(torch.randn(8, 16), torch.randn(16, 16, requires_grad=True))


@pytest.fixture(scope="session")
def dynamic() -> Pipeline:
    return capture(programs.of_any_size, dynamic=True)(torch.randn(8, 16))


@pytest.fixture(scope="session")
def on_gpu() -> Pipeline:
    return api.capture(programs.step, target="h200")(torch.randn(8, 16), torch.randn(16, 16, requires_grad=True))
