"""What docs/inductor/parallel-compile.md says about workers and remote caches, tried in training and more."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import torch
from torch._dynamo.utils import counters
from torch._inductor import config, remote_cache
from torch._inductor.utils import fresh_cache

from compile_lessons.runs.machine import cxx_compiler

sys.path.append(str(Path(__file__).parents[2] / "snippets/inductor/parallel_compile"))
from _redis import Redis  # (a helper beside the snippets, which is no package)

pytestmark = pytest.mark.skipif(cxx_compiler() is None, reason="needs a C++ compiler")


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Redis]:
    server = Redis()
    monkeypatch.setenv("TORCHINDUCTOR_REDIS_PORT", str(server.port))
    autograd = torch._functorch.config.patch(enable_remote_autograd_cache=True)
    with config.patch(fx_graph_remote_cache=True), autograd:
        yield server
    server.shutdown()
    server.server_close()


def train(dynamic: bool) -> list[int]:
    """Return the hits of a training step with an empty folder: AOTAutograd's, and Inductor's."""
    torch.compiler.reset()
    counters.clear()
    layer = torch.nn.Linear(8, 8)
    with fresh_cache():
        torch.compile(layer, dynamic=dynamic)(torch.ones(4, 8)).relu().sum().backward()
    return [counters["aot_autograd"]["autograd_cache_hit"], counters["inductor"]["fxgraph_cache_hit"]]


@pytest.mark.parametrize("dynamic", [False, True])
def test_a_training_step_hits_the_server_in_forward_and_backward(server: Redis, dynamic: bool) -> None:
    assert train(dynamic) == [0, 0]
    # AOTAutograd's entry names the two entries of the FX graph cache
    assert [key.decode().split(":")[1] for key in server.entries].count("fx-graph-v1") == 2
    assert train(dynamic) == [1, 2]


def test_without_the_client_torch_logs_that_it_has_no_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    messages: list[str] = []
    monkeypatch.setattr(remote_cache, "redis", None)
    monkeypatch.setattr(remote_cache.log, "warning", lambda text, **_: messages.append(text))
    assert remote_cache.create_cache("fx-graph-v1", oss_cache_cls="RemoteFxGraphCache") is None
    assert messages == ["Unable to create cache"]


def test_without_a_warm_pool_a_compile_for_the_cpu_starts_no_workers() -> None:
    pytest.importorskip("triton")
    program = "import psutil, torch; torch.compile(torch.neg)(torch.ones(2)); print(len(psutil.Process().children()))"
    settings = {"TORCH_WARM_POOL": "0", "TORCHINDUCTOR_COMPILE_THREADS": "2"}
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, env=os.environ | settings, capture_output=True, text=True)
    assert done.stdout.split() == ["0"], done.stderr
