"""The private functions of torch that each stage watches: if a new torch moves one, the test of that name fails.

Under another torch: ``make versions TORCH=2.15.0``.
"""

from contextlib import ExitStack

import pytest

from compile_lessons.pipeline import aot, caches, dynamo, guards, hooks, inductor

WATCHES = (dynamo.Watch, guards.Watch, aot.Watch, inductor.Watch, caches.Watch)
TARGETS = [(watch, target) for watch in WATCHES for target in watch.HOOKS]


@pytest.mark.parametrize(("watch", "target"), TARGETS, ids=[f"{w.__module__.split('.')[-1]}-{t}" for w, t in TARGETS])
def test_torch_still_has(watch, target):
    owner, name = hooks.resolve(target)
    assert callable(getattr(owner, name))
    assert callable(getattr(watch, watch.HOOKS[target]))


def test_a_missing_function_is_named():
    with pytest.raises(hooks.MissingHook, match=r"torch .* has no torch\._dynamo\.guards:Nothing\.here"):
        hooks.resolve("torch._dynamo.guards:Nothing.here")


def test_originals_come_back():
    before = {target: getattr(*hooks.resolve(target)) for _, target in TARGETS}
    with ExitStack() as stack:
        hooks.install(stack, guards.Watch())
        target = next(iter(guards.Watch.HOOKS))
        assert getattr(*hooks.resolve(target)) is not before[target]
    assert {target: getattr(*hooks.resolve(target)) for _, target in TARGETS} == before


def test_other_private_names():
    import torch._dynamo.pgo
    from torch._C._dynamo.guards import LeafGuard, RootGuardManager
    from torch._dynamo.eval_frame import _debug_get_cache_entry_list, reset_code, set_code_exec_strategy, set_eval_frame
    from torch._dynamo.types import ConvertFrameReturn, FrameAction, FrameExecStrategy
    from torch._inductor.cpp_builder import CppBuilder, CppTorchOptions
    from torch._inductor.decomposition import select_decomp_table
    from torch.utils._python_dispatch import TorchDispatchMode
    from torch.utils._traceback import shorten_filename

    assert hasattr(torch._dynamo.pgo, "_CODE_STATE") and hasattr(torch._dynamo.pgo, "_INIT_CODE_STATE")
    assert callable(_debug_get_cache_entry_list) and callable(reset_code)
    assert callable(set_code_exec_strategy) and callable(set_eval_frame) and callable(ConvertFrameReturn)
    assert FrameExecStrategy(FrameAction.SKIP, FrameAction.DEFAULT).cur_action == FrameAction.SKIP
    assert isinstance(torch._dynamo.convert_frame.input_codes.seen, list)
    assert callable(RootGuardManager.get_epilogue_lambda_guards) and callable(LeafGuard.verbose_code_parts)
    assert callable(shorten_filename)
    assert torch.ops.aten.native_batch_norm_backward.default in select_decomp_table()
    assert TorchDispatchMode.supports_higher_order_operators is False
    assert callable(CppBuilder) and callable(CppTorchOptions)
    assert callable(torch._TorchCompileInductorWrapper)
    assert torch._dynamo.utils.compilation_time_metrics is not None
    assert len(dynamo._registry()) > 100
