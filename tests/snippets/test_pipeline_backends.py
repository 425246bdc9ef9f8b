"""Facts of "Backends" that no snippet asserts."""

import re

import pytest
import torch

from compile_lessons.runs.machine import cxx_compiler

HERE = "pipeline/backends/"


def test_a_backend_sees_the_graph_not_the_calls(record):
    text = record(HERE + "own.py").text
    assert (text.count("compiling"), text.count("sum of the result")) == (1, 3)


def test_stages_add_up(record):
    stages = record(HERE + "stages.py")
    rows = [re.search(r"([\d,.]+) ms +(\d+) %$", line).groups() for line in stages.text.splitlines()[2:]]
    assert len(rows) == 4 and sum(int(share) for _, share in rows) in range(98, 103)
    assert abs(sum(float(time.replace(",", "")) for time, _ in rows) - stages.values["total"]) < 0.5


def test_the_fallback_says_why(record):
    text = record(HERE + "fallback.py").text
    assert text.startswith("torch.compile is off: ") and "no-such-compiler" in text


@pytest.mark.skipif(cxx_compiler() is None, reason="needs a C++ compiler")
@pytest.mark.parametrize(
    ("backend", "equal"),
    [("eager", True), ("aot_eager", True), ("aot_eager_decomp_partition", False), ("inductor", False)],
)
def test_a_seed_alone_does_not_make_random_numbers_equal(backend, equal):
    def dropped(module):
        torch.manual_seed(0)
        return module(torch.ones(64))

    plain = torch.nn.Dropout()
    assert torch.equal(dropped(torch.compile(plain, backend=backend)), dropped(plain)) == equal
