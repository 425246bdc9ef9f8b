"""The facts of docs/dynamo/recompiles.md."""

import importlib
import operator

import pytest


def test_the_log_names_the_failed_guard(record):
    found = record("dynamo/recompiles/why.py")
    assert found.values["versions"] == 3
    assert "0/0: mode == 'double'" in found.text and "0/1: tensor 'x' rank mismatch" in found.text


def test_only_an_int_attribute_runs_into_the_limit(record):
    assert record("dynamo/recompiles/timeline.py").values["argument_compiles"] == 2
    values = record("dynamo/recompiles/attributes.py").values
    assert [values[f"{kind}_compiles"] for kind in ("int", "float", "tensor")] == [8, 2, 1]


def test_the_timelines_are_figures(record):
    for name in ("timeline", "attributes"):
        [figure] = [output for output in record(f"dynamo/recompiles/{name}.py").outputs if output.rich]
        assert figure.rich["image/svg+xml"].count("<rect") >= 33


def test_versions_are_used_after_the_limit(record):
    text = record("dynamo/recompiles/limit.py").text
    assert "torch._dynamo hit config.recompile_limit (2)" in text
    assert text.index("-> factor 4: eager") < text.index("-> factor 3: compiled", text.index("-> factor 4"))


def test_the_limit_can_be_an_error(record):
    found = record("dynamo/recompiles/fail.py")
    assert found.values["limit"] == 2 and found.text.count("factor 4: FailOnRecompileLimitHit") == 2


def test_a_schedule_needs_two_graphs_at_most(record):
    values = record("dynamo/recompiles/scheduler.py").values
    assert (values["float_graphs"], values["tensor_graphs"]) == (2, 1)


def test_a_counter_belongs_in_a_buffer(record):
    values = record("dynamo/recompiles/counter.py").values
    assert (values["as_int"], values["int_eager"]) == (8, 92)
    assert (values["as_buffer"], values["buffer_eager"]) == (1, 0)


@pytest.mark.parametrize(
    "module, name",
    [
        ("convert_frame", "_compile"),
        ("cache_size", "exceeds_recompile_limit"),
        ("cache_size", "CacheSizeRelevantForFrame"),
        ("guards", "get_and_maybe_log_recompilation_reasons"),
        ("exc", "FailOnRecompileLimitHit"),
    ],
)
def test_symbols_named_on_the_page_exist(module, name):
    assert operator.attrgetter(name)(importlib.import_module(f"torch._dynamo.{module}"))


def test_settings_named_on_the_page_exist():
    from torch._dynamo import config

    assert config.cache_size_limit == config.recompile_limit == 8
    assert config.accumulated_recompile_limit > 8 and config.fail_on_recompile_limit_hit is False
