"""Apply the casts of CUDA's autocast to tensors that C++ takes for the CPU's.

ATen inserts the casts in C++, where an operator's dispatch reaches ``Autocast``, and only for tensors that C++ takes
for CUDA's (``is_autocast_eligible`` in ``aten/src/ATen/autocast_mode.h``). So the kernels that ATen registers there are
replaced by the same in Python. The lists of operators are read from the header that ships with torch.
"""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import torch
from torch.utils._pytree import tree_leaves, tree_map_only

from compile_lessons.gpu.kernels_of_aten import Kernel
from compile_lessons.ground.patching import UnsupportedTorch, original, require

#: The lists of the header, by policy (``CastPolicy`` there).
_LISTS = {
    "lower_precision_fp": "AT_FORALL_LOWER_PRECISION_FP",
    "fp32": "AT_FORALL_FP32",
    "fp32_set_opt_dtype": "AT_FORALL_FP32_SET_OPT_DTYPE",
    "promote": "AT_FORALL_PROMOTE",
}
#: What ``autocast_mode.cpp`` registers for CUDA beside the lists.
_MORE = {
    "cudnn_convolution": "lower_precision_fp",
    "cudnn_convolution_transpose": "lower_precision_fp",
    "norm.Scalar": "fp32_append_dtype",
    "norm.ScalarOpt_dim": "fp32_append_dtype",
    "binary_cross_entropy": "banned",
}
#: The overload with a dtype that stands for one without (``AT_FORALL_DIFFERENT_REDISPATCH_SIGNATURE``).
_WITH_DTYPE = {"norm.Scalar": "norm.ScalarOpt_dtype", "norm.ScalarOpt_dim": "norm.ScalarOpt_dim_dtype"}
_KEYS = ("AutocastCUDA", "AutocastCPU")
_DEVICES = ("cuda", "cpu")


def policies() -> dict[str, str]:
    """Return the policy of each operator for CUDA, by its name and overload.

    Raises ``UnsupportedTorch`` if torch has no header with the lists.
    """
    header = Path(torch.__file__).parent / "include" / "ATen" / "autocast_mode.h"
    text = header.read_text(encoding="utf-8") if header.is_file() else ""
    found = {}
    for policy, macro in _LISTS.items():
        body = re.search(rf"#define {macro}\(_\)((?:.*\\\n)*.*)", text)
        if body is None:
            raise UnsupportedTorch(f"torch {torch.__version__} has no {macro} in {header}: autocast on CUDA is unknown")
        for name, overload in re.findall(r"_\((\w+)(?:, (\w+))?\)", body[1]):
            found[f"{name}.{overload}" if overload else name] = policy
    return found | _MORE


def kernels() -> Iterator[Kernel]:
    """Yield kernels, as for ``registered``, that cast as on CUDA where ATen casts on CUDA or on the CPU."""
    of_cuda = policies()
    names = require("torch._C:_dispatch_get_registrations_for_dispatch_key")
    known = {name.removeprefix("aten::") for key in _KEYS for name in names(key) if name.startswith("aten::")}
    for name in sorted(known):
        kernel = _kernel(name, of_cuda[name]) if name in of_cuda else torch.library.fallthrough_kernel
        yield from ((name, key, kernel) for key in _KEYS)


def _kernel(name: str, policy: str) -> Callable[..., Any]:
    packet, _, overload = _WITH_DTYPE.get(name, name).partition(".")
    function = getattr(getattr(torch.ops.aten, packet), overload or "default")
    prepare = _PREPARE[policy]
    guard, key_set, key = (
        require(f"torch._C:{it}") for it in ("_ExcludeDispatchKeyGuard", "DispatchKeySet", "DispatchKey")
    )
    excluded = key_set(key.AutocastCPU) | key_set(key.AutocastCUDA)

    def kernel(*args: Any, **kwargs: Any) -> Any:
        with guard(excluded):
            args, kwargs = prepare(function, args, kwargs)
            return function(*args, **kwargs)

    return kernel


def _set_dtype(function: Any, args: Any, kwargs: Any) -> tuple[Any, Any]:
    """Ask for a result in float32 unless the call says a dtype."""
    at = next(i for i, argument in enumerate(function._schema.arguments) if argument.name == "dtype")
    given = args[at] if at < len(args) else kwargs.get("dtype")
    if given is not None or not _is_eligible(args[0]):
        return args, kwargs
    return args[:at], kwargs | {"dtype": torch.float32}


def _append_dtype(function: Any, args: Any, kwargs: Any) -> tuple[Any, Any]:
    defaults = [argument.default_value for argument in function._schema.arguments if not argument.kwarg_only]
    filled = (*args, *defaults[len(args) :])
    return filled, kwargs | {"dtype": torch.float32 if _is_eligible(args[0]) else args[0].dtype}


def _promote(function: Any, args: Any, kwargs: Any) -> tuple[Any, Any]:
    """Cast to float32 if some tensor has it, and to autocast's dtype otherwise."""
    lower = torch.get_autocast_dtype("cuda")
    dtypes = {it.dtype for it in tree_leaves((args, kwargs)) if _is_eligible(it)}
    if dtypes - {lower, torch.float32}:
        raise RuntimeError("Unexpected floating ScalarType in at::autocast::prioritize")
    return _cast((args, kwargs), torch.float32 if torch.float32 in dtypes else lower)


def _banned(function: Any, args: Any, kwargs: Any) -> tuple[Any, Any]:
    raise RuntimeError(
        "torch.nn.functional.binary_cross_entropy and torch.nn.BCELoss are unsafe to autocast: "
        "use binary_cross_entropy_with_logits or BCEWithLogitsLoss"
    )


_PREPARE: dict[str, Callable[[Any, Any, Any], tuple[Any, Any]]] = {
    "lower_precision_fp": lambda function, args, kwargs: _cast((args, kwargs), torch.get_autocast_dtype("cuda")),
    "fp32": lambda function, args, kwargs: _cast((args, kwargs), torch.float32),
    "fp32_set_opt_dtype": _set_dtype,
    "fp32_append_dtype": _append_dtype,
    "promote": _promote,
    "banned": _banned,
}


def _cast(values: Any, dtype: torch.dtype) -> Any:
    return tree_map_only(torch.Tensor, lambda it: it.to(dtype) if _is_eligible(it) else it, values)


def _is_eligible(tensor: Any) -> bool:
    return isinstance(tensor, torch.Tensor) and tensor.is_floating_point() and tensor.dtype is not torch.float64


def replacements() -> dict[str, Any]:
    """Return replacements of how autocast is entered and left: it is on for ``cuda`` and ``cpu``, or for neither."""
    autocast = "torch.amp.autocast_mode:autocast"
    enter, leave = original(f"{autocast}.__enter__"), original(f"{autocast}.__exit__")
    before: list[list[tuple[str, bool, torch.dtype]]] = []

    def enter_both(self: Any) -> Any:
        before.append([(it, torch.is_autocast_enabled(it), torch.get_autocast_dtype(it)) for it in _DEVICES])
        result = enter(self)
        if self.device in _DEVICES:
            _set((it, self._enabled, self.fast_dtype) for it in _DEVICES)
        return result

    def leave_both(self: Any, *error: Any) -> Any:
        result = leave(self, *error)
        _set(before.pop())
        return result

    return {f"{autocast}.__enter__": enter_both, f"{autocast}.__exit__": leave_both}


def _set(states: Any) -> None:
    for device, enabled, dtype in states:
        torch.set_autocast_enabled(device, enabled)
        torch.set_autocast_dtype(device, dtype)
