"""Facts that the pages of the first part state."""

import platform

import pytest
import torch


def test_setup_names_this_machine(record):
    text = record("start/setup.py").text
    assert platform.python_version() in text
    assert torch.__version__ in text
    assert [line.split()[0] for line in text.splitlines()] == ["Python", "torch", "processor", "threads", "compiler"]


def test_ran_now(record):
    ran = record("start/outputs/ran_now.py")
    assert ran.values["graph_count"] == 1
    assert ran.text == "tensor([0, 2, 4, 6])\n"
    assert not ran.varies


def test_varies_is_declared(record):
    varies = record("start/outputs/varies.py")
    assert varies.varies
    assert varies.values["microseconds"] > 0
    assert "µs" in varies.text


def test_expected_error(record):
    failed = record("start/outputs/expected_error.py")
    assert failed.status == "ok"
    assert failed.raised.startswith("RuntimeError")
    assert failed.text.startswith("tensor([2., 2., 2.])\n")


@pytest.mark.parametrize("name", ["start/setup.py", "start/outputs/ran_now.py", "start/outputs/varies.py"])
def test_no_compiler_is_needed(record, name):
    assert record(name).raised is None
