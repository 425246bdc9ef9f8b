"""After a capture everything is as before: configuration, caches, counters, and the user's own compiled functions."""

import copy
import inspect
import os
import random
import subprocess
import sys
import textwrap

import numpy
import pytest
import torch
from torch._dynamo.eval_frame import _debug_get_cache_entry_list
from torch._dynamo.utils import counters

from compile_lessons import capture, capture_calls, count_breaks, count_graphs
from compile_lessons.pipeline import backends
from compile_lessons.pipeline.session import session
from zoo import several_breaks


def counting_backend(seen):
    def backend(module, inputs):
        seen.append(module)
        return module.forward

    return backend


def doubled(x):
    return x * 2


def test_configuration_and_counters():
    import torch._inductor.config

    before = torch._dynamo.config.get_config_copy(), torch._inductor.config.get_config_copy()
    counters["frames"]["total"] += 5
    counted = copy.deepcopy(dict(counters))
    times = copy.deepcopy(torch._dynamo.utils.compilation_time_metrics)
    capture(doubled)(torch.ones(3))
    assert (torch._dynamo.config.get_config_copy(), torch._inductor.config.get_config_copy()) == before
    assert dict(counters) == counted
    assert torch._dynamo.utils.compilation_time_metrics == times


def test_the_user_s_compiled_function_is_not_compiled_again():
    seen = []
    compiled = torch.compile(doubled, backend=counting_backend(seen))
    compiled(torch.ones(3))
    capture(doubled)(torch.ones(3))
    compiled(torch.ones(3))
    assert len(seen) == 1


def test_no_compiled_code_stays_in_the_function_or_what_it_calls():
    capture(several_breaks)(torch.ones(3))
    count_graphs(doubled)(torch.ones(3))
    assert _debug_get_cache_entry_list(several_breaks.__code__) == []
    assert _debug_get_cache_entry_list(doubled.__code__) == []


@torch.compile
def compiled_with_a_break(x):
    y = x.sin()
    torch._dynamo.graph_break()
    return y.cos()


class StoresACompiledMethod(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.forward = torch.compile(self.forward)

    def forward(self, x):
        return x.sin().cos()


@pytest.mark.parametrize("fn", [lambda x: compiled_with_a_break(x), StoresACompiledMethod()])
def test_what_the_user_compiles_is_captured_as_far_as_the_capture_goes_and_dropped(fn, monkeypatch):
    def refuse(*arguments, **options):
        raise AssertionError("Inductor ran")

    monkeypatch.setattr("torch._inductor.compile_fx.compile_fx_inner", refuse)
    pipeline = capture(fn, until="dynamo")(torch.ones(3))
    assert [call.target for graph in pipeline.graphs for call in graph.dynamo.calls] == ["sin", "cos"]
    assert _debug_get_cache_entry_list(compiled_with_a_break.__wrapped__.__code__) == []
    assert _debug_get_cache_entry_list(StoresACompiledMethod.forward.__code__) == []


@pytest.mark.parametrize(("versions", "watched_too"), [(0, True), (1, False)])
def test_what_the_user_had_compiled_keeps_its_backend(versions, watched_too):
    users = torch._dynamo.repro.after_dynamo.wrap_backend_debug(
        torch._TorchCompileWrapper("eager", None, None, None), ""
    )
    with session() as watched:
        watched.compile(doubled, backends.eager)
        watched.dynamo.before.entries[doubled.__code__] = versions
        chosen = watched.dynamo._backend_of(doubled.__code__, users)
        watched.dynamo.before.entries.clear()
    assert (chosen is not users) is watched_too


def test_sizes_seen_in_a_capture_do_not_make_the_user_s_compile_dynamic():
    capture_calls(doubled, backend="eager")([torch.ones(n) for n in (3, 4, 5)])
    seen = []
    torch.compile(doubled, backend=counting_backend(seen))(torch.ones(7))
    shape = next(iter(seen[0].graph.nodes)).meta["example_value"].shape
    assert type(shape[0]) is int or shape[0] == 7
    assert all(node.op != "placeholder" or "s" not in node.name.split("_")[0] for node in seen[0].graph.nodes)


def test_a_user_s_compile_does_not_change_the_capture():
    torch.compile(doubled, backend="eager")(torch.ones(3))
    pipeline = capture(doubled)(torch.ones(4))
    assert pipeline.graphs[0].dynamo.calls[0].tensors[0].shape == (4,)
    assert len(pipeline.kernels) == 1


def test_caches_of_graphs_are_not_written(tmp_path, monkeypatch):
    monkeypatch.setenv("TORCHINDUCTOR_CACHE_DIR", str(tmp_path))
    capture(doubled)(torch.ones(3))
    assert not {"fxgraph", "aotautograd"} & set(os.listdir(tmp_path))


def test_random_generators_move_as_in_one_call():
    @torch.compiler.disable  # traced, random.random() in a sum is garbage in torch 2.14.0's Inductor
    def dice():
        return random.random() + numpy.random.rand()

    def noisy(x):
        return x + torch.rand(2).sum().item() + dice()

    def seed():
        torch._dynamo.reset()
        torch.manual_seed(1)
        random.seed(1)
        numpy.random.seed(1)

    def drawn():
        return torch.rand(1).item(), random.random(), numpy.random.rand()

    seed()
    torch.compile(noisy, backend="eager")(torch.ones(2))
    expected = drawn()
    seed()
    pipeline = capture(noisy, compare=True)(torch.ones(2))
    assert pipeline.comparison.status == "equal"
    assert drawn() == expected


def test_nothing_is_left_after_a_failure():
    capture(lambda x: x @ x)(torch.ones(3, 4))
    test_the_user_s_compiled_function_is_not_compiled_again()


def test_importing_is_light():
    """Beyond torch: this package, msgspec, and small modules of the standard library; the rest only when used."""
    code = """
        import sys, torch
        before = set(sys.modules)
        from compile_lessons import *
        new = {name.split(".")[0] for name in set(sys.modules) - before}
        assert new <= {"_decimal", "compile_lessons", "decimal", "graphlib", "html", "msgspec"}, new
        import compile_lessons.commands.explain
        new = {name.split(".")[0] for name in set(sys.modules) - before}
        assert {name for name in new if name in ("torch", "numpy", "sympy", "triton", "IPython")} == set(), new
        assert "torch._dynamo" not in sys.modules and "torch._inductor" not in sys.modules
    """
    subprocess.run([sys.executable, "-c", textwrap.dedent(code)], check=True, env=os.environ)


def random_and_printed(x):
    y = torch.nn.functional.dropout(x, 0.5, True)
    print("between two graphs")
    return y * 2


def test_no_name_stays_in_the_user_s_module_and_no_backend_is_kept():
    names = set(globals())
    backends = dict(torch._dynamo.eval_frame.cached_backends)
    capture(random_and_printed)(torch.ones(3))
    new = torch._dynamo.eval_frame.cached_backends.keys() - backends.keys()
    assert set(globals()) == names
    assert all(torch._dynamo.eval_frame.cached_backends[key] is None for key in new)  # torch.compiler.disable's


def test_inductor_s_counts():
    from torch._inductor import metrics

    before = metrics.generated_kernel_count, list(metrics.nodes_num_elem)
    capture(doubled)(torch.ones(3))
    assert (metrics.generated_kernel_count, metrics.nodes_num_elem) == before


@pytest.mark.skipif(
    "isolate_recompiles" not in inspect.signature(torch.compile).parameters, reason="from torch 2.13 on"
)
def test_captures_do_not_use_up_the_user_s_recompile_limit():
    seen = []
    compiled = torch.compile(doubled, backend=counting_backend(seen))
    compiled(torch.ones(3))
    with torch._dynamo.config.patch(recompile_limit=2):
        pipelines = [capture(doubled)(torch.ones(3)) for _ in range(3)]
        compiled(torch.ones(3, 3))
    assert [len(pipeline.graphs) for pipeline in pipelines] == [1, 1, 1]
    assert len(seen) == 2


def test_ids_of_frames_do_not_depend_on_earlier_compiles():
    def helper(x):
        torch._dynamo.graph_break()
        return x + 1

    def caller(x):
        return helper(x * 2)

    fresh = [frame.id for frame in capture(caller)(torch.ones(3)).frames]
    torch.compile(helper, backend="eager")(torch.ones(3))
    assert [frame.id for frame in capture(caller)(torch.ones(3)).frames] == fresh == ["0/0", "1/0", "2/0"]


def test_a_module_has_no_new_attributes():
    module = torch.nn.Linear(2, 2)
    before = set(vars(module))
    capture(module)(torch.ones(1, 2))
    assert set(vars(module)) == before


def break_in_a_loop(x):
    for _ in range(2):
        x = x + 1
        torch._dynamo.graph_break()
    return x * 2


def loop_after_a_break(x, *, by=1):
    x = x * by
    torch._dynamo.graph_break()
    for _ in range(2):
        x = x + 1
        torch._dynamo.graph_break()
    return break_in_a_loop(x)


@pytest.mark.parametrize(("fn", "breaks"), [(break_in_a_loop, 1), (loop_after_a_break, 3)])
def test_what_the_user_s_compile_skipped_is_seen(fn, breaks):
    x = torch.ones(3)
    fresh = capture(fn)(x)
    assert len(fresh.breaks) == count_breaks(fn)(x) == breaks
    compiled = torch.compile(fn, backend="eager")
    compiled(x)
    pipeline = capture(fn)(x)
    assert (pipeline.breaks, pipeline.skips) == (fresh.breaks, fresh.skips)
    assert [frame.id for frame in pipeline.frames] == [frame.id for frame in fresh.frames]
    assert count_breaks(fn)(x) == breaks
    torch.testing.assert_close(compiled(x), fn(x))
