"""One framework in a process of its own: ``python _timed.py JAX`` compiles, then times
calls as it is asked to.

It first writes, as JSON, the seconds of the first call of each function that it can
compile. Then it reads lines, each the name of a function, and answers with the seconds
that a call takes, the mean of a block of calls. The process stays on one core. Seconds
are CPU seconds, with those of compilers that it starts: other work on the machine
counts little.
"""

import json
import os
import resource
import sys
import time

# before a framework counts the cores
os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
import numpy

BLOCK = 0.2  # seconds
FUNCTIONS = ("softmax", "mlp", "step")
random = numpy.random.default_rng(0)
x, y, w = (
    random.standard_normal(shape, "float32")
    for shape in ((512, 1024), (512, 1024), (1024, 1024))
)
ARGUMENTS = {
    "softmax": (x,),
    "mlp": (x, w, w[0], w, w[0]),
    "step": (w, x, y),
    "center": (x,),
}


def eager(function, arguments):
    return function


def torch_compile(function, arguments):
    return torch.compile(function)


def openvino(function, arguments):
    return torch.compile(function, backend="openvino")


def torchscript(function, arguments):
    return torch.jit.script(function)


def aot_inductor(function, arguments):
    program = torch.export.export(Call(function), arguments)
    # documented under this private name
    return torch._inductor.aoti_load_package(
        # private, too
        torch._inductor.aoti_compile_and_package(program)
    )


def onnx_runtime(function, arguments):
    loaded = _onnx.session(_onnx.model(function, arguments))
    names = [given.name for given in loaded.get_inputs()]
    return lambda *tensors: loaded.run(
        None, {n: t.numpy() for n, t in zip(names, tensors, strict=True)}
    )


IN_TORCH = {
    "PyTorch, eager": eager,
    "torch.compile": torch_compile,
    "torch.compile, OpenVINO": openvino,
    "TorchScript": torchscript,
    "torch.export, AOTInductor": aot_inductor,
    "torch.onnx, ONNX Runtime": onnx_runtime,
}
FORWARD_ONLY = ("TorchScript", "torch.export, AOTInductor", "torch.onnx, ONNX Runtime")

name = sys.argv[1]
if name in IN_TORCH:
    import five as functions
    import torch
    from _onnx import Call

    if name == "torch.onnx, ONNX Runtime":
        import _onnx
    if name == "torch.compile, OpenVINO":
        import openvino.torch
    make, to_framework, finish = IN_TORCH[name], torch.from_numpy, lambda result: result
elif name == "JAX":
    import jax
    import jax_functions as functions

    make, to_framework, finish = (
        lambda f, arguments: jax.jit(f),
        jax.numpy.asarray,
        jax.block_until_ready,
    )
elif name == "MLX":
    import mlx.core
    import mlx_functions as functions

    make, to_framework, finish = (
        lambda f, arguments: mlx.core.compile(f),
        mlx.core.array,
        mlx.core.eval,
    )
elif name == "TensorFlow":
    import tensorflow_functions as functions
    from _tensorflow import tf

    make, to_framework = (
        lambda f, arguments: tf.function(f, jit_compile=True),
        tf.constant,
    )

    def finish(result):
        return [
            part.numpy() for part in (result if isinstance(result, tuple) else [result])
        ]


def cpu_seconds():
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


def first_call(function):
    """Compile one function and call it; return its call and the seconds of both."""
    arguments = tuple(map(to_framework, ARGUMENTS[function]))
    began = cpu_seconds()
    compiled = make(getattr(functions, function), arguments)
    finish(compiled(*arguments))
    return lambda: finish(compiled(*arguments)), cpu_seconds() - began


def block(call):
    """Return the seconds of a call in a block of them."""
    began, calls = cpu_seconds(), 0
    while (seconds := cpu_seconds() - began) < BLOCK:
        call()
        calls += 1
    return seconds / calls


first_call("center")  # what a framework does once in a process belongs to no function
compiled = {
    f: first_call(f) for f in FUNCTIONS if f != "step" or name not in FORWARD_ONLY
}
print(
    json.dumps({function: seconds for function, (_, seconds) in compiled.items()}),
    flush=True,
)
for line in sys.stdin:
    print(block(compiled[line.strip()][0]), flush=True)
