"""A training loop to try ``diagnose --profile-steps`` on a GPU: small kernels, an optimizer in eager mode, waits.

    compile-lessons diagnose --profile-steps 3 --compare eager --html gpu.html benchmarks/diagnose_gpu.py

The report has to say that the GPU was idle for a share of the calls, which ``--batch 4096`` makes smaller, and to list
kernels whose names begin with ``triton_`` as compiled. ``--own-profiler`` has the program use the profiler itself, and
the report has to say that there is no profile.
"""

from __future__ import annotations

import argparse
import contextlib

import torch


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--batch", type=int, default=32)
    parser.add_argument("--steps", type=int, default=60)
    parser.add_argument("--mode", default="default")
    parser.add_argument("--own-profiler", action="store_true")
    args = parser.parse_args()
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    layer = torch.nn.TransformerEncoderLayer(256, 4, 1024, dropout=0.0, batch_first=True)
    model = torch.nn.TransformerEncoder(layer, 4).to(device)
    forward = torch.compile(model, mode=args.mode)
    optimizer = torch.optim.AdamW(model.parameters())
    x = torch.randn(args.batch, 64, 256, device=device)
    with torch.profiler.profile() if args.own_profiler else contextlib.nullcontext() as own:
        for _ in range(args.steps):
            loss = forward(x).square().mean()
            loss.backward()
            optimizer.step()
            optimizer.zero_grad()
            loss.item()
    if args.own_profiler:
        print("the program's own profile has", len(own.key_averages()), "rows")


if __name__ == "__main__":
    main()
