"""The moment before a call, from which several runs can begin alike."""

from __future__ import annotations

import copy
import functools
import os
import random
from collections.abc import Callable
from typing import Any, Protocol

import numpy
import torch

from compile_lessons.compare.children import Child, NoResult
from compile_lessons.compare.reach import Before, reached
from compile_lessons.pipeline.leaves import leaves

#: A callable, its arguments and its keywords.
Call = tuple[Callable[..., Any], tuple[Any, ...], dict[str, Any]]
#: What can be run: ``job(call, before)`` returns plain data.
Job = Callable[[Call, Before], Any]


class Start(Protocol):
    """Runs jobs as if the call had not been made yet."""

    def run(self, job: Job) -> Any:
        """Return what ``job`` returns. Raises ``NoResult``."""

    def close(self) -> None:
        """Forget the moment."""


class Forked:
    """A forked process for each job, which runs it from the moment of the fork. Raises ``NoResult``."""

    def __init__(self, call: Call, before: Before, jobs: list[Job]) -> None:
        self._children: dict[Job, Child] = {}
        try:
            for job in jobs:
                self._children[job] = Child(functools.partial(job, call, before))
        except OSError as error:
            self.close()
            raise NoResult(f"this process can't be forked: {error}") from error

    def run(self, job: Job) -> Any:
        return self._children[job].result()

    def close(self) -> None:
        for child in self._children.values():
            child.close()


class Copied:
    """Deep copies of the callable and its arguments, and the states of the random generators.

    Raises ``NoResult`` where they can't be copied. Functions never are, so no function may hold a tensor.
    """

    def __init__(self, call: Call) -> None:
        self._call = _copied(call)
        self._states = torch.get_rng_state(), random.getstate(), numpy.random.get_state()
        self._devices = cuda_states()

    def run(self, job: Job) -> Any:
        call = _copied(self._call)
        python, array = random.getstate(), numpy.random.get_state()
        try:
            with torch.random.fork_rng(devices=range(len(self._devices))):
                torch.set_rng_state(self._states[0])
                random.setstate(self._states[1])
                numpy.random.set_state(self._states[2])
                for device, state in enumerate(self._devices):
                    torch.cuda.set_rng_state(state, device)
                return job(call, Before(*call))
        finally:
            random.setstate(python)
            numpy.random.set_state(array)

    def close(self) -> None:
        del self._call


def _has_cuda() -> bool:
    """Whether CUDA was initialized."""
    initialized: bool = torch.cuda.is_initialized()
    return initialized


def cuda_states() -> list[torch.Tensor]:
    """Return the states of the GPUs' random generators, none where CUDA was not initialized."""
    return torch.cuda.get_rng_state_all() if _has_cuda() else []


def can_fork() -> bool:
    """Return whether a forked process could run torch: not on Windows, and not once CUDA was initialized."""
    return hasattr(os, "fork") and not _has_cuda()


def _copied(call: Call) -> Call:
    """Deep copies, in which what was shared stays shared.

    Results of earlier operations, which ``deepcopy`` refuses, become results of nothing but a copy.
    """
    memo: dict[int, Any] = {}
    for _, tensor in leaves(call[1:], ""):
        if isinstance(tensor, torch.Tensor) and tensor.grad_fn is not None:
            memo[id(tensor)] = tensor.detach().requires_grad_().clone()
    try:
        fn, args, kwargs = copy.deepcopy(call, memo)
    except Exception as error:  # of any type: arguments have a __deepcopy__ of their own
        raise NoResult(f"the call can't be copied for the eager run: {error}") from error
    originals = {id(value) for value in _numbers(call).values()}
    for path, value in _numbers((fn, args, kwargs)).items():
        if id(value) in originals:
            fix = "Fix: give it to the callable as an argument"
            raise NoResult(f"a function holds {path}, and functions can't be copied. {fix}")
    return fn, args, kwargs


def _numbers(call: Call) -> dict[str, Any]:
    objects = reached({"": call[0], "arguments": call[1:]})
    return {path: value for path, value in objects.items() if isinstance(value, (torch.Tensor, numpy.ndarray))}
