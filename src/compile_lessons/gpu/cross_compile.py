"""Compile a function for a GPU that is not there: Dynamo on CPU tensors, then Inductor's own compilers."""

import copy
import re
from collections.abc import Callable
from typing import Any

import torch
from torch.utils._python_dispatch import is_traceable_wrapper_subclass, transform_subclass

from compile_lessons.facts import Device
from compile_lessons.gpu import pretend
from compile_lessons.gpu.device_choices import NotKnownWithoutGpu
from compile_lessons.gpu.kernels_of_aten import registered
from compile_lessons.gpu.operators import cuda_kernels
from compile_lessons.ground.errors import message_of
from compile_lessons.ground.patching import require

#: A kernel in Inductor's output code: ``triton_poi_fused_0 = async_compile.triton('triton_poi_fused_0', '''…''')``.
_KERNEL = re.compile(r"async_compile\.triton\('(\w+)', '''\n?(.*?)'''", re.DOTALL)
#: How torch says that an operator has no kernel for the CPU.
_NO_KERNEL = re.compile(r"Could not run '(\S+)' with arguments from the 'CPU' backend")


def moved(module: torch.fx.GraphModule, on_note: pretend.OnNote = lambda note: None) -> torch.fx.GraphModule:
    """Return a copy of Dynamo's graph on the GPU, with a note on each tensor that it creates on the CPU by name.

    Raises ``NotKnownWithoutGpu`` for a copy to the CPU.
    """
    copied = copy.deepcopy(module)
    for node in copied.graph.nodes:
        if str(node.kwargs.get("device")) == "cpu":
            on_note(f"{node.name} asks for a tensor on the CPU; here the tensor is on the GPU, like all others")
    for part in copied.modules():  # also the graphs in it
        if isinstance(part, torch.fx.GraphModule):
            for node in part.graph.nodes:
                _refuse_cpu(node)
            _move_nodes(part.graph)
            part.recompile()
    return copied


def _refuse_cpu(node: torch.fx.Node) -> None:
    """Raise ``NotKnownWithoutGpu`` if a node copies a tensor from the GPU to the CPU."""
    to_cpu = node.target == "to" and any(str(it) == "cpu" for it in (*node.args[1:2], node.kwargs.get("device")))
    if node.op == "call_method" and (node.target == "cpu" or to_cpu):
        raise NotKnownWithoutGpu(
            "the function copies a tensor to the CPU, but without a GPU, every tensor is treated as being on the GPU. "
            "Fix: copy it after the call, or write .to(x.device)"
        )


def compile_moved(
    module: torch.fx.GraphModule,
    device: Device,
    options: dict[str, Any],
    on_note: pretend.OnNote,
    backward: bool = True,
) -> Callable[..., Any]:
    """Compile what ``moved`` returned with Inductor: forward and, if an input requires a gradient, backward.

    ``options`` are Inductor's; ``on_note`` is as for ``pretend.described``. The caller chooses with
    ``pretend.loading_with`` what becomes of the code. Raises ``UnsupportedTorch``.
    """
    inductor = {"compile_threads": 1, "fx_graph_cache": False, "fx_graph_remote_cache": False}
    functorch = {"enable_autograd_cache": False, "force_non_lazy_backward_lowering": backward}
    with (
        pretend.described(device, on_note),
        registered(cuda_kernels(device)),
        torch._inductor.config.patch({**options, **inductor, "joint_custom_pre_pass": _move_nodes}),
        torch._functorch.config.patch(functorch),
    ):
        inputs = [_move_input(node.meta["example_value"]) for node in module.graph.find_nodes(op="placeholder")]
        compiled: Callable[..., Any] = require("torch._inductor.compile_fx:compile_fx")(module, inputs)
        return compiled


def on_cpu(forward: Callable[..., Any]) -> Callable[..., Any]:
    """Return ``forward``, which raises ``NotKnownWithoutGpu`` where an operator runs on a GPU alone."""

    def run(*args: Any) -> Any:
        try:
            return forward(*args)
        except NotImplementedError as error:
            missing = _NO_KERNEL.match(message_of(error))
            if missing is None:
                raise
            raise NotKnownWithoutGpu(
                f"{missing[1]} runs only on a GPU: the graph is compiled, but the call runs on the CPU and ends here"
            ) from error

    return run


def _move_input(value: Any) -> Any:
    """Return a fake tensor like ``value`` on the GPU, with the same (perhaps symbolic) sizes and strides."""
    if not isinstance(value, torch.Tensor):
        return value
    if is_traceable_wrapper_subclass(value):
        return transform_subclass(value, lambda name, part: _move_input(part)).requires_grad_(value.requires_grad)
    with require("torch._guards:detect_fake_mode")(value):
        moved = torch.empty_strided(value.shape, value.stride(), dtype=value.dtype, device=pretend.CUDA)
    if isinstance(value, torch.nn.Parameter):
        return torch.nn.Parameter(moved, value.requires_grad)
    return moved.requires_grad_(value.requires_grad)


def _move_nodes(graph: torch.fx.Graph) -> None:
    """Name the GPU wherever a node names a device.

    This also runs on the joint graph, where decompositions create tensors on the device that C++ was told.
    """
    enter_autocast = require("torch.amp.autocast_mode:_enter_autocast")

    def move(argument: Any) -> Any:
        return pretend.CUDA if isinstance(argument, torch.device) else argument

    for node in graph.nodes:
        if node.op == "call_method" and node.target == "cuda":  # by number, it asks the driver
            node.target, node.args = "to", (node.args[0], pretend.CUDA)
        if node.target is enter_autocast:
            node.args = (pretend.CUDA.type, *node.args[1:])
        node.args, node.kwargs = torch.fx.node.map_aggregate((node.args, node.kwargs), move)
        if node.kwargs.get("device") is not None:
            node.update_kwarg("device", pretend.CUDA)


def kernel_sources(output_code: str) -> dict[str, str]:
    """Return the file of each Triton kernel in Inductor's output code, in order, by the kernel's name."""
    return {name: source for name, source in _KERNEL.findall(output_code)}
