"""Capture random functions and count the verdicts of the comparison with eager mode.

    python tests/stress/random_functions.py --count 300 --seed 0 --out verdicts.jsonl

Every function is a small program of random operators, dtypes, views, mutation, containers and control flow on sizes. It
follows from its seed alone, and ``--print SEED`` shows it. Seeds whose verdicts are in the file of ``--out`` are not
run again, so that a run that was interrupted goes on. For a nightly run: the exit status is 1 where a verdict is
"different" or something failed, but for the seeds in ``KNOWN``. ``--fallback`` compiles with Inductor's option
``fallback_by_default``, which needs no C++ compiler and has seeds of its own in ``KNOWN_WITH_FALLBACK``.
"""

import argparse
import importlib.util
import inspect
import json
import random
import re
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import torch

PRELUDE = """import torch
import torch.nn.functional as F


"""

#: Statements in which ``a`` and ``b`` stand for earlier values, ``v`` and ``w`` for new ones, ``d`` for a dimension,
#: ``k`` for a small number. ``unfold`` is left out: torch 2.13 to 2.15 compute a wrong gradient for it, which
#: ``tests/api/compare/test_verdicts.py`` shows.
STATEMENTS = """
v = torch.sin(a)
v = torch.cos(a) * k
v = torch.exp(a.clamp(max=3))
v = torch.tanh(a)
v = torch.sigmoid(a)
v = F.relu(a)
v = F.gelu(a)
v = F.silu(a)
v = F.softplus(a)
v = a.abs().sqrt()
v = torch.rsqrt(a.abs() + 1)
v = torch.log1p(a.abs())
v = torch.erf(a)
v = -a
v = a.square()
v = torch.floor(a * k)
v = torch.round(a * k)
v = torch.sign(a)
v = 1 / (a.abs() + 1)
v = a.cumsum(d)
v = a.softmax(d)
v = a.log_softmax(d)
v = a.logsumexp(d)
v = a.mean()
v = a.sum(d)
v = a.amax(d, keepdim=True)
v = a.amin(d)
v = a.std()
v = a.var(d, unbiased=False)
v = a.norm()
v = a.argmax(d)
v = a.sort(d).values
v = a.topk(1, d).values
v = a.flip(d)
v = a.roll(k, d)
v = a.transpose(0, -1)
v = a.reshape(-1)
v = a.unsqueeze(d)
v = a.narrow(d, 0, 1)
v = a[1:]
v = a[::2]
v = a[..., -1]
v = a.expand(2, *a.shape)
v = a.movedim(0, -1)
v = a.diagonal()
v = a.chunk(2, d)[0]
v = torch.stack([a, a + k])
v = torch.cat([a, a], d)
v = a + b
v = a - b
v = a * b
v = a / (b.abs() + 1)
v = torch.maximum(a, b)
v = torch.where(a > b, a, b * k)
v = a @ a.transpose(-1, -2)
v = torch.einsum("i...,j...->ij...", a, a)
v = torch.addcmul(a, a, b, value=0.5)
v = torch.lerp(a, b, 0.3)
v = torch.atan2(a, b)
v = a.fmod(k + 0.5)
v = a > b
v = a.masked_fill(a > 0, 0.5)
v = a[a > 0]
v = a.gather(d, a.argsort(d))
v = torch.zeros_like(a).scatter_add(d, a.argsort(d), a)
v = a.index_select(d, torch.tensor([0, 0]))
v = F.layer_norm(a, a.shape[-1:])
v = F.batch_norm(a, None, None, training=True)
v = F.pad(a, (1, k))
v = F.linear(a, torch.ones(3, a.shape[-1], dtype=a.dtype))
v = F.cross_entropy(a, a.argmax(-1))
v = F.scaled_dot_product_attention(a, a, a)
v = F.avg_pool1d(a, 2)
v = F.one_hot((a.abs() * 2).long().clamp(max=4), 5)
v = F.dropout(a, 0.5)
v = a * torch.rand_like(a)
v = a.double()
v = a.bfloat16()
v = a.half()
v = a.float()
v = a.int()
v = torch.complex(a, a.cos()).abs()
v = torch.tril(a)
v = a.detach() * b
v = a.clone()
a.add_(k)
a.mul_(b)
a[0] = k
a[..., :1].zero_()
a.clamp_(-1, 1)
a.copy_(b)
a.masked_fill_(a > 1, 0.5)
a.index_fill_(d, torch.tensor([0]), 2)
a.t_()
v = dict(first=a, second=[b])["second"][0] + k
v = sum([a, b, a])
v, w = a * k, b + 1
v = [a + row for row in range(a.shape[0]) if row < 3][-1]
v = a.sin() if a.shape[0] > 2 else a.cos()
v = a * a.shape[-1]
v = a + int(a.sum() > 0)
v = a * (a.mean().item() + k)
v = a if a.sum() > 0 else -a
""".strip().split("\n")

#: Functions that torch 2.13 can't compile, or computes in another way than eager mode: what was seen, by their seed.
#: They follow from the lists above and below: whoever changes these finds other seeds.
KNOWN = {
    50: "AOTAutograd: subtraction with two bool tensors is not supported, in a program that subtracts none",
    307: "the backward pass refuses an in-place update that eager mode accepts",
    320: "AOTAutograd: IndexError: list index out of range",
    425: "zeros in place of no gradient, for an input that only an unused result before a graph break needs",
    459: "a gradient of amax that is NaN in bfloat16 (docs/production/wrong-numbers.md)",
    495: "a lost update of a float64 number (docs/production/wrong-updates.md)",
}
KNOWN_WITH_FALLBACK = KNOWN | {
    142: "an update of a diagonal that is lost (tests/api/compare/test_verdicts.py)",
    197: "dropout reads an input before the update of its first element",
}
RETURNS = ["v", "(v, w)", "[v, w]", '{"v": v, "more": (w, 3)}', "(v, v)", "v.sum()", "(v, w.shape)", "(w, [v, None])"]
SHAPES = [(4,), (7,), (3, 4), (8, 16), (2, 3, 4), (1, 5), (33, 17)]
DTYPES = [torch.float32] * 7 + [torch.float64, torch.bfloat16, torch.float16, torch.int64]


def inputs(seed: int) -> tuple[torch.Tensor, ...]:
    """The arguments of the function of a seed, made anew."""
    chosen, generator = random.Random(f"inputs {seed}"), torch.Generator().manual_seed(seed)
    shape = chosen.choice(SHAPES)
    made = []
    for _ in range(chosen.randint(1, 3)):
        dtype = chosen.choice(DTYPES)
        numbers = torch.randn(shape, generator=generator, dtype=torch.float64)
        tensor = (numbers * 3).to(dtype)
        made.append(tensor.requires_grad_(dtype.is_floating_point and chosen.random() < 0.5))
    return tuple(made)


def source(seed: int) -> str:
    """The function of a seed as Python text: statements that eager mode accepts, one tried after the other."""
    chosen = random.Random(seed)
    names = [f"x{i}" for i in range(len(inputs(seed)))]
    scope: dict[str, Any] = dict(zip(names, inputs(seed), strict=True))
    exec(PRELUDE, scope)
    lines = [f"def function_{seed}({', '.join(names)}):"]
    length = chosen.randint(3, 8)
    for _ in range(60):
        if len(lines) > length:
            break
        number = len(lines)
        words = {"a": chosen.choice(names[-3:]), "b": chosen.choice(names), "v": f"y{number}", "w": f"z{number}"}
        words |= {"d": str(chosen.choice([0, -1])), "k": str(chosen.randint(1, 3))}
        line = _with(chosen.choice(STATEMENTS), words)
        if _runs(line, scope):
            lines.append(f"    {line}")
            names += [name for name in (f"y{number}", f"z{number}") if name in scope]
    returned = _with(chosen.choice(RETURNS), {"v": names[-1], "w": chosen.choice(names)})
    if chosen.random() < 0.5:
        returned = f"[{', '.join(names)}]"
    return "\n".join([*lines, f"    return {returned}"]) + "\n"


def _with(text: str, words: dict[str, str]) -> str:
    """A statement with names in place of its letters: ``v = a.sum(d)`` becomes ``y3 = x0.sum(-1)``."""
    return re.sub(r"""(?<![.\w"])[a-z](?![\w"])""", lambda letter: words.get(letter[0], letter[0]), text)


def _runs(line: str, scope: dict[str, Any]) -> bool:
    """Whether eager mode accepts a statement, and what it makes stays small. Then the scope has what it makes."""
    trial = dict(scope)
    try:
        exec(line, trial)
    except (RuntimeError, TypeError, ValueError, IndexError, NotImplementedError):
        return False
    tensors = [trial[name] for name in trial if name[0] in "yz"]
    if any(not isinstance(value, torch.Tensor) or value.numel() > 4096 for value in tensors):
        return False
    scope.update(trial)
    return True


def functions(seeds: list[int]) -> Iterator[tuple[int, Any]]:
    """The functions of some seeds, from a file that is imported, so that they have lines."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "functions_of_seeds.py"
        file.write_text(PRELUDE + "\n\n".join(map(source, seeds)))
        spec = importlib.util.spec_from_file_location("functions_of_seeds", file)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        for seed in seeds:
            yield seed, getattr(module, f"function_{seed}")


def verdict(seed: int, function: Any, fallback: bool = False) -> dict[str, Any]:
    """What the comparison says of one function."""
    from compile_lessons.api import capture

    comparing = {"compare": True} if "compare" in inspect.signature(capture).parameters else {}
    torch._dynamo.reset()
    torch.manual_seed(seed)
    start = time.perf_counter()
    options = {"fallback_by_default": True} if fallback else None
    pipeline = capture(function, options=options, **comparing)(*inputs(seed))
    seconds = time.perf_counter() - start
    comparison = pipeline.comparison
    unequal = [(value.kind, value.path) for value in comparison.values if not value.equal]
    failures = [f"{failure.stage}: {failure.type}: {failure.message[:200]}" for failure in pipeline.failures]
    return {
        "seed": seed,
        "status": comparison.status,
        "reason": comparison.reason[:300],
        "unequal": unequal,
        "failures": failures,
        "values": len(comparison.values),
        "seconds": round(seconds, 2),
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--seed", type=int, default=0, help="the first seed")
    parser.add_argument("--out", type=Path, help="add one verdict a line, as JSON, to this file")
    parser.add_argument("--print", type=int, metavar="SEED", help="print the function of a seed and stop")
    parser.add_argument("--fallback", action="store_true", help="with Inductor's option fallback_by_default")
    options = parser.parse_args()
    known = KNOWN_WITH_FALLBACK if options.fallback else KNOWN
    if options.print is not None:
        print(source(options.print))
        return 0
    seeds = range(options.seed, options.seed + options.count)
    lines = options.out.read_text().splitlines() if options.out and options.out.exists() else []
    results = {result["seed"]: result for result in map(json.loads, lines) if result["seed"] in seeds}
    with open(options.out or "/dev/null", "a") as out:
        for seed, function in functions([seed for seed in seeds if seed not in results]):
            results[seed] = verdict(seed, function, options.fallback)
            out.write(json.dumps(results[seed]) + "\n")
            out.flush()
    for seed, result in sorted(results.items()):
        if _is_bad(result, known):
            print(result, "\n" + source(seed))
    print(dict(Counter(result["status"] for result in results.values())))
    return int(any(_is_bad(result, known) for result in results.values()))


def _is_bad(result: dict[str, Any], known: dict[int, str]) -> bool:
    """Whether the compiled function computes something else, or failed where eager mode does not raise."""
    if result["seed"] in known:
        return False
    eager_raises = result["reason"].startswith("the eager run raised")  # such as a backward after a mutation
    return result["status"] == "different" or (bool(result["failures"]) and not eager_raises)


if __name__ == "__main__":
    sys.exit(main())
