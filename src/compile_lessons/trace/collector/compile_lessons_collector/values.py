"""Samples of what the first calls of compiled functions are given, return and change, for a comparison of two runs.

Only the main thread's calls are sampled, and its backward passes: gradients are those of parameters and of arguments.
"""

import functools
import math
import types

from . import calls, modules
from .files import guarded, write

#: Calls of each use of torch.compile, and backward passes, that are sampled.
CALLS = 4
#: Tensors of a sample, elements of a tensor that are read, and parts of it with a sum each.
_LEAVES, _ELEMENTS, _PARTS = 64, 2**18, 16
_DEEPEST = 4
#: What torch compiles of a module: a method, or a function around it.
_CALLS = ("_call_impl", "_wrapped_call_impl", "inner")

noise = 0.0  # how far eager mode's inputs are moved, relative to themselves
_trained: dict = {}  # by region: the parameters, and other leaves, that its function reads
_passes: dict = {}  # by region: how many are sampled


def watch(compiled, fn, number):
    """Return what torch.compile returns for a function, as a function that samples its first calls."""
    if number < 1 or not isinstance(compiled, types.FunctionType):
        return compiled
    seen = 0

    @functools.wraps(compiled)  # with what Dynamo looks for where compiled code calls it
    def compile_wrapper(*args, **kwargs):
        nonlocal seen
        state = calls.state_of_thread()
        if seen >= CALLS or state.depth or not state.main:
            return compiled(*args, **kwargs)
        seen += 1
        call = seen
        given = guarded(_given, fn, args, kwargs) or {}
        _trained[number] = {path: value for path, value in guarded(_found, given) or () if _is_trained(value)}
        if noise:
            guarded(_without_modes, _move, given)
        _sample(number, call, "given", given)
        result = compiled(*args, **kwargs)
        _sample(number, call, "returned", {"output": result})
        _sample(number, call, "changed", given)
        return result

    compile_wrapper._torchdynamo_wrapper_id = id(compile_wrapper)  # it is no other wrapper around torch's
    return compile_wrapper


def note_backward(result):
    """Sample the gradients after a region's first backward passes: those in ``.grad``, or those that it returns."""
    state = calls.state_of_thread()
    if state.depth or not state.main or not _trained:
        return
    for number, trained in _trained.items():
        passed = _passes[number] = _passes.get(number, 0) + 1
        if passed <= CALLS:
            grads = {path: tensor.grad for path, tensor in trained.items() if tensor.grad is not None}
            _sample(number, passed, "gradient", grads)
    if result and passed <= CALLS:
        _sample(number, passed, "gradient", {"result of autograd.grad": result})


def _is_trained(value):
    return getattr(value, "requires_grad", False) and value.is_leaf


def _given(fn, args, kwargs):
    """Return what a call can read, by the names that the program has for it."""
    owner = getattr(fn, "__self__", None) or modules.unwrap(fn)
    owner = None if owner is fn else owner
    inner = getattr(fn, "__func__", fn)
    if modules.is_module(owner) and getattr(inner, "__name__", "") in _CALLS:
        inner = type(owner).forward
    code = getattr(inner, "__code__", None)
    names = code.co_varnames[owner is not None : code.co_argcount] if code else ()
    given = {names[at] if at < len(names) else f"argument {at}": value for at, value in enumerate(args)}
    given.update(kwargs)
    if owner is not None:
        given["self"] = owner
    elif code:
        found = {name: fn.__globals__.get(name) for name in code.co_names}
        found.update(
            (name, cell.cell_contents) for name, cell in zip(code.co_freevars, fn.__closure__ or (), strict=False)
        )
        given = {name: value for name, value in found.items() if _is_state(value)} | given
    return given


def _is_state(value):
    import torch

    return isinstance(value, torch.nn.Module | torch.Tensor | torch.optim.Optimizer)


def _found(values):
    return list(dict(_leaves(values)).items())


def _leaves(value, path="", deep=0):
    """Yield tensors and numbers in containers, modules, optimizers and attributes, each with its path."""
    import torch

    if isinstance(value, torch.Tensor | bool | int | float):
        yield path, value
    elif isinstance(value, torch.nn.Module):
        under = "" if path == "self" else f"{path}."
        for name, tensor in (*value.named_parameters(), *value.named_buffers()):
            yield under + name.replace("_orig_mod.", ""), tensor
        yield from _attributes(value, under, (bool, int, float))
    elif isinstance(value, torch.optim.Optimizer):
        for number, group in enumerate(value.param_groups):
            yield from ((f"{path}.param_groups[{number}][{at}]", each) for at, each in enumerate(group["params"]))
    elif isinstance(value, dict) and deep < _DEEPEST:
        for name, item in list(value.items())[:_LEAVES]:
            yield from _leaves(item, f"{path}[{name!r}]" if deep else str(name), deep + 1)
    elif isinstance(value, list | tuple) and deep < _DEEPEST:
        for at, item in enumerate(value[:_LEAVES]):
            yield from _leaves(item, f"{path}[{at}]", deep + 1)
    elif deep == 1 and hasattr(value, "__dict__") and not isinstance(value, type | types.FunctionType):
        yield from _attributes(value, f"{path}.", (bool, int, float, torch.Tensor, torch.nn.Module))


def _attributes(owner, under, kinds):
    for name, item in vars(owner).items():
        if isinstance(item, kinds) and not name.startswith("_"):
            yield from _leaves(item, under + name, _DEEPEST)


def _sample(region, call, when, values):
    guarded(_write, region, call, when, values)


def _write(region, call, when, values):
    found = _found(values)
    step = max(1, math.ceil(len(found) / _LEAVES))
    leaves = _without_modes(lambda: [leaf for path, value in found[::step] if (leaf := _leaf(path, value))])
    write("values", region=region, call=call, when=when, leaves=leaves)


def _without_modes(action, *args):
    """Run operations that neither autograd nor a mode of the program's sees; none in transforms and CUDA graphs."""
    import torch

    if torch._C._functorch.peek_interpreter_stack() is not None:
        return []
    if torch.cuda.is_available() and torch.cuda.is_initialized() and torch.cuda.is_current_stream_capturing():
        return []
    with torch.no_grad(), torch._C.DisableTorchFunction(), torch.utils._python_dispatch._disable_current_modes():
        return action(*args)


def _is_plain(tensor):
    import torch

    return type(tensor) in (torch.Tensor, torch.nn.Parameter) and tensor.layout is torch.strided and not tensor.is_meta


def _leaf(path, value):
    """Return a path, a type, the number of elements that are infinite or NaN, and for each part of the elements a sum,
    with a weight for each place, and the sum of sizes."""
    import torch

    if not isinstance(value, torch.Tensor):
        known = math.isfinite(value)
        number = max(-1e19, min(1e19, float(value))) if known else 0.0
        return [path, type(value).__name__, int(not known), [number], [abs(number)]]
    if not _is_plain(value):
        return None
    flat = torch.view_as_real(value).reshape(-1) if value.is_complex() else value.detach().reshape(-1)
    flat = flat[:: max(1, math.ceil(flat.numel() / _ELEMENTS))].to(torch.float64)
    finite = flat.isfinite()
    flat = torch.where(finite, flat, 0.0).clamp(-1e15, 1e15)
    weights = 0.75 + 0.5 * torch.frac(torch.arange(flat.numel(), device=flat.device, dtype=torch.float64) * 0.618034)
    parts = torch.tensor_split(torch.stack([flat * weights, flat.abs()]), min(_PARTS, flat.numel()) or 1, 1)
    sums, sizes = torch.stack([part.sum(1) for part in parts]).T.cpu().tolist()
    kind = f"{str(value.dtype).removeprefix('torch.')}{list(value.shape)}"
    kind += ", requires_grad" if value.requires_grad else ""
    return [path, kind, int((~finite).sum()), sums, sizes]


def _move(given):
    """Move each floating-point number that a call is given a little, in place."""
    import torch

    moved = set()
    for _, tensor in _found(given):
        is_number = isinstance(tensor, torch.Tensor) and _is_plain(tensor) and tensor.is_floating_point()
        if is_number and tensor.data_ptr() not in moved and 0 not in tensor.stride():
            moved.add(tensor.data_ptr())
            unit = noise * (1e-3 if tensor.dtype is torch.float64 else 1.0)
            places = torch.arange(tensor.numel(), device=tensor.device, dtype=torch.float64)
            factors = 1 + unit * torch.cos(1.7 * places).reshape(tensor.shape)
            guarded(tensor.data.copy_, tensor.data.to(torch.float64) * factors)
