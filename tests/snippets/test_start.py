"""Facts that the pages of the first part state."""

import platform
import re

import torch


def test_the_repository_has_one_address(course):
    """mkdocs.yml names it; README.md and the set-up page say ``git clone`` with it."""
    [address] = re.findall(r"^repo_url: (\S+)$", (course.root / "mkdocs.yml").read_text(encoding="utf-8"), re.M)
    for page in (course.root / "README.md", course.docs / "start" / "setup.md"):
        assert re.findall(r"^git clone (\S+)$", page.read_text(encoding="utf-8"), re.M) == [address], page


def test_setup_names_this_machine(record):
    text = record("start/setup.py").text
    assert platform.python_version() in text
    assert torch.__version__ in text
    assert [line.split()[0] for line in text.splitlines()] == ["Python", "torch", "processor", "threads", "compiler"]


def test_varies_is_declared(record):
    assert record("start/outputs/varies.py").varies
    assert not record("start/outputs/ran_now.py").varies


def test_an_expected_error_is_no_failure(record):
    failed = record("start/outputs/expected_error.py")
    assert failed.failure is None
    assert failed.raised.startswith("RuntimeError")
    assert failed.text.startswith("tensor([2., 2., 2.])\n")  # what it printed before
