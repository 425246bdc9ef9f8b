"""How to compile and call the functions in each framework.

``FRAMEWORKS["JAX"]()`` imports JAX: only the process that times it needs it.
"""

from collections.abc import Callable
from types import ModuleType
from typing import NamedTuple


class Framework(NamedTuple):
    """How one framework compiles a function and calls it."""

    functions: ModuleType  # softmax, mlp and so on, written for it
    to_array: Callable  # makes its array from NumPy's
    compile: Callable  # takes a function and the arguments of its first call
    wait: Callable = lambda result: result  # until a result is computed
    trains: bool = True  # whether it compiles a training step


def in_pytorch(compile, **options):
    import five
    import torch

    return Framework(five, torch.from_numpy, compile, **options)


def eager():
    def compile(function, example):
        return function

    return in_pytorch(compile)


def torch_compile():
    import torch

    def compile(function, example):
        return torch.compile(function)

    return in_pytorch(compile)


def torch_compile_openvino():
    import openvino.torch  # noqa: F401  # registers the backend
    import torch

    def compile(function, example):
        options = {"config": {"INFERENCE_PRECISION_HINT": "f32"}}  # not bfloat16
        return torch.compile(function, backend="openvino", options=options)

    return in_pytorch(compile)


def torchscript():
    import torch

    def compile(function, example):
        return torch.jit.script(function)

    return in_pytorch(compile, trains=False)


def aot_inductor():
    import torch
    from _onnx import Call

    def compile(function, example):
        program = torch.export.export(Call(function), example)
        # private: torch documents these two under no public name
        package = torch._inductor.aoti_compile_and_package(program)
        return torch._inductor.aoti_load_package(package)  # private, too

    return in_pytorch(compile, trains=False)


def onnx_runtime():
    import _onnx

    def compile(function, example):
        loaded = _onnx.session(_onnx.model(function, example))
        return lambda *tensors: _onnx.run(loaded, [x.numpy() for x in tensors])

    return in_pytorch(compile, trains=False)


def jax():
    import jax
    import jax_functions

    def compile(function, example):
        return jax.jit(function)

    return Framework(jax_functions, jax.numpy.asarray, compile, jax.block_until_ready)


def mlx():
    import mlx.core as mx
    import mlx_functions

    def compile(function, example):
        return mx.compile(function)

    return Framework(mlx_functions, mx.array, compile, mx.eval)


def tensorflow():
    import tensorflow_functions
    from _outcome import as_arrays
    from _tensorflow import tf

    def compile(function, example):
        return tf.function(function, jit_compile=True)

    return Framework(tensorflow_functions, tf.constant, compile, as_arrays)


#: By what the table of times calls it, the function that imports it.
FRAMEWORKS = {
    "PyTorch, eager": eager,
    "torch.compile": torch_compile,
    "TorchScript": torchscript,
    "torch.export, AOTInductor": aot_inductor,
    "torch.onnx, ONNX Runtime": onnx_runtime,
    "torch.compile, OpenVINO": torch_compile_openvino,
    "JAX": jax,
    "TensorFlow": tensorflow,
    "MLX": mlx,
}
