"""How a function uses a value that changes is read from the program's text."""

import textwrap
from pathlib import Path

import pytest

from compile_lessons.facts.source import Location
from compile_lessons.findings.guards import read_guard
from compile_lessons.findings.uses import by_use, uses_of

EXPRESSIONS = {
    "x * n": "arithmetic",
    "x * min(1.0, n / 10)": "arithmetic",
    "x.clamp(max=n)": "arithmetic",
    "torch.where(x > n, x, 0)": "arithmetic",
    "F.dropout(x * n, 0.1)": "arithmetic",  # the product is a tensor
    "x[x > n]": "arithmetic",
    "x.clamp(max=x.mean() * n)": "arithmetic",
    "x[: n * self.stride]": "size",
    "torch.zeros(n + 1)": "size",
    "x.topk(k=n)": "size",
    "table[n % 4]": "index",
    "x * 2 if n > self.limit else x": "branch",
    "x * n if n else x": "branch arithmetic",
    "sum(x for _ in range(n))": "loop",
    "x.chunk(n)": "number",
    "torch.add(x, x, alpha=n)": "number",
    "F.cross_entropy(x, y, label_smoothing=n * self.share)": "number",
    "F.max_pool1d(x, n)": "number",
    "x * math.sqrt(n)": "python",
    "x * int(n)": "python",
    "helper(x, n)": "",
    "names.get(f'layer {n}')": "",
}


def uses(code: str, source: str, folder: Path) -> list[str]:
    path = folder / "model.py"
    path.write_text(textwrap.dedent(code))
    return uses_of(source, Location(file=str(path), line=2))


@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_use_in_an_expression(expression: str, tmp_path: Path) -> None:
    found = uses(f"def f(x, n):\n    return {expression}\n", "n", tmp_path)
    assert " ".join(found) == EXPRESSIONS[expression]


FUNCTIONS = {
    "a counter": ("def forward(self, x):\n    self.n += 1\n    return x * self.n\n", "self.n", "counter"),
    "a counter in a condition": (
        "def forward(self, x):\n    self.n += 1\n    if self.n > 3:\n        x = x * 2\n    return x\n",
        "self.n",
        "branch counter",
    ),
    "under another name": (
        "def forward(self, x):\n    n = self.n\n    half = n // 2\n    return x[:half]\n",
        "self.n",
        "size",
    ),
    "a tensor that is computed from it": (
        "def forward(self, x):\n    y = x * self.n\n    return y[:3] if y.shape[0] > 3 else y.chunk(2)\n",
        "self.n",
        "arithmetic",
    ),
    "an item of a dict": ("def f(x, config):\n    return x[: config['n']]\n", "config['n']", "size"),
    "a place to write to": ("def f(cache, x, n):\n    cache[:, n] = x\n    return cache\n", "n", "number"),
    "over several lines": ("def f(x, n):\n    return x.chunk(\n        n,\n    )\n", "n", "number"),
    "while": ("def f(x, n):\n    while n > 0:\n        n -= 1\n    return x\n", "n", "branch"),
    "an inner function": ("def f(x, n):\n    return (lambda y: y * n)(x)\n\ndef g(n): range(n)\n", "n", "arithmetic"),
    "another function": ("def f(x, k):\n    return x * k\n\ndef g(n): range(n)\n", "n", ""),
    "no function": ("n = 3\nrange(n)\n", "n", ""),
    "no Python": ("def f(:\n", "n", ""),
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_use_in_a_function(name: str, tmp_path: Path) -> None:
    code, source, expected = FUNCTIONS[name]
    assert " ".join(uses(code, source, tmp_path)) == expected


def test_a_file_that_is_gone_tells_no_use(tmp_path: Path) -> None:
    assert uses_of("n", Location(file=str(tmp_path / "gone.py"), line=2)) == []


def test_a_number_that_a_layer_of_torch_reads() -> None:
    guard = by_use(read_guard("0/0: self.dropout.p == 0.1"), None)
    assert guard.remedy.startswith("each value of self.dropout.p needs a version here")
    assert "make it a tensor" in by_use(read_guard("0/0: self.rate == 0.1"), None).remedy


def test_each_of_two_remedies_names_its_use(tmp_path: Path) -> None:
    path = tmp_path / "model.py"
    path.write_text("def f(x, n):\n    return x * n if n > 3 else x\n")
    remedy = by_use(read_guard("0/0: n == 3"), Location(file=str(path), line=2)).remedy
    assert remedy.startswith("branch: evaluate") and "; arithmetic: make n a tensor" in remedy
