"""Second calls of one compiled function: which trigger a recompile, and what differs in them."""

import torch

from compile_lessons.labs import Work, Wrong, require

FIRST = (torch.randn(4, 3), 2.0, "mean")


def _step(x, scale, mode):
    y = x * scale
    return y.mean() if mode == "mean" else y.sum()


def _properties(call):
    """What guards compare. Sizes and strides of another rank can't be compared with the first ones."""
    x, scale, mode = call
    same_rank = x.dim() == FIRST[0].dim()
    contiguous = x.is_contiguous()
    return {
        "class": type(x),
        "dtype": x.dtype,
        "requires_grad": x.requires_grad,
        "rank": x.dim(),
        "size": tuple(x.shape) if same_rank else tuple(FIRST[0].shape),
        "strides": "contiguous" if contiguous else x.stride(),
        "scale": (type(scale), scale),
        "mode": mode,
    }


def _second_call(name, call):
    require(
        isinstance(call, tuple | list) and len(call) == 3 and isinstance(call[0], torch.Tensor),
        f'"{name}" is not a call of `step`: it has to be (x, scale, mode), with a tensor x.',
    )
    first, second = _properties(FIRST), _properties(call)
    return [key for key in first if first[key] != second[key]]


def _outcome(work, call):
    return work.calls(_step)([FIRST, tuple(call)]).calls[1]


def check_recompiles(work: Work):
    """Each second call in RECOMPILES differs in the named property alone and triggers a recompile."""
    for name in ("dtype", "requires_grad", "rank", "size", "strides", "class", "scale", "mode"):
        require(name in work.RECOMPILES, f'RECOMPILES has no entry "{name}".')
        call = work.RECOMPILES[name]
        differ = _second_call(name, call)
        second = _outcome(work, call)
        guard = f"this guard failed: {second.failed[0].partition('  #')[0]}" if second.failed else "all guards passed"
        if others := [key for key in differ if key != name]:
            others = ", ".join(others)
            raise Wrong(
                f'"{name}": the call differs from FIRST in another property, too: {others}. In that call, {guard}.'
            )
        require(differ, f'"{name}": the call equals FIRST in this property. In that call, {guard}.')
        require(
            second.outcome == "recompile",
            f'"{name}": the second call is a {second.outcome}, not a recompile; {guard}.',
        )


def check_hits(work: Work):
    """The second calls in HITS differ from FIRST as described and reuse the compiled code."""
    for name in ("numbers", "part", "string"):
        require(name in work.HITS, f'HITS has no entry "{name}".')
        call = work.HITS[name]
        _second_call(name, call)
        second = _outcome(work, call)
        require(
            second.outcome == "hit",
            f'"{name}": the second call is a {second.outcome}. This guard failed: '
            f"{second.failed[0].partition('  #')[0] if second.failed else 'none'}",
        )
    x, mode = work.HITS["part"][0], work.HITS["string"][2]
    require(
        not torch.equal(work.HITS["numbers"][0], work.FIRST[0]),
        '"numbers": x has the same numbers as in FIRST. Use different numbers: do the guards look at them?',
    )
    require(
        x.untyped_storage().nbytes() > x.numel() * x.element_size(),
        '"part": x is a whole tensor. Take part of a larger tensor, such as some of its rows.',
    )
    require(
        mode is not work.FIRST[2],
        '"string": this is the same object as in FIRST, because Python keeps one object for equal literals in a '
        "file. Build the string at run time.",
    )
