"""Let torch compile for a GPU that is described and not there. Every private name that ``gpu`` replaces is here.

Inductor is Python: it asks ``torch.cuda`` and the device interface what the GPU is like, and reads ``tensor.device``.
Those answers come from the described device. Tensors are fake tensors on ``cuda``. ATen and the autograd engine are C++
and need a device guard that a CPU build of torch does not have; they ask a fake tensor for its device through
``prim.device``, and are told ``cpu``. So Python sees ``cuda`` and C++ sees ``cpu``, while no kernel ever runs.
What C++ makes on its own (``zeros_like`` of a gradient, say) is put on ``cuda`` when the fake mode is asked for it.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from types import ModuleType, SimpleNamespace
from typing import Any
from unittest.mock import patch

import torch
from torch.utils._python_dispatch import TorchDispatchMode

from compile_lessons.gpu.devices import Device
from compile_lessons.gpu.tools import require_triton

CUDA = torch.device("cuda:0")
CPU = torch.device("cpu")
_DEVICE = torch.ops.prim.device.default


class UnsupportedTorch(RuntimeError):
    """This torch lacks a private name that has to be replaced; the message says which."""


@dataclass(frozen=True)
class Patch:
    """One attribute (or, if ``item``, one entry of a dictionary) and what stands there in the meantime."""

    owner: Any
    name: Any
    value: Any
    item: bool = False

    def current(self) -> Any:
        """What is there now. Raises ``UnsupportedTorch`` if nothing is."""
        found = self.owner if self.item else vars(self.owner)
        if self.name in found:
            return found[self.name]
        if not self.item and hasattr(self.owner, self.name):
            return getattr(self.owner, self.name)
        where = getattr(self.owner, "__name__", type(self.owner).__name__)
        raise UnsupportedTorch(
            f"torch {torch.__version__} has no {where}.{self.name}, which compile_lessons.gpu replaces"
        )


@contextmanager
def described(device: Device, on_note: Callable[[str], None] = lambda note: None) -> Iterator[None]:
    """Inside it torch compiles as if ``device`` were there; afterwards, also after an exception, all is as before.

    ``on_note`` is told of each decision that a real device would have measured. Raises ``UnsupportedTorch``.
    """
    require_triton()
    with ExitStack() as stack:
        for change in patches(device, on_note):
            change.current()
            if change.item:
                stack.enter_context(patch.dict(change.owner, {change.name: change.value}))
            else:
                stack.enter_context(patch.object(change.owner, change.name, change.value))
        forget_answers()
        try:
            yield
        finally:
            forget_answers()


def patches(device: Device, on_note: Callable[[str], None] = lambda note: None) -> list[Patch]:
    """Everything that ``described`` replaces."""
    return [*_questions(device), *_lie_to_cpp(), *_decompositions(), *_measurements(on_note)]


def forget_answers() -> None:
    """Clear the caches in which torch keeps answers about the device."""
    from torch._inductor.runtime.hints import DeviceProperties

    DeviceProperties.create.cache_clear()
    for module in _modules("torch.utils._triton", "torch._inductor.utils", "torch._inductor.codegen.triton_utils"):
        for function in list(vars(module).values()):
            if hasattr(function, "cache_clear"):
                function.cache_clear()


def _modules(*names: str) -> list[ModuleType]:
    return [importlib.import_module(name) for name in names]


def properties(device: Device) -> SimpleNamespace:
    """The device as ``torch.cuda.get_device_properties`` would describe it."""
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


def _questions(device: Device) -> list[Patch]:
    """What Inductor asks ``torch.cuda``, Dynamo's device interface and triton's driver."""
    import triton
    from torch._dynamo.device_interface import get_interface_for_device
    from torch._inductor.runtime import triton_helpers
    from torch._inductor.runtime.triton_heuristics import StaticTritonCompileResult
    from triton.backends.compiler import GPUTarget

    interface, known = get_interface_for_device("cuda"), properties(device)
    target = GPUTarget("cuda", device.arch, 32)
    driver = SimpleNamespace(get_current_target=lambda: target, get_current_device=lambda: 0, is_active=lambda: True)
    answers: dict[str, Any] = {
        "is_available": lambda: True,
        "device_count": lambda: 1,
        "current_device": lambda: 0,
        "get_device_properties": lambda device=None: known,
    }
    of_cuda = {
        **answers,
        "get_device_capability": lambda device=None: known_capability,
        "_exchange_device": lambda index: 0,
        "_maybe_exchange_device": lambda index: 0,
        "synchronize": lambda device=None: None,
        "get_rng_state": lambda device="cuda": torch.zeros(16, dtype=torch.uint8),
        "set_rng_state": lambda state, device="cuda": None,
    }
    known_capability = device.capability
    of_interface = {**answers, "get_compute_capability": lambda device=None: target.arch}
    return [
        Patch(torch.version, "cuda", torch.version.cuda or "13.0"),
        Patch(triton.runtime.driver, "_active", driver),
        Patch(triton_helpers, "set_driver_to_gpu", lambda: None),
        # Otherwise a compiled kernel is kept without its intermediate stages.
        Patch(StaticTritonCompileResult, "can_statically_launch", staticmethod(lambda *args: None)),
        *(Patch(torch.cuda, name, answer) for name, answer in of_cuda.items()),
        *(Patch(interface, name, staticmethod(answer)) for name, answer in of_interface.items()),
    ]


def _lie_to_cpp() -> list[Patch]:
    """Fake tensors on ``cuda`` that answer ``cpu`` when C++ asks, and factories that undo what follows from it."""
    from torch._inductor.fx_passes.joint_graph import UniformValueConstantFolder
    from torch._subclasses import fake_tensor as module

    fake, mode = module.FakeTensor, module.FakeTensorMode
    dispatch_tensor = fake.__dict__["__torch_dispatch__"].__func__
    dispatch_mode, handler = mode.dispatch, module._DISPATCH_META_HANDLERS[_DEVICE]
    deduce = UniformValueConstantFolder._deduce_value

    def tensor_dispatch(cls: type, function: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        result = dispatch_tensor(cls, function, types, args, kwargs or {})
        return _told_cpp(result) if function is _DEVICE else result

    def mode_dispatch(self: Any, function: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        return dispatch_mode(self, function, types, args, _on(kwargs or {}, CPU, CUDA))

    def deduce_on_cpu(self: Any, node: torch.fx.Node) -> Any:
        with _RealTensorsOnCpu():
            return deduce(self, node)

    return [
        Patch(fake, "__torch_dispatch__", classmethod(tensor_dispatch)),
        Patch(module._DISPATCH_META_HANDLERS, _DEVICE, lambda args: _told_cpp(handler(args)), item=True),
        Patch(mode, "dispatch", mode_dispatch),
        # Python reads these; without an answer of its own a fake tensor passes the question on to C++.
        Patch(fake, "is_cuda", property(lambda self: self.fake_device.type == "cuda")),
        Patch(fake, "is_cpu", property(lambda self: self.fake_device.type == "cpu")),
        Patch(mode, "avoid_device_init", property(lambda self: True)),
        Patch(module, "init_gpu_context", lambda device: None),
        Patch(UniformValueConstantFolder, "_deduce_value", deduce_on_cpu),
    ]


def _decompositions() -> list[Patch]:
    """The one composite operator that has a kernel of its own on CUDA: only a CPU would have decomposed it."""
    from torch._subclasses import functional_tensor
    from torch.fx.experimental import proxy_tensor

    would, fused = functional_tensor.autograd_would_have_decomposed, torch.ops.aten._fused_rms_norm.default

    def would_on_cuda(function: Any, args: Any) -> bool:
        return function is not fused and would(function, args)

    return [Patch(owner, would.__name__, would_on_cuda) for owner in (functional_tensor, proxy_tensor)]


def _told_cpp(device: torch.device) -> torch.device:
    return CPU if device.type == "cuda" else device


def _on(kwargs: dict[str, Any], old: torch.device, new: torch.device) -> dict[str, Any]:
    """``kwargs`` with a ``device`` of the old type changed to the new one."""
    device = kwargs.get("device")
    return kwargs if device is None or torch.device(device).type != old.type else {**kwargs, "device": new}


class _RealTensorsOnCpu(TorchDispatchMode):
    """Constant folding computes with real tensors of one element; they are made on the CPU."""

    def __torch_dispatch__(self, function: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        return function(*args, **_on(kwargs or {}, CUDA, CPU))


def _measurements(on_note: Callable[[str], None]) -> list[Patch]:
    """Decisions that Inductor takes by timing on the device: they get a fixed answer and a note."""
    from torch._inductor.fx_passes import pad_mm

    def do_not_pad(key: str) -> bool:
        on_note("Inductor times a matmul with padded operands on the device; without one it is left unpadded")
        return False

    return [Patch(pad_mm, "get_cached_should_pad", do_not_pad)]


@contextmanager
def loading_with(load: Callable[..., Any]) -> Iterator[None]:
    """Inside it, Inductor's last step, ``PyCodeCache.load_by_key_path(key, path, …)`` of what it wrote, is ``load``.

    What ``load`` itself makes Inductor load (a kernel's own file) is loaded as ever.
    """
    from torch._inductor.codecache import PyCodeCache

    original = vars(PyCodeCache)["load_by_key_path"]

    def instead(*args: Any, **kwargs: Any) -> Any:
        with patch.object(PyCodeCache, "load_by_key_path", original):
            return load(*args, **kwargs)

    with patch.object(PyCodeCache, "load_by_key_path", instead):
        yield


def load_nothing(key: str, path: str, *args: Any, **kwargs: Any) -> SimpleNamespace:
    """There is no device to load the code for."""
    return SimpleNamespace(call=_not_loaded, runner=None, __file__=path)


def _not_loaded(*args: Any) -> None:
    raise RuntimeError("this code was written for a GPU that is not there: it cannot run")


def compile_settings(backward: bool) -> tuple[dict[str, Any], dict[str, Any]]:
    """Settings of Inductor and of AOTAutograd: in this process, without caches, the backward pass now or never."""
    inductor = {"compile_threads": 1, "fx_graph_cache": False, "fx_graph_remote_cache": False}
    functorch = {"enable_autograd_cache": False, "force_non_lazy_backward_lowering": backward}
    return inductor, functorch
