"""Which lines of which files the pane of the reader's source has."""

from compile_lessons.explorer.sources import user_lines
from compile_lessons.facts.run import Compile, TracedListing
from compile_lessons.facts.source import Location
from compile_lessons.trace.versions import pipeline_of

GRAPH = """\
class GraphModule(torch.nn.Module):
    def forward(self, L_x_: "f32[4]"):
        # File: /venv/lib/conv.py:3 in propagate, code: x = x + 1
        x: "f32[4]" = L_x_ + 1

        # File: /work/train.py:9 in forward, code: return self.conv(x).relu()
        relu: "f32[4]" = x.relu()
        return (relu,)
"""


def test_the_file_of_the_compiled_function_is_shown_first() -> None:
    code = Location(file="/work/train.py", line=8, function="forward")
    version = Compile(
        id="0/0", frame=0, number=0, code=code, name="Net.forward", outcome="compiled", start=0.0, seconds=1.0,
        listings=(TracedListing("dynamo", GRAPH),),
    )  # fmt: skip
    pipeline = pipeline_of(version, (), "2.13.0")
    assert pipeline is not None
    assert list(user_lines(pipeline)) == ["/work/train.py", "/venv/lib/conv.py"]
