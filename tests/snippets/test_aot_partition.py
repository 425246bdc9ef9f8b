"""Facts of the page "Saved for backward" that no program of it asserts."""

from torch._functorch import config


def test_the_budget_is_off_by_default():
    assert config.activation_memory_budget == 1.0
