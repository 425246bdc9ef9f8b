# /// lesson
# needs = ["compiler"]
# ///
"""A custom graph pass: replace a pattern with a custom operator."""

import torch

# private: torch has no public way to add a pass
from torch._inductor.custom_graph_pass import CustomGraphPass, get_hash_for_files
from torch._inductor.pattern_matcher import (  # private
    PatternMatcherPass,
    fwd_only,
    register_replacement,
)

from compile_lessons import capture


@torch.library.custom_op("lesson::rms_norm", mutates_args=())
def rms_norm(x: torch.Tensor, weight: torch.Tensor) -> torch.Tensor:
    return torch.nn.functional.rms_norm(x, weight.shape, weight, 1e-6)  # your kernel


rms_norm.register_fake(lambda x, weight: torch.empty_like(x))


# region pass
def written_out(x, weight):
    return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-6) * weight


class UseRmsNorm(CustomGraphPass):
    def __init__(self):
        self.patterns = PatternMatcherPass()
        examples = [torch.ones(4, 8), torch.ones(8)]
        register_replacement(written_out, rms_norm, examples, fwd_only, self.patterns)

    def __call__(self, graph):
        self.found = self.patterns.apply(graph)

    def uuid(self):
        return get_hash_for_files((__file__,))


# endregion
def block(x, weight, projection):
    return x + written_out(x, weight) @ projection


inputs = (torch.randn(16, 64), torch.ones(64), torch.eye(64))
use_rms_norm = UseRmsNorm()
for options in ({}, {"post_grad_custom_pre_pass": use_rms_norm}):
    pipeline = capture(block, options=options, machine_code=False)(*inputs)
    print([node.name for node in pipeline.graphs[0].inductor[0].post_grad.calls])
# region checks
compiled = torch.compile(block, options=options)
torch.testing.assert_close(compiled(*inputs), block(*inputs))
assert use_rms_norm.found == 1
assert "bypass" not in {lookup.state for lookup in pipeline.caches}
# endregion
