# /// lesson
# env = {TORCH_LOGS = "guards", TORCH_LOGS_FORMAT = "%(message)s"}
# varies.output = ['id\(.*', '\d{12,}', 'Guard eval latency.*', '.*DispatchKeySet.*']
# ///
"""The guards of one function, as torch's own log prints them."""

import torch

gain = 3


def amplify(x, factor, clip):
    y = x * factor * gain
    if clip:
        y = y.clamp(max=1)
    return y


torch.compile(amplify, backend="eager")(torch.ones(4), 2, True)
