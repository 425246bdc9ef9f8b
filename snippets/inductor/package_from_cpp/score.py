# /// lesson
# needs = ["compiler"]
# data = ["CMakeLists.txt", "score.cpp", "weights.cpp"]
# timeout = 400
# ///
"""Export a model, build a C++ program with CMake, and call the package from it."""

import os
import subprocess
import tempfile
import warnings

import torch
from _project import build, cmake
from ranker import Ranker
from torch._inductor import config

warnings.simplefilter("ignore")
config.aot_inductor.precompile_headers = False  # worth it for several packages only
config.aot_inductor.compile_wrapper_opt_level = "O0"  # compiles in less time
torch.manual_seed(0)
folder = tempfile.mkdtemp()
path = f"{folder}/ranker.pt2"
# region package
# the function is documented, although torch._inductor looks private
from torch._inductor import aoti_compile_and_package

model = Ranker().eval()
query = torch.ones(3, 16)
document = torch.full((3, 16), 2.0)
inputs = {"document": document, "query": query, "temperature": 0.5}
batch = torch.export.Dim("batch", max=1024)
sizes = {"document": {0: batch}, "query": {0: batch}, "temperature": None}
exported = torch.export.export(model, (), inputs, dynamic_shapes=sizes)
metadata = {"torch": torch.__version__.split("+")[0]}
configs = {"aot_inductor.metadata": metadata}
aoti_compile_and_package(exported, package_path=path, inductor_configs=configs)

print("inputs:", exported.graph_signature.user_inputs)
print(f"eager mode: {model(**inputs)[0]:.4f}")
# endregion
program = build("score", folder)
result = subprocess.run([program, path], capture_output=True, text=True, check=True)
print(result.stdout, end="")
# region install
cmake("--install", folder, "--prefix", f"{folder}/installed")
command = [f"{folder}/installed/bin/score", path]
environment = {**os.environ, "LD_LIBRARY_PATH": ""}
installed = subprocess.run(
    command, check=False, capture_output=True, text=True, env=environment
)
print("installed:", installed.stderr.partition("error ")[2], end="")
# endregion
# region checks
lines = result.stdout.splitlines()
scores = [float(line.split()[-1]) for line in lines[:2]]
assert abs(scores[0] - model(**inputs)[0].item()) < 1e-3
assert abs(scores[1] - scores[0]) > 0.05
assert installed.returncode != 0
# endregion
