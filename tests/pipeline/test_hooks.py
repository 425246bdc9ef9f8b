"""The private functions of torch and triton that the package touches: if a new torch moves one, its test fails.

Under another torch: ``make versions TORCH=2.15.0``.
"""

from contextlib import ExitStack

import pytest
from typer.testing import CliRunner

from compile_lessons.commands.cli import app
from compile_lessons.facts.gpu import H200
from compile_lessons.gpu import autocast, interpret, on_cpu, pretend
from compile_lessons.gpu.tools import why_no_triton
from compile_lessons.ground.patching import UnsupportedTorch, original, replaced, require
from compile_lessons.pipeline.aot import AotWatch
from compile_lessons.pipeline.caches import CachesWatch
from compile_lessons.pipeline.dynamo import DynamoWatch, _registry
from compile_lessons.pipeline.guards import GuardsWatch
from compile_lessons.pipeline.hooks import install
from compile_lessons.pipeline.inductor import InductorWatch

WATCHES = (DynamoWatch, GuardsWatch, AotWatch, InductorWatch, CachesWatch)
TARGETS = [(watch, target) for watch in WATCHES for target in watch.HOOKS]
DESCRIBED = (
    []
    if why_no_triton()
    else [
        *pretend.replacements(H200),
        *on_cpu.replacements(),
        *autocast.replacements(),
        *interpret.REPLACED,
    ]
)
#: What is used without being replaced.
USED = [
    "torch:_TorchCompileInductorWrapper",
    "torch._C:DispatchKey",
    "torch._C:DispatchKeySet",
    "torch._C:_AutoDispatchBelowAutograd",
    "torch._C:_ExcludeDispatchKeyGuard",
    "torch._C:_dispatch_get_registrations_for_dispatch_key",
    "torch._C:_get_sdp_priority_order",
    "torch._C._autograd:_get_sequence_nr",
    "torch._C._dynamo.guards:LeafGuard.verbose_code_parts",
    "torch._C._dynamo.guards:RootGuardManager.get_epilogue_lambda_guards",
    "torch._dynamo.convert_frame:input_codes.seen",
    "torch._dynamo.eval_frame:_debug_get_cache_entry_list",
    "torch._dynamo.eval_frame:_stance.stance",
    "torch._dynamo.eval_frame:reset_code",
    "torch._dynamo.eval_frame:set_code_exec_strategy",
    "torch._dynamo.pgo:_CODE_STATE",
    "torch._dynamo.pgo:_INIT_CODE_STATE",
    "torch._dynamo.symbolic_convert:TensorifyState.force_specializations",
    "torch._dynamo.utils:compilation_time_metrics",
    "torch._guards:detect_fake_mode",
    "torch._inductor.codecache:PyCodeCache.load",
    "torch._inductor.codecache:_HEADER_DIR",
    "torch._inductor.codecache:_HEADER_LOCK_DIR",
    "torch._inductor.compile_fx:compile_fx",
    "torch._inductor.cpp_builder:CppBuilder",
    "torch._inductor.cpp_builder:CppTorchOptions",
    "torch._inductor.fx_utils:count_flops_fx",
    "torch._inductor.runtime.hints:DeviceProperties.create",
    "torch._inductor.runtime.triton_heuristics:CachingAutotuner._precompile_config",
    "torch._logging._internal:DEFAULT_FORMATTER",
    "torch._logging._internal:_default_formatter",
    "torch._logging._internal:_init_logs",
    "torch.amp.autocast_mode:_enter_autocast",
    "torch.utils._traceback:shorten_filename",
]


@pytest.mark.parametrize(("watch", "target"), TARGETS, ids=[f"{w.__name__}-{target}" for w, target in TARGETS])
def test_torch_still_has_what_a_stage_watches(watch, target):
    assert callable(require(target))
    assert callable(getattr(watch, watch.HOOKS[target]))


@pytest.mark.parametrize("target", DESCRIBED)
def test_torch_still_has_what_a_described_gpu_replaces(target):
    original(target)


@pytest.mark.parametrize("target", USED)
def test_torch_still_has_what_is_used(target):
    require(target)


def test_private_names_mean_what_they_did():
    import torch
    from torch._dynamo.types import FrameAction, FrameExecStrategy
    from torch._inductor.decomposition import select_decomp_table
    from torch.utils._python_dispatch import TorchDispatchMode

    assert FrameExecStrategy(FrameAction.SKIP, FrameAction.DEFAULT).cur_action == FrameAction.SKIP
    assert isinstance(torch._dynamo.convert_frame.input_codes.seen, list)
    assert torch.ops.aten.native_batch_norm_backward.default in select_decomp_table()
    assert TorchDispatchMode.supports_higher_order_operators is False
    assert torch.ops.prim.device.default in original("torch._subclasses.fake_tensor:_DISPATCH_META_HANDLERS")
    assert len(_registry()) > 100


def test_a_missing_function_is_named():
    missing = "torch._dynamo.guards:Nothing.here"
    with pytest.raises(UnsupportedTorch, match=r"torch 2\..* has no torch\._dynamo\.guards:Nothing\.here"):
        require(missing)
    before = original("torch._guards:detect_fake_mode")
    with pytest.raises(UnsupportedTorch), replaced({"torch._guards:detect_fake_mode": None, missing: None}):
        pass
    assert original("torch._guards:detect_fake_mode") is before


def test_explain_shows_a_missing_function_as_a_message(tmp_path, monkeypatch):
    (tmp_path / "f.py").write_text(
        "import torch\n\ndef f(x):\n    return x + 1\n\ndef make_inputs():\n    return (1,)\n"
    )
    monkeypatch.setitem(GuardsWatch.HOOKS, "torch._dynamo.guards:Nothing.here", "build")
    result = CliRunner().invoke(app, ["explain", f"{tmp_path / 'f.py'}:f"])
    assert result.exit_code == 2
    assert "error: torch" in result.output and "has no torch._dynamo.guards:Nothing.here" in result.output
    assert "Traceback" not in result.output


def test_originals_come_back():
    targets = [target for _, target in TARGETS]
    before = {target: original(target) for target in targets}
    with ExitStack() as stack:
        install(stack, GuardsWatch())
        assert {target for target in targets if original(target) is not before[target]} == set(GuardsWatch.HOOKS)
    assert {target: original(target) for target in targets} == before


class Base:
    value = 1


class Child(Base):
    pass


def test_an_inherited_attribute_is_inherited_again():
    with replaced({f"{__name__}:Child.value": 2}):
        assert (Child.value, Base.value) == (2, 1)
    assert Child.value == 1 and "value" not in vars(Child)
