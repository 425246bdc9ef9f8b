# /// lesson
# varies.output = ['(?m)^(Python|torch|processor|threads|compiler) .*']
# varies.values = ["compiler"]
# ///
"""What this machine has."""

import platform

import torch

# private: which compiler Inductor starts
from torch._inductor.cpp_builder import get_cpp_compiler
from torch._inductor.exc import InvalidCxxCompiler  # private: its error

python = platform.python_version()
try:
    compiler = get_cpp_compiler()
except InvalidCxxCompiler:
    compiler = "none: pages whose lessons generate C++ say so"

print(f"Python     {python} on {platform.system()} {platform.machine()}")
print(f"torch      {torch.__version__}")
print(f"processor  {torch.backends.cpu.get_cpu_capability()} instructions")
print(f"threads    {torch.get_num_threads()}")
print(f"compiler   {compiler}")
