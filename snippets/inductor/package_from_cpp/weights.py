# /// lesson
# needs = ["compiler"]
# data = ["CMakeLists.txt", "score.cpp", "weights.cpp"]
# timeout = 400
# ///
"""Load new weights into a package that a C++ program is calling."""

import subprocess
import tempfile
import warnings

import torch
from _project import build
from ranker import Ranker
from torch._inductor import aoti_compile_and_package, config  # documented, not private

warnings.simplefilter("ignore")
config.aot_inductor.precompile_headers = False  # worth it for several packages only
config.aot_inductor.compile_wrapper_opt_level = "O0"  # compiles in less time
torch.manual_seed(0)
folder = tempfile.mkdtemp()
model = Ranker().eval()
inputs = (torch.ones(1, 16), torch.ones(1, 16), 0.5)
exported = torch.export.export(model, inputs)
path = aoti_compile_and_package(exported, package_path=f"{folder}/ranker.pt2")
print(f"eager mode: {model(*inputs).item():.4f}")
# region save
for parameter in model.parameters():
    torch.nn.init.normal_(parameter)
state = {name: tensor.clone() for name, tensor in model.state_dict().items()}
torch.save(state, f"{folder}/weights.pt")
print(f"eager mode, new weights: {model(*inputs).item():.4f}")
# endregion
command = [build("weights", folder), path, f"{folder}/weights.pt"]
result = subprocess.run(command, capture_output=True, text=True, check=True)
print(result.stdout, end="")
# region checks
before, loaded, swapped, others = result.stdout.splitlines()
assert before.split()[-1] == loaded.split()[-1]
assert abs(float(swapped.split()[-1]) - model(*inputs).item()) < 1e-2
assert others.endswith(": 0")
# endregion
