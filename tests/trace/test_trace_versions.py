"""Listings of one compile, as torch 2.13 writes them, and the facts that they have."""

from pathlib import Path

import pytest

from compile_lessons.facts import Frame, InductorGraph
from compile_lessons.facts.run import Compile, GraphBreak, ListingStage, TracedListing
from compile_lessons.facts.source import Location
from compile_lessons.trace.versions import pipeline_of

PROGRAM = """\
def forward(self, x):
    h = torch.relu(self.first(x))
    return h / self.steps
"""
DYNAMO = """\
class GraphModule(torch.nn.Module):
    def forward(self, L_w_: "f32[16, 8][8, 1]cpu", L_x_: "f32[5, 8][8, 1]cpu"):
        l_w_ = L_w_
        l_x_ = L_x_

        # File: {file}:2 in forward, code: h = torch.relu(self.first(x))
        linear: "f32[5, 16][16, 1]cpu" = torch._C._nn.linear(l_x_, l_w_);  l_x_ = l_w_ = None
        h: "f32[5, 16][16, 1]cpu" = torch.relu(linear);  linear = None

        # File: {file}:3 in forward, code: return h / self.steps
        h_1: "f32[5, 16][16, 1]cpu" = h / 1;  h = None
        return (h_1,)
"""
FORWARD = """\
class GraphModule(torch.nn.Module):
    def forward(
        self,
        primals_1: "f32[16, 8][8, 1]cpu",  # PlainAOTInput(idx=0)
        primals_2: "f32[5, 8][8, 1]cpu",  # PlainAOTInput(idx=1)
    ):
        # File: {file}:2 in forward, code: h = torch.relu(self.first(x))
        mm: "f32[5, 16][16, 1]cpu" = torch.ops.aten.mm.default(primals_2, primals_1)
        relu: "f32[5, 16][16, 1]cpu" = torch.ops.aten.relu.default(mm);  mm = None

        # File: {file}:3 in forward, code: return h / self.steps
        div: "f32[5, 16][16, 1]cpu" = torch.ops.aten.div.Tensor(relu, 1)
        return (
            div,  # PlainAOTOutput(idx=0)
        )
"""
CODE = """\
# AOT ID: ['0_forward']
import torch

    def call(self, args):
        # Topologically Sorted Source Nodes: [linear], Original ATen: [aten.mm]
        extern_kernels.mm(primals_2, primals_1, out=buf0)
        cpp_fused_div_relu_0(buf0, buf1)
"""
GUARDS = """\
TREE_GUARD_MANAGER:
+- RootGuardManager
| +- DEFAULT_DEVICE: utils_device.CURRENT_DEVICE == None        # _dynamo/output_graph.py:1122 in init_ambient_guards
| +- GuardManager: source=L['self'], accessed_by=FrameLocalsGuardAccessor(key='self'), type=<class 'Net'>
| | +- EQUALS_MATCH: L['self'].steps == 1                       # return h / self.steps  # {tail}:3 in forward
"""


def listings(file: Path) -> tuple[TracedListing, ...]:
    texts: dict[ListingStage, str] = {
        "dynamo": DYNAMO,
        "forward": FORWARD,
        "post_grad": FORWARD,
        "code": CODE,
        "guards": GUARDS,
    }
    tail = "/".join(file.parts[-2:])
    return tuple(
        TracedListing(stage, text.replace("{file}", str(file)).replace("{tail}", tail)) for stage, text in texts.items()
    )


def version(file: Path, texts: tuple[TracedListing, ...]) -> Compile:
    code = Location(file=str(file), line=1, function="forward")
    return Compile(
        id="0/1", frame=0, number=1, code=code, name="Net.forward", outcome="compiled", start=0.0, seconds=2.0,
        listings=texts,
    )  # fmt: skip


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "net.py"
    path.write_text(PROGRAM)
    return path


def frame_of(file: Path) -> Frame:
    pipeline = pipeline_of(version(file, listings(file)), (), "2.13.0")
    assert pipeline is not None and pipeline.torch_version == "2.13.0"
    (frame,) = pipeline.frames
    return frame


def test_nodes_of_graphs_have_their_lines(file: Path) -> None:
    frame = frame_of(file)
    assert frame.graph and frame.graph.forward and frame.graph.backward is None and frame.graph.joint is None

    def lines(name: str) -> dict[str, int | None]:
        graph = getattr(frame.graph, name)
        return {node.name: node.location and node.location.line for node in graph.nodes}

    inputs = {"L_w_": None, "L_x_": None, "l_w_": None, "l_x_": None}
    assert lines("dynamo") == {**inputs, "linear": 2, "h": 2, "h_1": 3}
    assert lines("forward") == {"primals_1": None, "primals_2": None, "mm": 2, "relu": 2, "div": 3}
    assert [node.op for node in frame.graph.forward.nodes[:3]] == ["placeholder", "placeholder", "call_function"]
    assert frame.graph.forward.node("mm").target == "torch.ops.aten.mm.default"


def test_code_and_guards_have_their_lines(file: Path) -> None:
    frame = frame_of(file)
    assert frame.graph
    (lowered,) = frame.graph.inductor
    assert lowered.direction == "forward" and [node.name for node in lowered.post_grad.nodes][2:] == [
        "mm",
        "relu",
        "div",
    ]
    assert [(line.line, line.location and line.location.line) for line in lowered.code_lines] == [(6, 2)]
    assert lowered.output_code.splitlines()[5].strip().startswith("extern_kernels.mm(")
    device, steps = frame.guards
    assert (device.kind, device.location) == ("DEFAULT_DEVICE", None)
    assert steps.words == "EQUALS_MATCH L['self'].steps == 1"
    assert steps.location and (steps.location.file, steps.location.line) == (str(file), 3)


def test_a_trace_from_another_machine_has_the_text_of_its_lines() -> None:
    file = Path("/elsewhere/net.py")
    pipeline = pipeline_of(version(file, listings(file)), (), "2.13.0")
    assert pipeline is not None
    assert [(line.line, line.text) for line in pipeline.lines.lines] == [
        (2, "h = torch.relu(self.first(x))"),
        (3, "return h / self.steps"),
    ]
    assert pipeline.lines.lines[0].dynamo == ("linear", "h")


def test_code_from_the_cache_has_no_graph_before_it(file: Path) -> None:
    texts = tuple(listing for listing in listings(file) if listing.stage != "post_grad")
    pipeline = pipeline_of(version(file, texts), (), "")
    assert pipeline is not None
    (lowered,) = (part for graph in pipeline.graphs for part in graph.inductor)
    assert isinstance(lowered, InductorGraph) and lowered.post_grad.nodes == ()


def test_breaks_are_there_and_a_compile_without_a_graph_is_none(file: Path) -> None:
    place = Location(file=str(file), line=2, function="forward", text="h = torch.relu(self.first(x))")
    found = GraphBreak(compile="0/1", gb_id="GB0059", gb_type="print", explanation="why", stack=(place,))
    pipeline = pipeline_of(version(file, listings(file)), (found,), "")
    assert pipeline is not None and [(item.gb_id, item.stack) for item in pipeline.breaks] == [("GB0059", (place,))]
    assert pipeline_of(version(file, ()), (), "") is None
