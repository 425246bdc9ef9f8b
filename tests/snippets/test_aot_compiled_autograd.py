"""Facts of the page "Compiled autograd" that no program of it asserts."""

from torch._dynamo import config


def test_both_settings_are_off_by_default():
    assert config.compiled_autograd is False
    assert config.trace_autograd_ops is False
