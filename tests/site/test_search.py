"""Searches in the built site, asked of the theme's own worker in a browser."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

pytestmark = pytest.mark.browser

#: Symbols of torch that a lesson uses.
SYMBOLS = [
    "recompile_limit",
    "mark_dynamic",
    "set_stance",
    "allow_in_graph",
    "fullgraph",
    "GB0170",
    "nonstrict_trace",
    "bisector",
    "while_loop",
    "custom_op",
    "is_compiling",
    "substitute_in_graph",
    "suppress_errors",
    "reduce-overhead",
    "max-autotune",
    "aot_function",
    "min_cut_rematerialization_partition",
    "activation_memory_budget",
    "guard_filter_fn",
    "shapes_spec",
    "nonzero",
    "reorderable_logging_functions",
    "nested_graph_breaks",
    "FakeTensor",
    "VariableTracker",
    "cudagraphs",
    "list_backends",
    "isolate_recompiles",
    "allow_unspec_int_on_nn_module",
    "trace_autograd_ops",
    "compiled_autograd",
    "do_bench",
    "multi_kernel",
    "SHAPE_ENV",
    "TENSOR_MATCH",
    "opcheck",
    "functionalization",
    "capture_scalar_outputs",
    "error_on_graph_break",
    "recompiles",
]

#: What a user types or pastes, and the pages for it, of which one comes first.
PHRASES = {
    "slow": "measure/slower production/what-now",
    "model is slow": "measure/slower production/what-now",
    "torch.compile slower than eager": "measure/slower",
    "recompiling every step": "dynamo/recompiles production/what-now",
    "recompile limit": "dynamo/recompiles",
    "torch._dynamo hit config.recompile_limit (8)": "dynamo/recompiles production/what-now",
    "crash": "production/what-now",
    "wrong results": "production/wrong-results",
    "nan": "production/numerics",
    "first call slow": "production/what-now",
    "compile time": "measure/break-even",
    "warm start": "production/warm-starts",
    "cache": "inductor/caches",
    "out of memory": "production/what-now",
    "cuda out of memory": "production/what-now",
    "oom": "production/what-now",
    "cuda graphs": "gpu/cuda-graphs",
    "skipping cudagraphs due to mutated inputs": "gpu/cuda-graphs production/what-now",
    "dynamic shapes": "dynamo/dynamic-shapes",
    "torch._dynamo.mark_dynamic": "dynamo/dynamic-shapes",
    "unbacked symint": "dynamo/unbacked",
    "GuardOnDataDependentSymNode": "dynamo/unbacked",
    "graph breaks": "dynamo/graph-break-causes",
    "torch.compiler.disable": "pipeline/utilities dynamo/escape-hatches",
    "torch.compiler.reset": "pipeline/utilities",
    "torch.compile": "pipeline/calling",
    "CppCompileError": "production/what-now",
    "no working C++ compiler": "pipeline/backends",
    "TorchRuntimeError": "production/what-now",
    "TritonMissing": "production/what-now",
    "BackendCompilerFailed": "production/what-now pipeline/backends",
    "how do I find graph breaks?": "dynamo/first-graph-break dynamo/graph-break-causes",
    "lab 11": "labs/cuda-graph-safe",
    "tl.dot": "gpu/triton-matmul",
    "___check_type_id": "dynamo/guards",
    "guard types": "reference/guards dynamo/guards",
    "which guards exist": "reference/guards",
    "graph break id": "reference/graph-breaks dynamo/graph-break-causes",
    "source map": "reference/source-map",
    "my model recompiles each step": "dynamo/recompiles",
    "how does torch.compile work": "pipeline/one-function",
    "compilation takes too long": "measure/break-even",
    "torch._dynamo.exc.Unsupported": "dynamo/first-graph-break",
    "python version": "start/setup",
    "fullgraph": "dynamo/fixing-breaks",
    "recomplies": "dynamo/recompiles",
    "gaurds": "dynamo/guards",
    "fusoin": "inductor/fusion",
    "dynamo": "dynamo/frame-evaluation",
    "torchdynamo": "dynamo/frame-evaluation",
    "aotautograd": "aot/joint-graph",
    "inductor": "inductor/lowering",
    "Not enough SMs to use max_autotune_gemm mode": "inductor/max-autotune",
    "set_float32_matmul_precision": "pipeline/modes",
    "Unsupported: Tensor.item() call with capture_scalar_outputs=False": "dynamo/unbacked",
    "InternalTorchDynamoError": "production/what-now",
    "custom op": "dynamo/escape-hatches",
    "kv cache": "measure/decoding",
    "multi gpu": "production/distributed",
    "fsdp": "production/distributed",
    "onnx": "compare/exporting",
    "torch.export": "compare/exporting inductor/ahead-of-time",
    "activation checkpointing": "production/training",
    "optimizer": "production/training",
    "flash attention": "gpu/flash-attention",
    "flexattention": "gpu/user-kernels",
    "triton kernel": "gpu/user-kernels",
    "llm": "measure/decoding",
    "hugging face": "production/placement",
    "fusion": "inductor/fusion",
    "aotinductor": "inductor/ahead-of-time",
    "minifier": "production/wrong-results",
    "TORCH_LOGS": "production/logs",
    "profiler": "gpu/profile",
    "benchmark": "measure/timing",
    "serving": "production/serving",
    "install": "start/setup",
    "jax": "compare/jax",
    "double backward": "aot/joint-graph",
    "explain": "reference/explain",
    "write a backend": "build/interpreter",
    "fake tensors": "dynamo/fake-tensors",
    "tensor subclass": "aot/tensor-subclasses",
    "batch invariance": "production/determinism",
    "int8": "gpu/low-precision",
    "exercise": "labs",
    "regional compilation": "production/placement",
    "training": "production/training",
    "dropout": "production/numerics",
    "higher order ops": "dynamo/control-flow",
    'TORCH_LOGS="+dynamo"': "production/logs",
    "how do I see the generated code": "production/logs",
    "how to disable torch.compile for a function": "dynamo/escape-hatches",
    "torch.compile multiple gpu hang": "production/distributed",
    "symint": "dynamo/dynamic-shapes",
    "faketensor": "dynamo/tracing",
    "evict_last": "inductor/lowering",
    "print inside compiled function": "dynamo/first-graph-break",
    "save compiled model": "production/warm-starts",
    "dead code": "build/passes",
    "loop unrolling": "dynamo/tracing",
    "warmup": "measure/timing",
    "fatal error: Python.h": "pipeline/backends",
    "Graph break: from user code at": "dynamo/first-graph-break",
    "deployment": "production/serving production/warm-starts inductor/ahead-of-time",
    "hangs": "production/what-now",
    "stuck compiling": "production/what-now",
    "no speedup": "production/what-now",
    "speedup": "production/what-now measure/timing measure/break-even",
    "debugging": "production/what-now production/logs",
    "cheat sheet": "production/what-now",
    "getting started": "start/setup",
    "start": "start/setup",
    "beginner": "start/setup pipeline/one-function",
    "introduction": "pipeline/one-function",
    "what is torch.compile": "pipeline/one-function pipeline/calling",
    "is torch.compile worth it": "measure/break-even",
    "which mode should I use": "pipeline/modes",
    "different sequence lengths": "dynamo/dynamic-shapes production/serving",
    "turn off": "dynamo/escape-hatches pipeline/utilities",
    "load compiled model": "production/warm-starts",
    "every restart": "production/warm-starts",
    "quiz": "labs",
    "input size changes": "dynamo/dynamic-shapes",
    "wrong output": "production/wrong-results production/what-now",
    "results differ compiled vs eager": "production/wrong-results production/what-now production/numerics",
    "slower after compile": "measure/slower",
    "cold start takes minutes": "production/warm-starts",
    "rocm": "start/setup",
    "mps": "start/setup",
}

#: Where the theme's search failed before the plugin fixed it: whole words, and what one types before them.
WORDS = ["call", "run", "runtime", "line", "linear", "gb", *"abcdefghijklmnopqrstuvwxyz0123456789"]

ASK = """async ([worker, queries]) => {
  const index = await (await fetch("/search/search_index.json")).json();
  const search = new Worker(worker);
  const ask = (message, type) => new Promise((resolve) => {
    search.onmessage = ({data}) => { if (data.type === type) resolve(data.data); };
    search.postMessage(message);
  });
  await ask({type: 0, data: {config: index.config, docs: index.docs, options: {suggest: false}}}, 1);
  const first = {};
  for (const query of queries) {
    const {items} = await ask({type: 2, data: query}, 3);
    first[query] = items.length ? items[0][0].location.split("#")[0] : null;
  }
  return first;
}"""


@pytest.fixture(scope="module")
def first(browser, address: str, site: Path) -> dict[str, str | None]:
    """The page that each query leads to first; none where nothing is found."""
    [worker] = site.glob("assets/javascripts/workers/search.*.js")
    page = browser.new_page(base_url=address)
    page.goto("/")
    answers = page.evaluate(ASK, [f"/{worker.relative_to(site).as_posix()}", [*SYMBOLS, *PHRASES, *WORDS]])
    page.close()
    return answers


@pytest.mark.parametrize("symbol", SYMBOLS)
def test_a_symbol_leads_first_to_a_lesson_that_shows_it(symbol: str, first: dict[str, str], site: Path) -> None:
    location = first[symbol]
    assert location.split("/")[0] not in ("", "reference")
    text = re.sub("<[^>]+>", "", (site / location / "index.html").read_text(encoding="utf-8"))
    assert symbol.lower() in text.lower()


@pytest.mark.parametrize("phrase", PHRASES)
def test_a_phrase_leads_first_to_the_page_for_it(phrase: str, first: dict[str, str]) -> None:
    assert first[phrase].rstrip("/") in PHRASES[phrase].split()


@pytest.mark.parametrize("word", WORDS)
def test_a_common_word_finds_something(word: str, first: dict[str, str | None]) -> None:
    assert first[word] is not None
