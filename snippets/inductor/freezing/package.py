# /// lesson
# needs = ["compiler"]
# ///
"""A package with frozen weights: new weights can't be loaded."""

import tempfile
import warnings

import torch
from torch import nn
from torch._inductor import (  # documented, although the name looks private
    aoti_compile_and_package,
    aoti_load_package,
    config,
)

warnings.simplefilter("ignore")
config.aot_inductor.precompile_headers = False  # worth it for several packages only
config.aot_inductor.compile_wrapper_opt_level = "O0"  # compiles in less time
# region package
model = nn.Sequential(nn.Linear(16, 16), nn.LayerNorm(16)).eval()
exported = torch.export.export(model, (torch.randn(4, 16),))
path = f"{tempfile.mkdtemp()}/frozen.pt2"
with torch.no_grad():
    configs = {"freezing": True}
    aoti_compile_and_package(exported, package_path=path, inductor_configs=configs)
package = aoti_load_package(path)
print(sorted(package.get_constant_fqns()))
try:
    package.load_constants(model.state_dict(), check_full_update=True)
except RuntimeError as error:
    print(error)
# endregion
# region checks
assert "0.weight" not in package.get_constant_fqns()
# endregion
