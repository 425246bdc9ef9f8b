"""Compile a function for a GPU that is not there: Dynamo on CPU tensors, then Inductor's own compilers."""

from __future__ import annotations

import copy
import re
from collections.abc import Callable
from typing import Any

import torch
import torch._dynamo

from compile_lessons.gpu import pretend
from compile_lessons.gpu.devices import Device, find_device
from compile_lessons.gpu.machine_code import machine_kernel
from compile_lessons.gpu.model import GpuCode, GpuGraph
from compile_lessons.gpu.operators import use_cuda_operators
from compile_lessons.gpu.tools import require_triton

#: A kernel in Inductor's output code: its name and its file's text.
_KERNEL = re.compile(r"async_compile\.triton\('(\w+)', '''\n?(.*?)'''", re.DOTALL)


def cross_compile(
    function: Callable[..., Any], target: str | Device = "h200", *, dynamic: bool | None = None, assemble: bool = True
) -> Callable[..., GpuCode]:
    """A function that, called with CPU tensors, returns the code Inductor writes for ``target``.

    ``target`` is ``h200``, ``a100``, ``l4``, ``b200`` or a ``Device``; every tensor is taken to live there. The
    backward pass is compiled too if an argument requires a gradient. The function itself runs in eager mode on the
    CPU, so that frames after a graph break are compiled as well. ``assemble=False`` stops at the Triton source.

    Raises ``GpuToolsMissing`` without triton, ``UnsupportedTorch`` if this torch lacks a name that has to be replaced,
    ``ValueError`` for an unknown target, and whatever the function or the compiler raises.
    """
    require_triton()
    device = find_device(target)

    def compiled(*args: Any, **kwargs: Any) -> GpuCode:
        import triton

        written, notes = [], []
        torch._dynamo.reset()
        try:
            torch.compile(function, backend=_backend(device, written, notes), dynamic=dynamic)(*args, **kwargs)
        finally:
            torch._dynamo.reset()
        graphs = tuple(_graph(direction, code, device, assemble) for direction, code in written)
        name = getattr(function, "__name__", type(function).__name__)
        return GpuCode(name, device, torch.__version__, triton.__version__, graphs, tuple(dict.fromkeys(notes)))

    return compiled


def _backend(device: Device, written: list[tuple[str, str]], notes: list[str]) -> Callable[..., Any]:
    """A Dynamo backend that compiles a copy of the graph for ``device`` and runs the graph itself as it is."""

    def keep(lowering: Any, code: str) -> None:
        direction = "backward" if lowering.is_backward else "inference" if lowering.is_inference else "forward"
        written.append((direction, code))

    def backend(module: torch.fx.GraphModule, inputs: list[Any]) -> Callable[..., Any]:
        from torch._inductor.compile_fx import compile_fx

        inductor, functorch = pretend.compile_settings()
        moved = copy.deepcopy(module)
        _move_graph(moved)
        use_cuda_operators(moved, device)
        with (
            pretend.described(device, notes.append),
            pretend.kept_code(keep),
            torch._inductor.config.patch({**inductor, "joint_custom_pre_pass": _move_nodes}),
            torch._functorch.config.patch(functorch),
        ):
            compile_fx(
                moved, [_move_input(node.meta["example_value"]) for node in moved.graph.find_nodes(op="placeholder")]
            )
        return module.forward

    return backend


def _move_input(value: Any) -> Any:
    """A fake tensor like ``value`` on the GPU, with the same (perhaps symbolic) sizes and strides."""
    if not isinstance(value, torch.Tensor):
        return value
    mode = torch._guards.detect_fake_mode(value)
    with mode:
        moved = torch.empty_strided(value.shape, value.stride(), dtype=value.dtype, device=pretend.CUDA)
    if isinstance(value, torch.nn.Parameter):
        return torch.nn.Parameter(moved, value.requires_grad)
    return moved.requires_grad_(value.requires_grad)


def _move_graph(module: torch.fx.GraphModule) -> None:
    """Name the GPU wherever the graph, or a graph in it, names a device."""
    for part in module.modules():
        if isinstance(part, torch.fx.GraphModule):
            _move_nodes(part.graph)
            part.recompile()


def _move_nodes(graph: torch.fx.Graph) -> None:
    """Also run on the joint graph: decompositions above the fake tensors made factories for the device C++ was told."""

    def move(argument: Any) -> Any:
        return pretend.CUDA if isinstance(argument, torch.device) else argument

    for node in graph.nodes:
        if node.target is torch.amp.autocast_mode._enter_autocast:
            node.args = (pretend.CUDA.type, *node.args[1:])
        node.args, node.kwargs = torch.fx.node.map_aggregate((node.args, node.kwargs), move)
        if node.kwargs.get("device") is not None:
            node.update_kwarg("device", pretend.CUDA)


def kernel_sources(output_code: str) -> dict[str, str]:
    """Each Triton kernel's file in Inductor's output code, by the kernel's name, in order."""
    return {name: source for name, source in _KERNEL.findall(output_code)}


def _graph(direction: str, code: str, device: Device, assemble: bool) -> GpuGraph:
    kernels = tuple(machine_kernel(name, text, device, assemble) for name, text in kernel_sources(code).items())
    return GpuGraph(direction, code, kernels)
