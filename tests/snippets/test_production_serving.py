"""What docs/production/serving.md says of settings in threads, and of layouts."""

import asyncio
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
import torch
import torch._functorch.config

from compile_lessons import keep_graphs


def in_pool(read):
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(read).result()


def in_thread(read):
    values = []
    thread = threading.Thread(target=lambda: values.append(read()))
    thread.start()
    thread.join()
    return values[0]


async def in_executor(read):
    return await asyncio.get_running_loop().run_in_executor(None, read)


READERS = {
    "main": (lambda read: read(), True),
    "pool": (in_pool, False),
    "thread": (in_thread, False),
    "run_in_executor": (lambda read: asyncio.run(in_executor(read)), False),
    "to_thread": (lambda read: asyncio.run(asyncio.to_thread(read)), True),
}


@pytest.mark.parametrize("reader", READERS)
def test_which_threads_have_a_setting(reader):
    """``patch`` is a setting as long as it lasts, so this holds for both."""

    def read():
        return (
            torch._dynamo.config.recompile_limit == 64,
            torch._inductor.config.max_autotune,
            not torch._functorch.config.cse,
        )

    look, reaches = READERS[reader]

    def set_and_look():
        with (
            torch._dynamo.config.patch(recompile_limit=64),
            torch._inductor.config.patch(max_autotune=True),
            torch._functorch.config.patch(cse=False),
        ):
            return look(read)

    # In a thread of its own: in the suite's, the browser's tests leave an event loop that runs.
    assert in_thread(set_and_look) == (reaches,) * 3


def test_all_threads_have_the_precision_of_matmuls():
    before = torch.get_float32_matmul_precision()
    torch.set_float32_matmul_precision("medium")
    try:
        assert in_thread(torch.get_float32_matmul_precision) == "medium"
    finally:
        torch.set_float32_matmul_precision(before)


def test_options_apply_in_another_thread(precompiled_header):
    draw = torch.compile(lambda x: torch.rand(4) + x, options={"fallback_random": True})
    torch.manual_seed(0)
    expected = torch.rand(4)
    torch.manual_seed(0)
    assert torch.equal(in_pool(lambda: draw(torch.zeros(4))), expected)


def test_code_that_the_main_thread_compiled_serves_others():
    kept = keep_graphs()
    score = torch.compile(lambda x: x.sin(), backend=kept, dynamic=False)
    sizes = [torch.ones(n) for n in range(2, 14)]
    with torch._dynamo.config.patch(recompile_limit=64):
        for x in sizes:
            score(x)
    assert len(kept.graphs) == 12
    with ThreadPoolExecutor(1) as pool:
        [*pool.map(score, sizes)]
    assert len(kept.graphs) == 12


def bucket(batch, length):
    return torch.ones(batch, length)


def warm_up(compiled):
    for batch in (1, 2, 4, 8):
        for length in (16, 32, 48, 64):
            compiled(bucket(batch, length))


@pytest.mark.parametrize("fail", [True, False])
def test_a_warm_up_beyond_the_limit_raises_an_error_only_if_it_is_told_to(fail):
    kept = keep_graphs()
    compiled = torch.compile(lambda x: x.sin(), backend=kept, dynamic=False)
    with torch._dynamo.config.patch(fail_on_recompile_limit_hit=fail):
        if fail:
            with pytest.raises(torch._dynamo.exc.FailOnRecompileLimitHit):
                warm_up(compiled)
        else:
            warm_up(compiled)
            before = len(kept.runs)
            with torch.compiler.set_stance("fail_on_recompile"):
                compiled(bucket(8, 64))  # no error, and no compiled code runs
            assert len(kept.runs) == before
    assert len(kept.graphs) == 8


@pytest.mark.parametrize("layout", ["contiguous", "a slice", "transposed"])
def test_a_slice_or_a_transposed_tensor_needs_its_own_version(layout: str) -> None:
    makers = {
        "contiguous": lambda: torch.zeros(7, 9),
        "a slice": lambda: torch.zeros(7, 20)[:, :9],
        "transposed": lambda: torch.zeros(9, 7).t(),
    }
    kept = keep_graphs()
    compiled = torch.compile(torch.sin, backend=kept)
    for x in (torch.zeros(4, 5), torch.zeros(6, 8), makers[layout]()):
        torch._dynamo.mark_dynamic(x, 0)
        torch._dynamo.mark_dynamic(x, 1)
        compiled(x)
    assert len(kept.graphs) == (1 if layout == "contiguous" else 2)
