"""A capture as a run: the same compile, as far as the facts of a run go."""

from dataclasses import replace

import torch

from compile_lessons import capture, capture_calls
from compile_lessons.facts.captured import run_of
from compile_lessons.facts.source import resumed, stack_in, undivided


def with_a_break(x: torch.Tensor) -> torch.Tensor:
    for _ in range(3):
        x = x.sin()
    print("here")
    return x + 1


def test_a_frame_is_a_compile_with_its_graph_in_numbers() -> None:
    pipeline = capture(with_a_break, until="dynamo")(torch.ones(2))
    (process,) = run_of(pipeline).processes
    first, rest = process.compiles
    assert [item.id for item in process.compiles] == [frame.id for frame in pipeline.frames]
    assert (first.operations, rest.operations) == (3, 1) and first.outcome == "compiled"
    assert [(body.copies, body.operations, body.line.text) for body in first.repeated] == [(3, 3, "x = x.sin()")]
    line = with_a_break.__code__.co_firstlineno + 3
    assert process.name_of(rest) == f"with_a_break, from the graph break in line {line} on,"
    (found,) = process.breaks
    assert (found.compile, found.gb_id, found.stack) == ("0/0", "GB0059", pipeline.breaks[0].stack)


def test_a_frame_without_a_number_of_torch_s_is_a_compile() -> None:
    pipeline = capture(with_a_break, until="dynamo")(torch.ones(2))
    frames = tuple(replace(frame, id=id) for frame, id in zip(pipeline.frames, ("13/-", "-/-"), strict=True))
    (process,) = run_of(replace(pipeline, frames=frames)).processes
    assert [(item.frame, item.number) for item in process.compiles] == [(13, 0), (None, 0)]


def test_a_frame_that_is_skipped_is_one_compile() -> None:
    def in_a_loop(x: torch.Tensor) -> torch.Tensor:
        for _ in range(3):
            print("here")
        return x

    (process,) = run_of(capture(in_a_loop, until="dynamo")(torch.ones(2))).processes
    (item,) = process.compiles
    assert (item.outcome, item.id, item.name) == ("skipped", "0/0", "in_a_loop")


def test_calls_are_versions_with_the_guards_that_failed_anew() -> None:
    calls = capture_calls(lambda x, n: x * n, backend="eager")([(torch.ones(2), n) for n in (2, 3, 4, 4)])
    (process,) = run_of(calls).processes
    assert [(item.call, len(item.guards)) for item in process.compiles] == [(0, 0), (1, 1)]
    assert process.regions[0].calls == 4


def test_what_follows_a_break_has_the_name_of_its_function() -> None:
    assert resumed("torch_dynamo_resume_in_step_at_12") == ("step", 12)
    twice = "torch_dynamo_resume_in_torch_dynamo_resume_in_step_at_12_at_14"
    assert resumed(twice) == ("step", 14) and undivided(twice) == "step"
    assert resumed("step") is None and undivided("look_at_3") == "look_at_3"


def test_the_lines_of_a_stack_in_a_message() -> None:
    message = (
        'Unsupported: …\n  File "/work/a b.py", line 8, in forward\n    x = f(x)\n  File "/work/c.py", line 2, in f'
    )
    assert [(line.file, line.line, line.function) for line in stack_in(message)] == [
        ("/work/a b.py", 8, "forward"),
        ("/work/c.py", 2, "f"),
    ]
