# /// lesson
# needs = ["compiler"]
# ///
"""Record all the work for a token as one CUDA graph."""

import torch

device = "cuda" if torch.cuda.is_available() else "cpu"
layer = torch.nn.TransformerEncoderLayer(512, 8, device=device)
model = torch.nn.TransformerEncoder(layer, 8, enable_nested_tensor=False).eval()
decode = torch.compile(model, mode="reduce-overhead")  # one graph for all layers
with torch.inference_mode():
    for _ in range(3):
        print(decode(torch.randn(1, 1, 512, device=device)).shape)

# region checks
with torch.inference_mode():
    token = torch.randn(1, 1, 512, device=device)
    torch.testing.assert_close(decode(token), model(token), rtol=1e-3, atol=1e-3)
# endregion
