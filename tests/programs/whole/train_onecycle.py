"""Fine-tune a small classifier with a one-cycle schedule."""

import argparse
import logging
import time

import torch
from torch.utils.data import DataLoader, TensorDataset

log = logging.getLogger("train")


def build(width, classes):
    return torch.nn.Sequential(
        torch.nn.Linear(32, width), torch.nn.GELU(), torch.nn.LayerNorm(width), torch.nn.Linear(width, classes)
    )


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", type=int, default=60)
    parser.add_argument("--width", type=int, default=64)
    parser.add_argument("--batch-size", type=int, default=32)
    parser.add_argument("--compile", action="store_true")
    args = parser.parse_args()
    logging.basicConfig(level=logging.INFO)
    torch.manual_seed(0)
    model = build(args.width, 10)
    x = torch.randn(500, 32)
    data = TensorDataset(x, x[:, :10].argmax(1))
    loader = DataLoader(data, args.batch_size, shuffle=True)
    optimizer = torch.optim.AdamW(model.parameters(), lr=torch.tensor(1e-3))
    scheduler = torch.optim.lr_scheduler.OneCycleLR(optimizer, max_lr=1e-2, total_steps=args.steps)
    forward, update = model, optimizer.step
    if args.compile:
        forward, update = torch.compile(model), torch.compile(optimizer.step)
    step = 0
    while step < args.steps:
        for images, labels in loader:
            start = time.perf_counter()
            loss = torch.nn.functional.cross_entropy(forward(images), labels)
            loss.backward()
            update()
            optimizer.zero_grad()
            scheduler.step()
            step += 1
            if step % 5 == 0:
                log.info("step %d loss %.3f %.0f ms", step, loss.item(), 1e3 * (time.perf_counter() - start))
            if step == args.steps:
                break


if __name__ == "__main__":
    main()
