"""A function of PyTorch as an ONNX model, and ONNX Runtime's session for it."""

import contextlib
import functools
import io
import logging
import os
import warnings

import five
import torch
from _outcome import CALLS

warnings.simplefilter("ignore")
# that torchvision, which these functions don't use, is not installed
logging.disable(logging.WARNING)


class Call(torch.nn.Module):
    def __init__(self, function):
        super().__init__()
        self.forward = function


def model(function, example, **options):
    """Return the ``ModelProto`` of a function; what the exporter prints on the way is
    left out.
    """
    with (
        contextlib.redirect_stdout(io.StringIO()),
        contextlib.redirect_stderr(io.StringIO()),
    ):
        return torch.onnx.export(
            Call(function), example, dynamo=True, verbose=False, **options
        ).model_proto


def session(proto, optimized=None):
    """Load a model; write what ONNX Runtime makes of it to the file ``optimized``."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.log_severity_level = 3  # errors
    # it counts cores that this process may not use
    options.intra_op_num_threads = len(os.sched_getaffinity(0))
    if optimized:
        options.optimized_model_filepath = str(optimized)
    return onnxruntime.InferenceSession(
        proto.SerializeToString(), options, providers=["CPUExecutionProvider"]
    )


def run(loaded, arrays):
    """Call a session with NumPy arrays in the order of the function's parameters."""
    names = [parameter.name for parameter in loaded.get_inputs()]
    return loaded.run(None, dict(zip(names, arrays, strict=True)))


def exported(name, function=None, **options):
    """Return what exports one of the five functions in its first call, and then runs
    ONNX Runtime.
    """
    exports = function or getattr(five, name)
    example = tuple(map(torch.from_numpy, CALLS[name][0]))

    @functools.cache
    def loaded():
        return session(model(exports, example, **options))

    def call(*arrays):
        return run(loaded(), arrays)

    return call
