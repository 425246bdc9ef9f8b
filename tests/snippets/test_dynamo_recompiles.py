"""What docs/dynamo/recompiles.md states and its snippets don't assert themselves."""


def test_the_log_names_the_failed_guard(record):
    text = record("dynamo/recompiles/why.py").text
    assert "0/0: mode == 'double'" in text and "0/1: tensor 'x' rank mismatch" in text


def test_the_timeline_is_a_figure(record):
    [figure] = [output for output in record("dynamo/recompiles/timeline.py").outputs if output.rich]
    assert figure.rich["image/svg+xml"].count("<rect") >= 44


def test_the_warning_comes_before_the_first_call_in_eager_mode(record):
    text = record("dynamo/recompiles/limit.py").text
    assert text.index("torch._dynamo hit config.recompile_limit (2)") < text.index("-> abcd: eager mode")


def test_defaults_of_the_limits():
    from torch._dynamo import config

    assert config.cache_size_limit == config.recompile_limit == 8
    assert config.accumulated_recompile_limit > 8 and config.fail_on_recompile_limit_hit is False
