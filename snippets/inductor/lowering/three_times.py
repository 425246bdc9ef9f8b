# /// lesson
# needs = ["compiler"]
# varies.output = ['\d+\.\d+']
# varies.values = ["as_is", "option", "returned", "start"]
# ///
"""The same head, timed: as it is, and with GELU kept in a buffer."""

from time import perf_counter

import torch
import torch.nn.functional as F

from compile_lessons import Table, capture, show


def head(x, bias, weight, shift):
    y = F.gelu(x + bias)
    return F.layer_norm(y, (512,), weight, shift)


def head_and_gelu(x, bias, weight, shift):
    y = F.gelu(x + bias)
    return F.layer_norm(y, (512,), weight, shift), y


torch.set_num_threads(1)  # so that other programs on this machine disturb less
inputs = torch.randn(256, 512), torch.randn(512), torch.ones(512), torch.zeros(512)
functions = {
    "eager": head,
    "compiled": torch.compile(head),
    "compiled, GELU returned as well": torch.compile(head_and_gelu),
    "compiled, realize_opcount_threshold=5": torch.compile(head, options={"realize_opcount_threshold": 5}),
}
times = {name: [] for name in functions}
for _ in range(300):
    for name, function in functions.items():  # in turn, so that a disturbance hits all of them
        start = perf_counter()
        function(*inputs)
        times[name].append(perf_counter() - start)
fastest = {name: min(values) for name, values in times.items()}
_, as_is, returned, option = ratios = [seconds / fastest["eager"] for seconds in fastest.values()]
show(Table(["head", "time / eager"], [[n, f"{r:.2f}"] for n, r in zip(times, ratios, strict=True)]))
# region checks
assert as_is > 1.1 * option  # 2.3 times on a quiet machine
for options, erfs in [(None, 3), ({"realize_opcount_threshold": 5}, 1)]:
    pipeline = capture(head, options=options, machine_code=False)(*inputs)
    assert sum(kernel.source.count(".erf()") for kernel in pipeline.kernels) == erfs
training = capture(head, machine_code=False)(*(tensor.clone().requires_grad_() for tensor in inputs))
assert [kernel.source.count(".erf()") for kernel in training.kernels] == [3, 3]
torch.testing.assert_close(functions["compiled"](*inputs), head(*inputs))
# endregion
