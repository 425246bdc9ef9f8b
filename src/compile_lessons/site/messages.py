"""Messages of torch that readers paste into the search, and the row of a table about each: ``messages.json``."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Iterator
from urllib.parse import urljoin

from mkdocs.structure.pages import Page

GRAPH_BREAKS, FIXES = "reference/graph-breaks.md", "production/what-now.md"
NAME = "messages.json"
#: ``<tr id="gb0059"><td>…</td>\n<td>Failed to trace builtin operator</td>\n<td>Dynamo does not know …</td>``
_GRAPH_BREAK = re.compile(r'<tr id="(gb\d+)"><td>.*?</td>\s*<td[^>]*>(.*?)</td>\s*<td[^>]*>(.*?)</td>')
#: An explanation with fewer words, besides ``{parts}`` that torch fills in, may stand in other texts.
_FEWEST_WORDS = 5
#: ``<tr>\n<td><code>No working C++ compiler found</code></td>\n<td><a href="…">Without a C++ compiler</a></td>``
_FIX = re.compile(r"<tr([^>]*)>\s*<td><code>(.*?)</code></td>\s*<td>(.*?)</td>")
#: ``<tr id="inductor.fx_graph_cache"><td><a href="…"><code>fx_graph_cache</code>``: an option, or a variable
_NAME = re.compile(r'<tr id="([^"]+)"><td><a [^>]*><code>(.*?)</code>')
_NAMED = ("reference/dynamo-options.md", "reference/inductor-options.md", "reference/environment.md")
_PRINTED = re.compile(r"(?m)^((?:[\w.]+\.)?[A-Z]\w*(?:Error|Warning|Exception)): (.{30,})$")
#: What differs between the message of a page and a reader's.
_FILLED_IN = re.compile(r"""'[^']*'|"[^"]*"|`[^`]*`|\[[^\]]*\]|\b[\d.]+\b|\S*/\S*""")
#: What torch prints that no table names: part of it, and the place on the site that is about it.
OTHERS = {
    "Recompiling function": "dynamo/recompiles/#the-log-names-the-guard-that-failed",
    "hit config.recompile_limit": "dynamo/recompiles/#the-limit-and-the-calls-after-it",
    "hit config.cache_size_limit": "dynamo/recompiles/#the-limit-and-the-calls-after-it",
    "FailOnRecompileLimitHit": "dynamo/recompiles/#the-limit-and-the-calls-after-it",
    "triggered by the following guard failure": "dynamo/recompiles/#the-log-names-the-guard-that-failed",
    "size mismatch at index": "dynamo/recompiles/#the-log-names-the-guard-that-failed",
    "last reason": "dynamo/recompiles/#the-limit-and-the-calls-after-it",
    "_orig_mod": "pipeline/calling/#three-ways-to-apply-torchcompile",
    "how to trace the builtin": "dynamo/graph-break-causes/#c-extensions-and-third-party-libraries",
    "CUDAGraph supports dynamic shapes by recording": "gpu/cuda-graphs/#what-goes-wrong-each-length-is-recorded",
    "BackendCompilerFailed": "production/what-now/#message-backendcompilerfailed",
    "InductorError": "production/what-now/#message-backendcompilerfailed",
    "CppCompileError": "production/what-now/#message-backendcompilerfailed",
    "LoweringException": "production/what-now/#crashes",
    "Not enough SMs to use max_autotune_gemm mode": "inductor/max-autotune/",
    "skipping cudagraphs due to": "gpu/cuda-graphs/#which-functions-run-without-a-graph",
    "Failed to find C compiler": "pipeline/backends/#without-a-c-compiler",
    "No module named triton": "production/what-now/#message-tritonmissing",
    "TensorFloat32 tensor cores for float32 matrix multiplication": "production/what-now/#not-faster",
    "Cannot find a working triton installation": "production/what-now/#message-tritonmissing",
    "0 active drivers": "gpu/triton-by-hand/",
    "aten._local_scalar_dense": "dynamo/unbacked/",
    "BrokenProcessPool": "production/what-now/#hang",
    "torch.compile stance is": "pipeline/stances/#what-goes-wrong-a-compile-after-the-warm-up",
    "AOTAutograd cache bypass": "inductor/caches/#what-a-bypass-looks-like",
    "a call to a functools.lru_cache": "production/what-now/#crashes",
    "Profiler function": "dynamo/graph-break-causes/#context-managers",
    "[__recompiles]": "dynamo/recompiles/#the-log-names-the-guard-that-failed",
    "DynamicOutputShapeException": "dynamo/unbacked/",
    "must be a torch.fx.Proxy": "production/what-now/#message-convert-all-tensors-to-faketensors",
    "mixing fake modes": "production/what-now/#message-convert-all-tensors-to-faketensors",
    "odict_values": "dynamo/graph-break-causes/#generators-and-other-iterators",
    "does not support code generation for complex operators": "measure/slower/#complex",
    "OpenMP support not found": "start/setup/#what-works-where",
    "Compiler: cl is not found": "start/setup/#what-works-where",
    "Constraints violated": "dynamo/dynamic-shapes/#what-goes-wrong-the-mark-is-refused",
}
#: What newcomers type and no page has in these words, and the place that answers.
QUESTIONS = {
    "do i need a gpu": "start/setup/#what-works-where",
    "cpu only no gpu": "start/setup/#what-works-where",
    "which torch version": "start/setup/",
    "no speedup": "production/what-now/#not-faster",
    "when does torch.compile not help": "measure/slower/",
    "compile only part of the model": "production/placement/",
    "different output with torch.compile": "production/what-now/#numbers",
    "hooks don't run": "pipeline/module/#what-goes-wrong-a-hook-doesnt-run",
    "gpu idle between kernels": "gpu/cuda-graphs/#does-the-gpu-wait-for-launches",
    "core dumped": "production/what-now/#hang",
    "inductor vs eager speed": "measure/models/",
    "what does [0/1] mean": "production/logs/#the-lines-to-look-for",
    "lora": "production/what-now/#recompiles",
    "dataloader hangs": "production/training/#dataloader",
    "forward ad": "production/what-now/#message-trying-to-use-forward-ad",
    "make_fx": "aot/by-hand/",
    "static_argnums": "compare/jax/",
    "tf.function retracing": "dynamo/recompiles/",
    "custom operator": "dynamo/fixing-breaks/#wrap-code-in-a-custom-operator",
    "optional argument is None": "dynamo/frame-evaluation/",
    "numpy dtype": "production/numerics/#numpy-dtype",
    "temperature annealing": "production/numerics/#frozen-float",
    "attribute not updated": "production/numerics/#frozen-float",
    "sparse tensor": "dynamo/graph-break-causes/#sparse",
    "nested tensor": "dynamo/graph-break-causes/#sparse",
    "enum argument wrong branch": "dynamo/guards/#same-object",
    "same tensor passed twice": "dynamo/guards/#same-object",
    "float argument old value": "dynamo/recompiles/#two-uses",
    "aotinductor buffer not updated": "inductor/ahead-of-time/#one-element",
    "tests fail only when run together": "pipeline/utilities/#tests",
    "ci": "pipeline/utilities/#tests",
    "complex": "measure/slower/#complex",
    "stft": "measure/slower/#complex",
    "nms": "dynamo/fixing-breaks/",
    "for loop compile time": "production/what-now/#first-call",
    "unrolled loop": "production/what-now/#first-call",
    "loop over time steps": "production/what-now/#first-call",
    "msvc": "start/setup/#what-works-where",
    "omp.h": "start/setup/#what-works-where",
    "nccl timeout": "production/what-now/#hang",
    "gpu memory increases": "production/what-now/#memory",
    "pybind": "dynamo/graph-break-causes/#c-extensions-and-third-party-libraries",
    "bitsandbytes": "dynamo/graph-break-causes/#c-extensions-and-third-party-libraries",
    "env.step": "dynamo/fixing-breaks/",
    "last batch smaller": "dynamo/dynamic-shapes/",
    "image resolution changes": "dynamo/dynamic-shapes/",
    "train eval switch": "pipeline/module/#dynamo-guards-the-training-mode-if-forward-reads-it",
    "gradient clipping": "production/training/#which-parts-fit-into-one-graph",
    "bf16 nan": "production/numerics/#what-goes-wrong-the-gradient-is-nan-in-bfloat16",
    "embedding index assert": "production/what-now/#out-of-range",
    "remove _orig_mod from checkpoint": "pipeline/calling/#three-ways-to-apply-torchcompile",
    "lightning": "production/placement/#what-vllm-and-hugging-face-transformers-do",
    "torch.generator": "dynamo/fixing-breaks/",
    "bisect compiler": "production/wrong-results/#the-first-backend-that-differs",
}
_LINK = re.compile(r'<a href="([^"]+)">(.*?)</a>')


def messages_of(source: str, url: str, page: str, pages: Iterable[Page]) -> list[tuple[str, ...]]:
    """Return the messages of a page: the text to look for, the address below the site, and what is there.

    Some have a fourth part: ``name``, of a lab or of a setting that is no keyword of a page, which has to be typed
    alone, or ``printed``, of a line in an output.
    ``source`` is the page's file below ``docs/``, ``url`` its address below the site; ``pages`` are those of the menu.
    """
    own = next((there for there in pages if there.url == url), None)
    title, tags = (own.title or "", own.meta.get("tags", ())) if own else ("", ())
    if source == GRAPH_BREAKS:
        return list(_graph_breaks(url, page))
    if source in _NAMED:
        return list(_settings(url, page, title, {tag.lower() for there in pages for tag in there.meta.get("tags", ())}))
    labs = (
        (tag, url, f"{tag.capitalize()}: {title.partition(' · ')[2] or title}", "name")
        for tag in tags
        if re.fullmatch(r"lab \d+", tag)
    )
    return [*labs, *(_fixes(url, page, pages) if source == FIXES else ()), *_printed(url, page, title)]


def with_ids(page: str) -> str:
    """Give each row of the section "It crashes" an id, so that a link leads to it."""
    before, section, after = _crashes(page)

    def with_id(row: re.Match[str]) -> str:
        if not _is_message(row[2]):
            return row[0]
        name = re.sub(r"\W+", "-", _plain(row[2]).lower()).strip("-")
        return row[0].replace("<tr>", f'<tr id="message-{name}">', 1)

    return before + _FIX.sub(with_id, section) + after


def _graph_breaks(url: str, page: str) -> Iterator[tuple[str, str, str]]:
    for anchor, title, explanation in _GRAPH_BREAK.findall(page):
        label = f"{anchor.upper()} in the table of graph breaks: {_plain(title)}"
        yield _plain(title), f"{url}#{anchor}", label
        if len(re.sub(r"\{[^}]*\}", "", _plain(explanation)).split()) >= _FEWEST_WORDS:
            yield _plain(explanation), f"{url}#{anchor}", label


def _fixes(url: str, page: str, pages: Iterable[Page]) -> Iterator[tuple[str, ...]]:
    """The rows of the section "It crashes" that begin with what torch prints: part of a message, or a class."""
    titles = {there.url: there.title for there in pages}
    for text, address in OTHERS.items():
        yield text, address, f"{text}: {titles[address.partition('#')[0]]}"
    for text, address in QUESTIONS.items():
        yield text, address, f"{text}: {titles[address.partition('#')[0]]}", "name"
    for attributes, message, fix in _FIX.findall(_crashes(page)[1]):
        if not _is_message(message):
            continue
        link = _LINK.search(fix)
        row = re.search('id="([^"]*)"', attributes)
        there = urljoin(url, link[1]) if link else f"{url}#{row[1] if row else 'crashes'}"
        yield _plain(message), there, f"{_plain(message)}: {_plain(link[2] if link else fix)}"


def _crashes(page: str) -> tuple[str, str, str]:
    """The section "It crashes", with what comes before and after it."""
    before, heading, rest = page.partition('<h2 id="crashes">')
    section, end, after = rest.partition("<h2")
    return before + heading, section, end + after


def _is_message(code: str) -> bool:
    """Whether the first cell of a row is what torch prints; others are names of backends."""
    return " " in code or code[0].isupper()


def _settings(url: str, page: str, title: str, keywords: set[str]) -> Iterator[tuple[str, ...]]:
    named = {_plain(name): anchor for anchor, name in _NAME.findall(page)}
    for name, anchor in named.items():
        if "_" in name and name.lower() not in keywords:
            yield name, f"{url}#{anchor}", f"{name}: {title}", "name"


def _printed(url: str, page: str, title: str) -> Iterator[tuple[str, ...]]:
    """The errors and warnings in the outputs of a page, without what differs between programs."""
    for section in re.split('(?=<h[23] id=")', page):
        anchor = re.match('<h[23] id="([^"]*)"', section)
        for output in re.findall(r'<div class="snippet-output.*?</pre>', section, re.DOTALL):
            for kind, message in _PRINTED.findall(_plain(output)):
                text = " ".join(_FILLED_IN.sub("{…}", message).split()[:20])
                if len(text.replace("{…}", "").split()) >= _FEWEST_WORDS:
                    address = f"{url}#{anchor[1]}" if anchor else url
                    yield text, address, f"{kind}: {' '.join(message.split()[:9])} …: {title}", "printed"


def _plain(text: str) -> str:
    """The text of an element, without those inside it."""
    return html.unescape(re.sub(r"<[^>]+>", "", text))
