"""Let torch compile for a GPU that is described and not there. All that is replaced in torch for that is here.

Inductor is Python: it asks ``torch.cuda`` and the device interface what the GPU is like, and reads ``tensor.device``.
Those answers come from the described device. Tensors are fake tensors on ``cuda``. ATen and the autograd engine are C++
and need a device guard that a CPU build of torch does not have. They ask a fake tensor for its device through
``prim.device``, and are told ``cpu``. So Python sees ``cuda`` and C++ sees ``cpu``, while no kernel ever runs.
What C++ creates on its own (``zeros_like`` of a gradient, say) is put on ``cuda`` when the fake mode is asked for it.
"""

import importlib
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import torch
from torch.utils._python_dispatch import TorchDispatchMode

from compile_lessons.facts import Candidate, Device
from compile_lessons.gpu.device_choices import NotKnownWithoutGpu
from compile_lessons.gpu.tools import require_triton
from compile_lessons.ground.patching import original, replaced, require

#: Called with notes and candidates.
OnNote = Callable[[str | Candidate], None]
CUDA = torch.device("cuda:0")
CPU = torch.device("cpu")
_DEVICE = torch.ops.prim.device.default

#: Modules in which torch keeps answers about the device.
_CACHES = ("torch.utils._triton", "torch._inductor.utils", "torch._inductor.codegen.triton_utils")
_FAKE = "torch._subclasses.fake_tensor"
_FUNCTIONAL = "torch._subclasses.functional_tensor:FunctionalTensor"
_WRAPPER = "torch:Tensor._make_wrapper_subclass"
_NESTED = "torch.nested._internal.nested_tensor:NestedTensor"
_ATTRIBUTE = "torch._inductor.graph:getattr_recursive"
_SELECT = "torch._inductor.select_algorithm:AlgorithmSelectorCache.__call__"
_ALLOCATOR = "check_caching_allocator_for_cudagraphs"
_LOAD = "torch._inductor.codecache:PyCodeCache.load_by_key_path"
_LOAD_SOURCE = "torch._inductor.codecache:PyCodeCache.load"


def described(device: Device, on_note: OnNote = lambda note: None) -> AbstractContextManager[None]:
    """Let torch compile as if ``device`` were there. Afterwards, also after an exception, all is as before.

    ``on_note`` is called with a note on each decision for which Inductor would time candidates on a real device, with
    the candidates, and with the reason where it does not use CUDA graphs.
    Raises ``GpuToolsMissing`` without triton and ``UnsupportedTorch`` if torch lacks something that has to be replaced.
    """
    return answering(replacements(device, on_note))


def replacements(device: Device, on_note: OnNote = lambda note: None) -> dict[str, Any]:
    """Return everything that ``described`` replaces, as for ``replaced``."""
    return answers(device) | _fake_tensors() | _measurements(on_note) | _cuda_graphs(on_note)


@contextmanager
def answering(values: dict[str, Any]) -> Iterator[None]:
    """Replace ``values``, the answers of a device among them; what torch has kept of other answers is forgotten."""
    with replaced(values):
        _forget_answers()
        try:
            yield
        finally:
            _forget_answers()


def _forget_answers() -> None:
    """Clear the caches in which torch keeps answers about the device."""
    require("torch._inductor.runtime.hints:DeviceProperties.create").cache_clear()
    for module in map(importlib.import_module, _CACHES):
        for function in list(vars(module).values()):
            if hasattr(function, "cache_clear"):
                function.cache_clear()


def _properties(device: Device) -> SimpleNamespace:
    """Return the device as ``torch.cuda.get_device_properties`` would describe it."""
    return SimpleNamespace(
        name=device.name,
        major=device.capability[0],
        minor=device.capability[1],
        multi_processor_count=device.multiprocessors,
        regs_per_multiprocessor=device.registers_per_multiprocessor,
        max_threads_per_multi_processor=device.threads_per_multiprocessor,
        max_threads_per_block=1024,
        warp_size=32,
        shared_memory_per_block=48 * 2**10,
        shared_memory_per_block_optin=device.shared_per_block,
        shared_memory_per_multiprocessor=device.shared_per_multiprocessor,
        total_memory=device.memory,
        L2_cache_size=device.l2,
        gcnArchName="",
    )


def answers(device: Device) -> dict[str, Any]:
    """Return the answers to what Inductor asks ``torch.cuda``, Dynamo's device interface, triton's driver and cuDNN.

    Raises ``GpuToolsMissing``.
    """
    require_triton()
    from triton.backends.compiler import GPUTarget  # triton is not installed everywhere

    properties = _properties(device)
    target = GPUTarget("cuda", device.arch, 32)
    driver = SimpleNamespace(
        get_current_target=lambda: target,
        get_current_device=lambda: 0,
        get_current_stream=lambda index: 0,
        is_active=lambda: True,
    )
    shared: dict[str, Any] = {
        "is_available": lambda: True,
        "device_count": lambda: 1,
        "current_device": lambda: 0,
        "get_device_properties": lambda device=None: properties,
    }
    of_cuda = shared | {
        "get_device_capability": lambda capability=device.capability: capability,
        "_exchange_device": lambda index: 0,
        "_maybe_exchange_device": lambda index: 0,
        "synchronize": lambda device=None: None,
        "set_device": lambda device: None,
        "_lazy_init": lambda: None,
        "is_current_stream_capturing": lambda: False,  # torch 2.15's Dynamo asks, and a CUDA build then needs a driver
        "reset_peak_memory_stats": lambda device=None: None,
        "manual_seed": lambda seed: None,
        "manual_seed_all": lambda seed: None,
        "get_rng_state": lambda device="cuda": torch.zeros(16, dtype=torch.uint8),
        "set_rng_state": lambda state, device="cuda": None,
    }
    of_interface = shared | {"get_compute_capability": lambda device=None: target.arch}
    interface = "torch._dynamo.device_interface:CudaInterface"
    launcher = "torch._inductor.runtime.triton_heuristics:StaticTritonCompileResult.can_statically_launch"
    return {
        "torch.version:cuda": torch.version.cuda or "13.0",
        "triton.runtime:driver._active": driver,
        "torch._inductor.runtime.triton_helpers:set_driver_to_gpu": lambda: None,
        # Otherwise Dynamo asks a CUDA build of torch, in C++, for the current stream of a GPU that is not there.
        "torch.accelerator:is_available": lambda: False,
        # Otherwise a compiled kernel is kept without its intermediate stages.
        launcher: staticmethod(lambda *args: None),
        **{f"torch.cuda:{name}": answer for name, answer in of_cuda.items()},
        **{f"{interface}.{name}": staticmethod(answer) for name, answer in of_interface.items()},
        **_layouts(device),
    }


def _fake_tensors() -> dict[str, Any]:
    """Return replacements that make fake tensors on ``cuda`` answer ``cpu`` when C++ asks, and put its results back."""
    tensor_dispatch = original(f"{_FAKE}:FakeTensor.__torch_dispatch__").__func__
    mode_dispatch = original(f"{_FAKE}:FakeTensorMode.dispatch")
    handlers = original(f"{_FAKE}:_DISPATCH_META_HANDLERS")
    folder = "torch._inductor.fx_passes.joint_graph:UniformValueConstantFolder._deduce_value"
    deduce = original(folder)
    create = original(f"{_FAKE}:FakeTensor.__new__").__func__
    get_attribute = original(_ATTRIBUTE)
    make_wrapper = require(_WRAPPER)

    def make_wrapper_on_cpu(cls: type, *args: Any, **kwargs: Any) -> Any:
        args, kwargs = on(args, kwargs, CUDA, CPU)
        return make_wrapper(cls, *args, **kwargs)

    def create_on_cuda(cls: type, *args: Any, **kwargs: Any) -> Any:
        args, kwargs = on(args, kwargs, CPU, CUDA)
        return create(cls, *args, **kwargs)

    def get_on_cuda(*args: Any) -> Any:
        value = get_attribute(*args)
        return value.as_subclass(_OnCuda) if type(value) in (torch.Tensor, torch.nn.Parameter) else value

    def dispatch_tensor(cls: type, function: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        result = tensor_dispatch(cls, function, types, args, kwargs or {})
        return _told_cpp(result) if function is _DEVICE else result

    def dispatch_mode(self: Any, function: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        args, kwargs = on(args, kwargs or {}, CPU, CUDA)
        return mode_dispatch(self, function, types, args, kwargs)

    def deduce_on_cpu(self: Any, node: torch.fx.Node) -> Any:
        with _RealTensorsOnCpu():
            return deduce(self, node)

    return {
        f"{_FAKE}:FakeTensor.__torch_dispatch__": classmethod(dispatch_tensor),
        f"{_FAKE}:_DISPATCH_META_HANDLERS": {**handlers, _DEVICE: lambda args: _told_cpp(handlers[_DEVICE](args))},
        f"{_FAKE}:FakeTensorMode.dispatch": dispatch_mode,
        # Python reads these; without an answer of its own a fake tensor passes the question on to C++.
        f"{_FAKE}:FakeTensor.is_cuda": property(lambda self: self.fake_device.type == "cuda"),
        f"{_FAKE}:FakeTensor.is_cpu": property(lambda self: self.fake_device.type == "cpu"),
        # A tensor of tensors has a device of its own, which the autograd engine asks for in C++.
        _WRAPPER: staticmethod(make_wrapper_on_cpu),
        f"{_NESTED}.device": property(lambda self: CUDA),
        f"{_NESTED}.is_cuda": property(lambda self: True),
        f"{_NESTED}.is_cpu": property(lambda self: False),
        # Decompositions in Python above functionalization read these.
        f"{_FUNCTIONAL}.device": property(lambda self: CUDA),
        f"{_FUNCTIONAL}.is_cuda": property(lambda self: True),
        f"{_FUNCTIONAL}.is_cpu": property(lambda self: False),
        # The real tensors that a graph holds: constants, and the parameters of an optimizer.
        f"{_FAKE}:FakeTensor.__new__": staticmethod(create_on_cuda),
        _ATTRIBUTE: get_on_cuda,
        folder: deduce_on_cpu,
        **without_device_init(),
    }


def without_device_init() -> dict[str, Any]:
    """Return replacements that keep fake tensors on ``cuda`` from asking for the device's driver."""
    return {
        # A constant is created on the device that it names, as with a driver, not on the CPU and copied.
        f"{_FAKE}:FakeTensorMode.avoid_device_init": property(lambda self: False),
        f"{_FAKE}:init_gpu_context": lambda device: None,
    }


def _layouts(device: Device) -> dict[str, Any]:
    """Return the replacement that lays out a convolution's result as cuDNN does: C++ is asked, and told ``cpu``."""
    name = "torch._C:_conv_determine_backend_memory_format"
    determine = original(name)

    def determine_as_cudnn(input: torch.Tensor, weight: torch.Tensor, backend: Any) -> torch.memory_format:
        if torch.backends.cudnn.enabled:
            return _cudnn_memory_format(device, input, weight)
        return cast(torch.memory_format, determine(input, weight, backend))

    return {name: determine_as_cudnn}


def _cudnn_memory_format(device: Device, input: torch.Tensor, weight: torch.Tensor) -> torch.memory_format:
    """As ``cudnn_conv_suggest_memory_format`` in ``aten/src/ATen/native/ConvUtils.h``."""
    suggest = require("torch._prims_common:suggest_memory_format")
    dtypes = (input.dtype, weight.dtype)
    wanted = {4: torch.channels_last, 5: torch.channels_last_3d}.get(weight.dim())
    if wanted not in (suggest(input), suggest(weight)) or torch.float64 in dtypes:
        return torch.contiguous_format
    if torch.bfloat16 in dtypes and device.capability < (8, 0):
        raise NotKnownWithoutGpu(
            f"convolution of a channels-last tensor in bfloat16: cuDNN has none for {device.name}. "
            "Fix: convert the tensor to float16, or to a contiguous one"
        )
    return cast(torch.memory_format, wanted)


def _told_cpp(device: torch.device) -> torch.device:
    return CPU if device.type == "cuda" else device


def on(args: Any, kwargs: Any, old: torch.device, new: torch.device) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Return the arguments of an operator with each device of the old type changed to the new one."""

    def changed(value: Any) -> Any:
        return new if isinstance(value, torch.device) and value.type == old.type else value

    return tuple(map(changed, args)), {name: changed(value) for name, value in kwargs.items()}


class _OnCuda(torch.Tensor):
    """A real tensor that says that it is on ``cuda``."""

    device = property(lambda self: CUDA)


class _RealTensorsOnCpu(TorchDispatchMode):
    """Create the real tensors of one element that constant folding computes with on the CPU."""

    def __torch_dispatch__(self, function: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        args, kwargs = on(args, kwargs or {}, CUDA, CPU)
        return function(*args, **kwargs)


def _measurements(on_note: OnNote) -> dict[str, Any]:
    """Return fixed answers, each with a note, where Inductor would time candidates on the device."""
    select = original(_SELECT)
    is_library = require("torch._inductor.select_algorithm:ExternKernelCaller")

    def do_not_pad(key: str) -> bool:
        on_note("Inductor times a matmul with padded operands on the device; here the matmul isn't padded")
        return False

    def select_first(self: Any, name: str, choices: list[Any], *args: Any, **kwargs: Any) -> Any:
        """Select what Inductor selects where it has no times: a library's kernel, or else the first candidate."""
        for keep in self.preprocessing_fns:
            choices = keep(choices)
        if len(choices) > 1:
            for candidate in choices:
                on_note(_candidate(name, candidate))
            libraries = [candidate for candidate in choices if isinstance(candidate, is_library)]
            choices = [*libraries, *choices][:1]
            on_note(f"Inductor times the candidates for {name} on the device; here it uses {choices[0].name}")
        return select(self, name, choices, *args, **kwargs)

    return {"torch._inductor.fx_passes.pad_mm:get_cached_should_pad": do_not_pad, _SELECT: select_first}


def _candidate(operator: str, caller: Any) -> Candidate:
    path = getattr(getattr(caller, "bmreq", None), "module_path", None)
    source = Path(path).read_text(encoding="utf-8") if path else ""
    return Candidate(operator=operator, name=caller.name, options=caller.description, source=source)


def _cuda_graphs(on_note: OnNote) -> dict[str, Any]:
    """Return replacements that leave compiled code as it is where it would be recorded as CUDA graphs."""
    log = original("torch._inductor.cudagraph_utils:log_cudagraph_skip_and_bump_counter")

    def note(message: str) -> None:
        on_note(message)
        log(message)

    changes: dict[str, Callable[..., Any]] = {
        "torch._inductor.compile_fx:cudagraphify": lambda model, *args, **kwargs: model,
        "torch._inductor.output_code:prepare_cudagraph_post_compile": lambda *args, **kwargs: None,
        "torch._inductor.output_code:log_cudagraph_skip_and_bump_counter": note,
    }
    if hasattr(importlib.import_module("torch._inductor.cudagraph_utils"), _ALLOCATOR):  # torch 2.11 does not ask
        changes[f"torch._inductor.cudagraph_utils:{_ALLOCATOR}"] = lambda: None
    return changes


@contextmanager
def loading_with(load: Callable[..., Any]) -> Iterator[None]:
    """Make ``load`` Inductor's last step, ``PyCodeCache.load_by_key_path(key, path, …)`` of the output code.

    Files that ``load`` itself makes Inductor load (a kernel's own file), and templates, are loaded as usual.
    """
    usual, load_source = original(_LOAD), original(_LOAD_SOURCE).__func__

    def loading_as_usual(function: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        with replaced({_LOAD: usual}):
            return function(*args, **kwargs)

    instead = partial(loading_as_usual, load)
    with replaced({_LOAD: instead, _LOAD_SOURCE: classmethod(partial(loading_as_usual, load_source))}):
        yield


def load_nothing(key: str, path: str, *args: Any, **kwargs: Any) -> SimpleNamespace:
    """Return a module without code, where code is written and not run."""
    runner = SimpleNamespace(call=_not_loaded, recursively_apply_fns=lambda functions: None, partitions=[])
    return SimpleNamespace(call=_not_loaded, runner=runner, __file__=path)


def _not_loaded(*args: Any) -> None:
    raise RuntimeError("this code was written to be read: it is not compiled and cannot run")
