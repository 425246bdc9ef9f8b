"""What is folded is boilerplate, and holds no line that lights up."""

from compile_lessons.explorer.folds import folds
from compile_lessons.explorer.links import links
from compile_lessons.explorer.panes import panes
from compile_lessons.facts import Pipeline


def folded(pipeline: Pipeline) -> dict[str, list[tuple[str, list[str]]]]:
    """The folds of each pane: title and lines."""
    known = {link for pair in links(pipeline) for link in pair}
    found: dict[str, list[tuple[str, list[str]]]] = {}
    for pane in panes(pipeline):
        for part in pane.parts:
            texts = [line.text for line in part.lines]
            linked = [bool(known & set(line.links)) for line in part.lines]
            for fold in folds(pane.name, texts, linked):
                assert not any(linked[fold.begin : fold.end])
                found.setdefault(pane.name, []).append((fold.title, texts[fold.begin : fold.end]))
    return found


def test_imports_runner_checks_and_benchmark_of_the_output_code(on_gpu: Pipeline) -> None:
    found = folded(on_gpu)["code"]
    of_one = ["imports and names", "names, and the runner of partitions", "a benchmark of this code"]
    assert [title.partition(": ")[2] for title, _ in found] == of_one * 2  # forward and backward
    hidden = [line for _, lines in found for line in lines]
    assert any(line == "def get_args():" for line in hidden)
    assert not any(".run(" in line or "extern_kernels.mm(" in line or "def call(" in line for line in hidden)


def test_checks_of_the_output_code() -> None:
    checks = [f"    assert_size_stride(arg{number}_1, (8, ), (1, ), 'input')" for number in range(3)]
    lines = [
        "import torch",
        "def call(args):",
        "    args.clear()",
        *checks,
        "    buf0 = empty_strided_cpu((8, ), (1, ))",
    ]
    assert folds("code", lines, [False] * len(lines)) == [(3, 6, "3 lines: checks of sizes and strides")]


def test_a_kernel_is_folded_down_to_its_def(on_gpu: Pipeline) -> None:
    (first, _), kernels = folded(on_gpu)["kernels"], panes(on_gpu)
    assert first[1][0] == "import triton" and first[1][-1] == "@triton.jit"
    (triton,) = [pane for pane in kernels if pane.name == "kernels"]
    after = [line.text for line in triton.parts[0].lines][len(first[1]) :]
    assert after[0].startswith("def triton_")
    assert {"guards", "ttir", "llir", "ptx", "sass"} <= folded(on_gpu).keys()


def test_fewer_than_three_lines_and_a_pane_without_boilerplate_stay() -> None:
    assert folds("ttir", ["#loc1", "#loc2"], [False] * 2) == []
    assert folds("dynamo", ["import torch"] * 5, [False] * 5) == []
    (fold,) = folds("ttir", ["x", "#loc1", "#loc2", "#loc3"], [True, False, False, False])
    assert fold == (1, 4, "3 lines: locations")
