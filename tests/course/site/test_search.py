"""Searches in the built site, asked of its worker in a browser."""

import gzip
import json
import re
from collections import Counter
from pathlib import Path

import pytest

pytestmark = pytest.mark.browser

#: Symbols of torch that a lesson uses.
SYMBOLS = """
    recompile_limit WeakDep mark_dynamic set_stance allow_in_graph fullgraph GB0170 nonstrict_trace bisector while_loop
    custom_op is_compiling substitute_in_graph suppress_errors reduce-overhead max-autotune aot_function
    min_cut_rematerialization_partition activation_memory_budget guard_filter_fn shapes_spec nonzero
    reorderable_logging_functions nested_graph_breaks FakeTensor VariableTracker cudagraphs list_backends
    isolate_recompiles allow_unspec_int_on_nn_module trace_autograd_ops compiled_autograd do_bench multi_kernel
    SHAPE_ENV TENSOR_MATCH opcheck functionalization capture_scalar_outputs error_on_graph_break recompiles
"""

#: What a user types or pastes, and the pages for it, of which one comes first.
PHRASES = {
    "slow": "measure/slower fix/not-faster fix/first-call",
    "model is slow": "measure/slower fix/not-faster fix/first-call",
    "torch.compile slower than eager": "measure/slower",
    "recompiling every step": "dynamo/recompiles fix/recompiles",
    "recompile limit": "dynamo/recompile-limit dynamo/recompiles",
    "torch._dynamo hit config.recompile_limit (8)": "dynamo/recompile-limit fix/recompiles",
    "crash": "fix/crashes",
    "wrong results": "production/wrong-results",
    "nan": "production/wrong-numbers",
    "first call slow": "fix/first-call",
    "compile time": "measure/break-even",
    "warm start": "production/warm-starts",
    "cache": "inductor/caches",
    "out of memory": "fix/memory",
    "cuda out of memory": "fix/memory",
    "oom": "fix/memory",
    "cuda graphs": "gpu/cuda-graphs",
    "skipping cudagraphs due to mutated inputs": "gpu/cuda-graphs fix/cuda-graphs",
    "dynamic shapes": "dynamo/dynamic-shapes",
    "torch._dynamo.mark_dynamic": "dynamo/dynamic-shapes",
    "unbacked symint": "dynamo/unbacked",
    "GuardOnDataDependentSymNode": "dynamo/unbacked",
    "graph breaks": "dynamo/graph-break-causes fix/breaks",
    "torch.compiler.disable": "pipeline/utilities dynamo/escape-hatches",
    "torch.compiler.reset": "pipeline/utilities",
    "torch.compile": "pipeline/calling",
    "CppCompileError": "pipeline/backends reference/messages",
    "no working C++ compiler": "pipeline/backends",
    "TorchRuntimeError": "reference/messages",
    "TritonMissing": "reference/messages",
    "BackendCompilerFailed": "reference/messages pipeline/backends",
    "how do I find graph breaks?": "fix/breaks dynamo/first-graph-break dynamo/graph-break-causes",
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
    "InternalTorchDynamoError": "reference/messages",
    "custom op": "dynamo/escape-hatches",
    "kv cache": "measure/decoding",
    "multi gpu": "production/distributed",
    "fsdp": "production/distributed",
    "onnx": "compare",
    "torch.export": "compare inductor/ahead-of-time",
    "activation checkpointing": "production/training",
    "optimizer": "production/training",
    "flash attention": "gpu/flash-attention",
    "flexattention": "gpu/flex-attention",
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
    "piecewise compilation": "production/piecewise",
    "install": "start/setup",
    "jax": "compare/jax",
    "double backward": "aot/joint-graph",
    "explain": "reference/explain",
    "write a backend": "build/interpreter",
    "fake tensors": "dynamo/fake-tensors",
    "tensor subclass": "aot/tensor-subclasses",
    "batch invariance": "production/batch-invariance",
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
    "faketensor": "dynamo/fake-tensors",
    "evict_last": "inductor/lowering",
    "print inside compiled function": "dynamo/first-graph-break",
    "save compiled model": "production/warm-starts",
    "dead code": "build/passes",
    "loop unrolling": "dynamo/tracing",
    "warmup": "measure/timing",
    "fatal error: Python.h": "pipeline/backends",
    "Graph break: from user code at": "dynamo/first-graph-break",
    "deployment": "production/serving production/warm-starts inductor/ahead-of-time",
    "hangs": "fix/hangs",
    "stuck compiling": "fix/hangs",
    "no speedup": "fix/not-faster",
    "speedup": "fix/not-faster measure/timing measure/break-even",
    "debugging": "fix production/logs",
    "cheat sheet": "fix",
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
    "wrong output": "production/wrong-results fix/numbers",
    "results differ compiled vs eager": "production/wrong-results fix/numbers production/numerics",
    "slower after compile": "measure/slower",
    "cold start takes minutes": "production/warm-starts",
    "fusion kubernetes": "production/warm-starts",
    "rocm": "start/setup",
    "mps": "start/setup",
}

#: Questions in readers' words, other forms of the pages' words among them, and the pages for each.
QUESTIONS = {
    "how does Inductor fuse": "inductor/fusion",
    "run all lessons locally": "start/setup",
    "start a lab": "labs",
    "where do I put torch.compile": "production/placement",
    "compile takes five minutes": "fix/first-call measure/break-even",
    "why does my function recompile": "dynamo/recompiles",
    "every batch size recompiles": "dynamo/dynamic-shapes dynamo/recompiles production/serving",
    "what is a guard": "dynamo/guards",
    "what does a guard check": "dynamo/guards",
    "why did the graph break": "dynamo/first-graph-break dynamo/graph-break-causes",
    "fix a graph break": "dynamo/fixing-breaks",
    "what happens inside a graph break": "dynamo/inside-a-break",
    "printing in a compiled function": "dynamo/first-graph-break",
    "if statement that depends on a tensor": "dynamo/control-flow dynamo/first-graph-break",
    "while loop until converged": "dynamo/control-flow",
    "excluding a function from compilation": "dynamo/escape-hatches pipeline/utilities",
    "sizes that depend on data": "dynamo/unbacked",
    "how does Dynamo change bytecode": "dynamo/frame-evaluation",
    "how are Python functions traced": "dynamo/tracing",
    "tensors without data": "dynamo/fake-tensors",
    "reading an FX graph": "dynamo/fx-graphs",
    "what is saved for the backward pass": "aot/partition",
    "graph of forward and backward": "aot/joint-graph",
    "how are in-place operations functionalized": "aot/functionalization",
    "which operators are decomposed": "aot/decompositions reference/decompositions",
    "compiling the backward pass with hooks": "aot/compiled-autograd",
    "subclassing a tensor": "aot/tensor-subclasses",
    "read the generated C++": "inductor/cpp-code",
    "how does Inductor lower operators to loops": "inductor/lowering",
    "channels last copies": "inductor/layouts-and-memory",
    "which graph passes does Inductor run": "inductor/graph-passes",
    "where are caches stored": "inductor/caches",
    "clearing the cache": "inductor/caches",
    "compile ahead of time": "inductor/ahead-of-time",
    "does max-autotune pick faster kernels": "inductor/max-autotune",
    "timing a compiled function": "measure/timing",
    "compiled model slower than eager": "measure/slower",
    "speed of generating tokens with an LLM": "measure/decoding",
    "training GPT-2 faster": "measure/training-step",
    "diffusion model UNet": "measure/unet",
    "writing my own backend": "build/interpreter",
    "backend that generates Triton": "build/triton-backend",
    "diagnosing a program": "production/diagnose",
    "explain my own model": "reference/explain",
    "serve requests of varying batches": "production/serving",
    "avoid compiling again after a restart": "production/warm-starts",
    "compiled model returns wrong results": "production/wrong-results",
    "are results deterministic": "production/determinism",
    "rounding differences in bfloat16": "production/numerics",
    "compiling the optimizer step": "production/training",
    "compile a DDP model": "production/distributed",
    "list of environment variables": "reference/environment",
    "see Triton code without a GPU": "gpu/inductor",
    "writing a Triton kernel": "gpu/triton-by-hand",
    "layer norm kernel": "gpu/triton-norms",
    "calling my Triton kernel in a compiled model": "gpu/user-kernels",
    "quantizing to int8": "gpu/low-precision",
    "recording a CUDA graph": "gpu/cuda-graphs",
    "reading a profiler trace": "gpu/profile",
    "what changed between torch versions": "reference/versions",
}

#: What people with a problem type, most of it from public reports, and the places that are right to open first.
OPENED = {
    "torch.compile with DDP": "production/distributed/ production/distributed/#in-short "
    "production/distributed/#ddp-when-gradients-are-sent",
    "vllm torch.compile cache": "production/piecewise/#vllm-cache",
    "loss is nan only with torch.compile": "production/wrong-numbers/#what-goes-wrong-the-gradient-is-nan-in-bfloat16",
    "kubernetes": "production/warm-starts/ production/warm-starts/#in-short",
    "every restart": "production/warm-starts/ production/warm-starts/#in-short "
    "fix/first-call/#each-start-compiles-again",
    "RuntimeError: Dynamo failed to run FX node with fake tensors": "reference/messages/#message-torchruntimeerror",
    "lora recompile limit": "dynamo/recompile-limit/#adapters",
    "step counter recompiles every call": "fix/recompiles/#a-number-changes-from-call-to-call "
    "dynamo/recompiles/#what-goes-wrong-one-counter-puts-the-whole-model-in-eager-mode",
    "dataloader workers recompile every epoch": "fix/hangs/#dataloader",
    "_orig_mod state_dict strict=False": "pipeline/calling/#three-ways-to-apply-torchcompile",
    "retain_graph donated buffers": "fix/crashes/#second-backward",
    "print in a loop nothing compiled": "dynamo/skipped-functions/"
    "#what-goes-wrong-a-print-in-a-loop-keeps-the-function-from-being-compiled",
    "cudagraphs recorded for each batch size": "fix/cuda-graphs/#each-length",
    "nccl timeout one rank recompiling": "fix/hangs/#one-rank-compiles-while-the-others-wait",
}

#: Whole words, and what one types before them.
WORDS = ["call", "run", "runtime", "line", "linear", "gb", *"abcdefghijklmnopqrstuvwxyz0123456789"]

#: What users of public reports pasted, as torch prints it, and the place for it. Paths are not theirs.
PASTED = {
    # pytorch#155426
    "torch._dynamo.exc.Unsupported: Attempted to call function marked as skipped": "reference/graph-breaks/#gb0007",
    # pytorch#152172
    "torch._inductor.exc.InductorError: CppCompileError: C++ compile error": "reference/messages/#message-backend",
    # pytorch#106513
    "torch._dynamo.exc.BackendCompilerFailed: backend='inductor' raised:": "reference/messages/#message-backend",
    # pytorch#170604
    "RuntimeError: Error: accessing tensor output of CUDAGraphs that has been overwritten by a subsequent run. Stack "
    'trace: File "/app/bug.py", line 7, in my_model': "gpu/cuda-graphs/#fix-what-goes-wrong-an-output",
    # pytorch#147672
    "torch._dynamo.exc.UserError: Could not guard on data-dependent expression Eq(256*u0, 256) (unhinted: Eq(256*u0, "
    "256)).  (Size-like symbols: u0)": "dynamo/unbacked/#fix-what-goes-wrong-could-not-guard",
    # pytorch#193693
    "W0815 22:53:17.219000 9155 torch/_functorch/_aot_autograd/graph_compile.py:2122] [0/0] torch._inductor.exc."
    "InductorError: GuardOnDataDependentSymNode: Could not guard on data-dependent expression Eq(Max(1, u0), 1) "
    "(unhinted: Eq(Max(1, u0), 1)).": "dynamo/unbacked/#fix-what-goes-wrong-could-not-guard",
    # openpi#654
    "E0912 11:54:57.366000 1121181 torch/_inductor/select_algorithm.py:2100] [7/0] No valid triton configs. "
    "OutOfResources: out of resource: shared memory, Required: 131072, Hardware limit: 101376. Reducing block sizes or "
    "`num_stages` may help..": "gpu/triton-matmul/",
    # helion#470
    "triton.runtime.errors.OutOfResources: out of resource: shared memory": "gpu/triton-matmul/",
    # tinyworlds#13
    'Unexpected key(s) in state_dict: "_orig_mod.encoder.patch_embed.proj.weight"': "pipeline/calling/#three-ways",
    # LLMs-from-scratch#580
    'Missing key(s) in state_dict: "tok_emb.weight", "pos_emb.weight". Unexpected key(s) in state_dict: '
    '"_orig_mod.tok_emb.weight", "_orig_mod.pos_emb.weight"': "pipeline/calling/#three-ways",
    # pytorch#124269
    "[2024-04-16 22:28:39,856] torch._dynamo.convert_frame: [WARNING] torch._dynamo hit config.cache_size_limit (8)": (
        "dynamo/recompile-limit/#the-limit"
    ),
    # ComfyUI#9972
    "W0920 18:01:22.105000 31 torch/_dynamo/convert_frame.py:1016] [2/8] torch._dynamo hit config.recompile_limit "
    "(8)": "dynamo/recompile-limit/#the-limit",
    # ComfyUI#9289
    "last reason: 2/7: L['self'].key == 'blocks.7.attn.to_q'": "dynamo/recompile-limit/#fix-strings",
    # torchdynamo#1673
    "tensor 'x' size mismatch at index 0. expected 32, actual 20": "dynamo/dynamic-shapes/#mark-a-dimension",
    # pytorch#136361
    "RuntimeError: Cannot find a working triton installation. Either the package is not installed or it is too old.": (
        "reference/messages/#message-tritonmissing"
    ),
    # ComfyUI-WanVideoWrapper#978
    "torch._inductor.exc.TritonMissing: Cannot find a working triton installation. Either the package is not installed "
    "or it is too old. More information on installing Triton can be found at: https://github.com/triton-lang/triton": (
        "reference/messages/#message-tritonmissing"
    ),
    # pytorch#127374
    "Exception: Please convert all Tensors to FakeTensors first or instantiate FakeTensorMode with "
    "'allow_non_fake_inputs'. Found in aten.mm.default(FakeTensor(..., size=(2, 4)), Parameter containing:": (
        "dynamo/fake-tensors/"
    ),
    # torchdeq#11
    "RuntimeError: This backward function was compiled with non-empty donated buffers which requires "
    "create_graph=False and retain_graph=False.": "fix/crashes/#fix-second-backward",
    # cuEquivariance#268
    "RuntimeError: torch.compile with aot_autograd does not currently support double backward": (
        "aot/joint-graph/#fix-what-goes-wrong-a-gradient-penalty"
    ),
    # pytorch#129351
    "/tmp/tmp8rlaiy4j/main.c:5:10: fatal error: Python.h: No such file or directory": "pipeline/backends/#fix-without",
    # ml-cross-entropy#5
    "RuntimeError: Failed to find C compiler. Please specify via CC environment variable.": "pipeline/backends/#fix",
    # pytorch#117281
    "skipping cudagraphs due to mutated inputs (1 instances). Found from :": "gpu/cuda-graphs/#fix-which",
    # torchdynamo#748
    "WARNING torchinductor.compile_fx: skipping cudagraphs due to multple devices": "gpu/cuda-graphs/#fix-which",
    # pytorch#123177
    'File "/opt/torch/_inductor/cudagraph_trees.py", line 333, in get_obj\n'
    "    assert torch._C._is_key_in_tls(attr_name)": "fix/cuda-graphs/#fix-threads",
    # pytorch#179135
    "OpenMP support not found. Please try one of the following solutions:": "start/setup/",
    # pytorch#147756
    "torch._inductor.exc.LoweringException: ValueError: Q_LEN and KV_LEN must be known": "fix/crashes/",
    # pytorch#181817
    "RuntimeError: torch.compile with fullgraph=True found no compiled frames.": "reference/messages/#message-found",
    # transformers#43012
    "UserWarning: TensorFloat32 tensor cores for float32 matrix multiplication available but not enabled. Consider "
    "setting `torch.set_float32_matmul_precision('high')` for better performance.": "fix/not-faster/",
    # pytorch#161764
    "W0829 torch/_inductor/utils.py:1436] [0/0] Not enough SMs to use max_autotune_gemm mode": "inductor/max-autotune/",
    # pytorch#130917
    "torch._dynamo.exc.Unsupported: Tensor.item": "dynamo/unbacked/",
    # pytorch#119186
    "torch._dynamo.exc.Unsupported: Data-dependent branching": "reference/graph-breaks/#gb0170",
    # sam2#592
    "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total capacity of 23.64 GiB": (
        "fix/memory/"
    ),
    # pytorch#150980
    "concurrent.futures.process.BrokenProcessPool: A process in the process pool was terminated abruptly while the "
    "future was running or pending.": "fix/hangs/",
    # nanochat#722
    "[rank0]:[E ProcessGroupNCCL.cpp:616] [Rank 0] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=3, "
    "OpType=ALLREDUCE, NumelIn=1, NumelOut=1, Timeout(ms)=600000)": "fix/hangs/",
    # pytorch#95445
    "RuntimeError: Detected that you are using FX to symbolically trace a dynamo-optimized function. This is not "
    "supported at the moment.": "pipeline/backends/",
    # pytorch#90768
    "RuntimeError: Compiler: cl is not found.": "start/setup/",
    # pytorch#91469
    "RuntimeError: One of the differentiated Tensors appears to not have been used in the graph. Set allow_unused=True "
    "if this is the desired behavior.": "fix/numbers/#fix-second-derivative",
    # pytorch#97146
    "RuntimeError: one of the variables needed for gradient computation has been modified by an inplace operation: "
    "[torch.FloatTensor [4, 4]] is at version 2; expected version 1 instead.": "aot/partition/#fix-what-goes-wrong-an",
    # vllm#19656
    "fatal error: stddef.h: No such file or directory": "pipeline/backends/#fix-without",
    # what a killed run leaves behind
    "ImportError: /tmp/torchinductor_me/ke/cke7tyco.main.so: file too short": "fix/crashes/#fix-damaged",
}

ASK = """async ([worker, queries]) => {
  const index = await (await fetch("/search/search_index.json")).json();
  const search = new Worker(worker);
  const ask = (message, type) => new Promise((resolve) => {
    search.onmessage = ({data}) => { if (data.type === type && !data.data?.more) resolve(data.data); };
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
    queries = [*SYMBOLS.split(), *PHRASES, *QUESTIONS, *WORDS]
    answers = page.evaluate(ASK, [f"/{worker.relative_to(site).as_posix()}", queries])
    page.close()
    return answers


#: The row that the header's search shows for each text, and the one of the field on "It crashes".
PASTE = """async (texts) => {
  const header = document.querySelector(".md-search input");
  const table = document.querySelector("[data-messages] .table-filter");
  const ask = (field, place, text) => {
    field.value = text;
    field.dispatchEvent(new Event("input"));
    return document.querySelector(`${place} .search-row`)?.href.split("/").slice(3).join("/");
  };
  const loaded = new Promise((resolve) => addEventListener("messages", resolve));
  table.dispatchEvent(new Event("focus"));
  await loaded;
  return texts.map((text) => [ask(header, ".md-search", text), ask(table, "[data-messages]", text)]);
}"""


def test_what_is_pasted_leads_to_its_row_from_both_fields(page) -> None:
    page.goto("/reference/messages/")
    found = dict(zip(PASTED, page.evaluate(PASTE, [*PASTED]), strict=True))
    assert [text for text, (header, table) in found.items() if header != table] == []
    right = [text for text, (header, _) in found.items() if header and header.startswith(PASTED[text])]
    wrong = {text: header for text, (header, _) in found.items() if text not in right}
    assert len(PASTED) == 40 and len(right) >= 36, wrong


def test_searches_of_people_with_a_problem_open_the_right_section(page) -> None:
    page.goto("/", wait_until="networkidle")
    field = page.locator("input.md-search__input")
    with page.expect_response("**/rest.*.json"):
        field.fill("zzqx")
    opened = {}
    for query in OPENED:
        field.fill(query)
        page.wait_for_timeout(1000)  # the worker answers by the headings, then by all words
        # The row of a message, if there is one, stands above the results.
        address = page.locator(":is(.search-row, .md-search-result__link)").first.get_attribute("href")
        opened[query] = re.sub(r"\?[^#]*", "", address).split("/", 3)[3]
    wrong = {query: place for query, place in opened.items() if place not in OPENED[query].split()}
    assert len(OPENED) == 14 and len(wrong) <= 1, wrong


@pytest.mark.parametrize("symbol", SYMBOLS.split())
def test_a_symbol_leads_first_to_a_lesson_that_shows_it(symbol: str, first: dict[str, str], site: Path) -> None:
    location = first[symbol]
    assert location.split("/")[0] not in ("", "reference")
    text = re.sub("<[^>]+>", "", (site / location / "index.html").read_text(encoding="utf-8"))
    assert symbol.lower() in text.lower()


@pytest.mark.parametrize("phrase", PHRASES)
def test_a_phrase_leads_first_to_the_page_for_it(phrase: str, first: dict[str, str]) -> None:
    assert first[phrase].rstrip("/") in PHRASES[phrase].split()


def test_there_are_60_questions() -> None:
    assert len(QUESTIONS) == 60


@pytest.mark.parametrize("question", QUESTIONS)
def test_a_question_leads_first_to_the_page_for_it(question: str, first: dict[str, str]) -> None:
    assert first[question].rstrip("/") in QUESTIONS[question].split()


def test_what_a_reader_loads_first_is_small(site: Path) -> None:
    files = [site / "search" / "search_index.json", site / "messages.json"]
    assert sum(len(gzip.compress(file.read_bytes())) for file in files) <= 250 * 1024


def test_no_list_of_links_is_found(site: Path) -> None:
    entries = json.loads((site / "search" / "search_index.json").read_bytes())["docs"]
    assert len(entries) > 1000 and not any(entry["location"].endswith("#where-to-go-next") for entry in entries)


def test_the_index_is_loaded_when_the_search_is_opened_and_the_rest_when_it_is_needed(page) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url.rsplit("/", 1)[1].split(".")[0]))
    page.goto("/", wait_until="networkidle")
    assert not {"search_index", "messages", "rest"} & set(asked)
    field = page.locator("input.md-search__input")
    field.fill("guards")
    page.locator(".md-search-result__link", has_text="Guards").first.wait_for()
    assert {"search_index", "messages"} <= set(asked) and "rest" not in asked
    with page.expect_request("**/rest.*.json"):
        field.fill("guards interdigitate zzqx")  # no page has all the words
    page.locator(".md-search-result__link", has_text="Guards").first.wait_for()


def test_a_word_of_a_body_is_found(browser, address: str, site: Path) -> None:
    """A word that only the text of one page has, far from its headings."""
    index = json.loads((site / "search" / "search_index.json").read_bytes())
    [rest] = site.glob("search/rest.*.json")
    words = [
        (word, entry["location"])
        for entry, words in zip(index["docs"], json.loads(rest.read_bytes()), strict=True)
        for word in words.split()
    ]
    known = " ".join(f"{entry['title']} {entry['text']} {entry.get('names', '')}" for entry in index["docs"]).lower()
    counts = Counter(word for word, _ in words)
    word, location = next(
        (word, where)
        for word, where in words
        if counts[word] == 1 and len(word) > 9 and word.isalpha() and word[:6] not in known
    )
    [worker] = site.glob("assets/javascripts/workers/search.*.js")
    page = browser.new_page(base_url=address)
    page.goto("/")
    found = page.evaluate(ASK, [f"/{worker.relative_to(site).as_posix()}", [word]])
    page.close()
    assert found == {word: location.split("#")[0]}


@pytest.mark.parametrize("word", WORDS)
def test_a_common_word_finds_something(word: str, first: dict[str, str | None]) -> None:
    assert first[word] is not None
