"""``capture``: run a callable once through ``torch.compile`` and keep what every stage did."""

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import Any

import torch

from compile_lessons.facts import DEVICES, Device, Pipeline, find_device
from compile_lessons.gpu.tools import require_triton
from compile_lessons.pipeline.checks import CaptureError, check_callable, check_inputs, check_settings

#: Where a capture can stop: after Dynamo, after AOTAutograd, or after Inductor.
STAGES = ("dynamo", "aot", "inductor")


def capture(
    fn: Callable[..., Any],
    *,
    dynamic: bool | None = None,
    backward: bool | str = "auto",
    mode: str | None = None,
    options: dict[str, Any] | None = None,
    fullgraph: bool = False,
    target: str | Device = "cpu",
    compare: bool = False,
    until: str = "inductor",
    machine_code: bool = True,
    observe: bool = False,
    within: Callable[[], AbstractContextManager[Any]] = nullcontext,
    look_up: bool = True,
) -> Callable[..., Pipeline]:
    """Capture one compile of ``fn``: ``capture(fn)(x, scale=2.0)`` returns a ``Pipeline``.

    ``dynamic``, ``mode``, ``options`` and ``fullgraph`` are those of ``torch.compile``. ``backward`` is ``"auto"``
    (differentiate if some output requires a gradient), ``True`` (raise if none does) or ``False``. The capture adds
    nothing to any ``.grad``.

    The callable runs once, compiled, with the arguments as they are. If it calls something that you compile, the
    capture includes that, with the options that you gave it. ``until`` stops the compile after ``"dynamo"`` or
    ``"aot"`` (AOTAutograd): then graphs run uncompiled, and you don't need a C++ compiler.

    ``observe=True`` compiles nothing more: the callable is called as it is, and what the program compiles itself is
    captured, with the options, the limits and the places of its own ``torch.compile``. Versions that it compiled
    before are used and not captured: call ``torch.compiler.reset()`` first.

    ``within`` returns a context for the call, such as ``torch.inference_mode``; the backward pass runs outside of it.

    With ``compare=True`` the callable also runs in eager mode, and ``Pipeline.comparison`` says whether the results
    match. The eager run is in a separate, forked process, which prints nothing and ends after the run, so your modules,
    optimizers, iterators and random generators change only once. Both runs write the files that the callable writes.
    Where no process can be forked, the eager run is made on copies, and the results are not compared if the callable
    changes what can't be copied, such as a global. See ``compile_lessons.api.compare``.

    ``target`` is ``"cpu"``, or a GPU to generate code for, which this machine doesn't need to have: a name in
    ``compile_lessons.gpu.DEVICES`` or a ``compile_lessons.gpu.Device``. Pass CPU tensors: Dynamo treats each as a
    tensor on the GPU, Inductor writes Triton code, and Triton compiles each kernel to machine code
    (``Pipeline.gpu_kernels``). The call itself then runs in eager mode on the CPU, so there is nothing to compare.
    If a GPU library would decide what runs, ``Pipeline.failures`` says so.

    ``machine_code=False`` ends the capture with Inductor's code, before the C++ compiler or Triton compiles it, which
    takes most of the time for a large model. Graphs then run uncompiled, and ``gpu_kernels`` is empty.

    A failure of the compile, the call or the backward pass is in ``Pipeline.failures``, along with everything that was
    captured before it. Raises ``CaptureError`` for a callable, settings or inputs that can't be compiled at all, and
    ``patching.UnsupportedTorch`` (a ``RuntimeError``) if this torch lacks a private function that a stage watches. With
    a GPU as the target, raises ``compile_lessons.gpu.GpuToolsMissing`` (a ``RuntimeError``) if triton is missing.

    ``capture`` looks up graphs in torch's caches but doesn't use what it finds, because a hit would hide the stages
    below it. ``look_up=False`` leaves that out, and ``Pipeline.caches`` is empty: a key contains a hash of torch's and
    Triton's files, which takes most of a second in a new process. If another thread compiles at the same time, the
    ``Pipeline`` includes that compile.
    """
    check_callable(fn, observe)
    check_settings(mode, options)
    if observe and (dynamic is not None or mode or options or fullgraph):
        raise CaptureError("observe=True keeps the program's own options: leave dynamic, mode, options, fullgraph out")
    device = _device(target)
    if backward not in (True, False, "auto"):
        raise CaptureError(f"backward must be True, False or 'auto', not {backward!r}")
    if until not in STAGES:
        raise CaptureError(f"until must be one of {', '.join(map(repr, STAGES))}, not {until!r}")
    if device is not None and until != "inductor":
        raise CaptureError(f"target={device.name!r} needs all stages: leave until={until!r} out")
    if device is None and compare and not machine_code:
        raise CaptureError("compare=True runs the compiled code: leave machine_code=False out")

    def captured(*args: Any, **kwargs: Any) -> Pipeline:
        # Imported here, as these import torch._dynamo and torch._inductor, which takes seconds.
        from compile_lessons.pipeline.session import CaptureSettings
        from compile_lessons.pipeline.watched_call import watch_call

        if not observe:  # what a program decorates may have another signature than it says
            check_inputs(fn, args, kwargs)
        settings = CaptureSettings(
            dynamic=dynamic,
            backward=backward,
            mode=mode,
            options=options,
            fullgraph=fullgraph,
            device=device,
            until=until,
            machine_code=machine_code,
            observe=observe,
            within=within,
            look_up=look_up,
        )

        def run() -> Pipeline:
            if not compare:
                return watch_call(fn, args, kwargs, settings).pipeline
            from compile_lessons.api.compare import captured_and_compared  # here, as it imports Inductor

            return captured_and_compared(fn, args, kwargs, settings)

        # Disabled, as the caller may be in the middle of a compile.
        pipeline: Pipeline = torch.compiler.disable(run)()
        return pipeline

    return captured


def _device(target: str | Device) -> Device | None:
    """Return the described GPU, or ``None`` for the CPU."""
    if isinstance(target, str) and target.lower() == "cpu":
        return None
    if isinstance(target, str) and target.lower() not in DEVICES:
        names = ", ".join(map(repr, ("cpu", *DEVICES)))
        raise CaptureError(f"target {target!r} is not known; known targets: {names}, or a compile_lessons.gpu.Device")
    require_triton()
    return find_device(target)
