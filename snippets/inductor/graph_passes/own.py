# /// lesson
# needs = ["compiler"]
# ///
"""A custom graph pass: replace a pattern with a custom operator."""

import torch
from torch._inductor.custom_graph_pass import CustomGraphPass, get_hash_for_files
from torch._inductor.pattern_matcher import PatternMatcherPass, fwd_only, register_replacement

from compile_lessons import capture


@torch.library.custom_op("lesson::rms_norm", mutates_args=())
def rms_norm(x: torch.Tensor, weight: torch.Tensor) -> torch.Tensor:
    return torch.nn.functional.rms_norm(x, weight.shape, weight, 1e-6)  # your kernel


rms_norm.register_fake(lambda x, weight: torch.empty_like(x))


def search(x, weight):
    return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-6) * weight


class UseRmsNorm(CustomGraphPass):
    def __init__(self):
        self.patterns, examples = PatternMatcherPass(), [torch.ones(4, 8), torch.ones(8)]
        register_replacement(search, rms_norm, examples, fwd_only, self.patterns)

    def __call__(self, graph):
        self.found = self.patterns.apply(graph)

    uuid = staticmethod(lambda: get_hash_for_files((__file__,)))


def block(x, weight, projection):
    return x + (x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-6) * weight) @ projection


arguments, use_rms_norm = [torch.randn(16, 64), torch.ones(64), torch.eye(64)], UseRmsNorm()
for options in ({}, {"post_grad_custom_pre_pass": use_rms_norm}):
    captured = capture(block, options=options, machine_code=False)(*arguments)
    print([node.name for node in captured.graphs[0].inductor[0].post_grad.calls])
# region checks
compiled = torch.compile(block, options={"post_grad_custom_pre_pass": use_rms_norm})
torch.testing.assert_close(compiled(*arguments), block(*arguments))
assert use_rms_norm.found == 1 and "bypass" not in {lookup.state for lookup in captured.caches}
# endregion
