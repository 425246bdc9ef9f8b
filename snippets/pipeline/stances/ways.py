"""Three ways to set a stance, and how long each holds."""

import torch
from torch._dynamo.testing import CompileCounter

counter = CompileCounter()  # a backend that runs the graph as it is, and counts
scaled = torch.compile(lambda x: x.sin() * 2, backend=counter)


@torch.compiler.set_stance("force_eager")
def decorated():
    scaled(torch.ones(4))
    return counter.frame_count


with torch.compiler.set_stance("force_eager"):
    scaled(torch.ones(4))
print("graphs after a call in the with block:      ", in_block := counter.frame_count)
print("graphs after a call in a decorated function:", in_decorated := decorated())
torch.compiler.set_stance("force_eager")
scaled(torch.ones(4))
print("graphs after a plain set_stance and a call: ", plain := counter.frame_count)
torch.compiler.set_stance("default")
scaled(torch.ones(4))
print("graphs after 'default' and a call:          ", default := counter.frame_count)
assert (in_block, in_decorated, plain, default) == (0, 0, 0, 1)
