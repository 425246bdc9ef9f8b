"""What the key of AOTAutograd's cache contains: the statements of docs/inductor/caches.md that no program shows."""

from collections.abc import Iterator

import pytest
import torch
from torch._dynamo.utils import counters
from torch._inductor.utils import fresh_cache

from compile_lessons.runs.machine import cxx_compiler

pytestmark = pytest.mark.skipif(cxx_compiler() is None, reason="needs a C++ compiler")
QUERIES = torch.ones(1, 2, 16, 8)


@pytest.fixture(autouse=True)
def filled_folder() -> Iterator[None]:
    """A folder of caches with one entry, for attention without a choice of its kernel."""
    with fresh_cache(), torch.no_grad():
        assert cache_answer() == "miss"
        yield


def attend(q: torch.Tensor) -> torch.Tensor:
    return torch.nn.functional.scaled_dot_product_attention(q, q, q)


def cache_answer() -> str:
    """Compile again, as a new process does, and return what AOTAutograd's cache answered."""
    torch.compiler.reset()
    counters.clear()
    torch.compile(attend)(QUERIES)
    asked = counters["aot_autograd"]
    assert asked["autograd_cache_hit"] + asked["autograd_cache_miss"] == 1
    return "hit" if asked["autograd_cache_hit"] else "miss"


def test_the_key_does_not_contain_the_choice_of_an_attention_kernel() -> None:
    with torch.nn.attention.sdpa_kernel(torch.nn.attention.SDPBackend.MATH):
        assert cache_answer() == "hit"


def test_the_key_contains_the_tag() -> None:
    with torch.compiler.config.patch(cache_key_tag="2"):
        assert cache_answer() == "miss"
