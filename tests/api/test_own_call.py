"""Calls that a program makes, found as it runs. The first test tells when a new torch breaks that."""

import sys
import threading
import time

import pytest
import torch

from compile_lessons.api.own_call import OwnCallWatch, _compiled_call


class Scale(torch.nn.Module):
    def forward(self, x, *, by=2.0):
        return x * by


def double(x, *more, by=2.0, **others):
    return x * by


@pytest.fixture
def found():
    """The calls that were found: ``found(name, number, program)``."""

    def find(name, program, number=1, uncompiled=False):
        calls = []
        watch = OwnCallWatch(__file__, name, number, uncompiled, calls.append)
        watch.run(program)
        return calls, watch

    yield find
    assert sys.getprofile() is None


def test_what_it_needs_of_torch():
    """The calls of two compiled functions have one code, with the original function as ``fn``."""
    assert torch.compile(double, backend="eager").__code__ is _compiled_call()
    assert "fn" in _compiled_call().co_freevars
    code = torch.nn.Module.__call__.__code__
    assert code.co_varnames[:3] == ("self", "args", "kwargs")


def test_a_function_that_torch_compile_returned(found):
    compiled, other = torch.compile(double, backend="eager"), torch.compile(torch.sin, backend="eager")
    x = torch.ones(2)
    [call], _ = found("double", lambda: (double(x), other(x), compiled(x, 1, by=3.0, z=4)))
    assert call.fn is compiled and call.arguments == ((x, 1), {"by": 3.0, "z": 4})


def test_arguments_of_a_function_that_is_not_compiled(found):
    x = torch.ones(2)
    calls, watch = found("double", lambda: double(x))
    assert not calls and watch.not_compiled.file == __file__
    [call], _ = found("double", lambda: double(x, 1, by=3.0, z=4), uncompiled=True)
    assert call.fn is double and call.arguments == ((x, 1), {"by": 3.0, "z": 4})


@pytest.mark.parametrize("in_place", [False, True])
def test_a_compiled_module(found, in_place):
    module = Scale()
    if in_place:
        module.compile(backend="eager")
    compiled = module if in_place else torch.compile(module, backend="eager")
    x = torch.ones(2)
    for name in ("Scale", "Scale.forward", "module", "compiled"):

        def program(module=module, compiled=compiled):
            compiled(x, by=3.0)

        [call], _ = found(name, program)
        assert call.fn is compiled and call.arguments == ((x,), {"by": 3.0})


def test_a_part_of_a_compiled_call_is_no_call_of_its_own(found):
    module = Scale()
    outer = torch.compile(lambda x: module(x) + 1, backend="eager")
    calls, watch = found("Scale", lambda: outer(torch.ones(2)), uncompiled=True)
    assert not calls and watch.calls == 0


def test_dynamo_does_not_see_the_watch(found):
    """Which looks at each call of compiled code, too."""
    seen = torch._dynamo.convert_frame.input_codes.seen
    compiled = torch.compile(lambda x: torch._dynamo.graph_break() or double(x) + Scale()(x), backend="eager")
    found("Scale", lambda: compiled(torch.ones(5)))
    files = {code().co_filename for code in seen if code() is not None}
    assert __file__ in files and not [file for file in files if file.endswith("own_call.py") and file != __file__]


def test_the_backward_pass_is_outside_of_autocast(found):
    seen = []

    def at_call(call):
        seen.append(torch.is_autocast_enabled("cpu"))
        with call.within():
            seen.append(torch.get_autocast_dtype("cpu") if torch.is_autocast_enabled("cpu") else None)

    compiled = torch.compile(double, backend="eager")
    with torch.autocast("cpu", dtype=torch.float16):
        OwnCallWatch(__file__, "double", 1, False, at_call).run(lambda: compiled(torch.ones(2)))
    assert seen == [False, torch.float16]


def test_other_threads_compile_nothing_meanwhile():
    compiled, order = torch.compile(double, backend="eager"), []
    second = threading.Event()

    def at_call(call):
        second.set()
        time.sleep(0.5)
        order.append("explained")

    def wait_and_call():
        second.wait()
        compiled(torch.ones(3))
        order.append("second")

    threads = [threading.Thread(target=compiled, args=[torch.ones(2)]), threading.Thread(target=wait_and_call)]
    OwnCallWatch(__file__, "double", 1, False, at_call).run(lambda: [thread.start() for thread in threads])
    assert order == ["explained", "second"]
