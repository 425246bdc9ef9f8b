"""Decode requests of different lengths in batches, with a paged cache, as a server does."""

import torch
import torch.nn.functional as F

BLOCK = 16


class Attention(torch.nn.Module):
    def __init__(self, width, heads, blocks):
        super().__init__()
        self.heads = heads
        self.qkv = torch.nn.Linear(width, 3 * width)
        self.out = torch.nn.Linear(width, width)
        self.register_buffer("keys", torch.zeros(blocks * BLOCK, heads, width // heads))
        self.register_buffer("values", torch.zeros(blocks * BLOCK, heads, width // heads))

    def forward(self, x, slots, tables, lengths):
        batch, width = x.shape
        q, k, v = self.qkv(x).view(batch, 3, self.heads, -1).unbind(1)
        self.keys[slots] = k
        self.values[slots] = v
        offsets = torch.arange(BLOCK, device=x.device)
        places = (tables[:, :, None] * BLOCK + offsets).flatten(1)
        mask = torch.arange(places.shape[1], device=x.device) < lengths[:, None]
        keys, values = self.keys[places].transpose(1, 2), self.values[places].transpose(1, 2)
        y = F.scaled_dot_product_attention(q[:, :, None], keys, values, mask[:, None, None])
        return self.out(y.reshape(batch, width))


class Model(torch.nn.Module):
    def __init__(self, vocabulary=256, width=64, heads=4, layers=2, blocks=64):
        super().__init__()
        self.embed = torch.nn.Embedding(vocabulary, width)
        self.layers = torch.nn.ModuleList(Attention(width, heads, blocks) for _ in range(layers))
        self.head = torch.nn.Linear(width, vocabulary)

    def forward(self, tokens, slots, tables, lengths):
        x = self.embed(tokens)
        for layer in self.layers:
            x = x + layer(x, slots, tables, lengths)
        return self.head(x).argmax(-1)


def main():
    torch.manual_seed(0)
    model = torch.compile(Model().eval(), dynamic=True)
    waiting = [40, 12, 25, 33, 8, 19, 27]
    running = {}
    free = list(range(64))
    with torch.no_grad():
        while waiting or running:
            while waiting and len(running) < 4:
                running[len(waiting)] = {"left": waiting.pop(), "length": 0, "blocks": [], "token": 1}
            for request in running.values():
                if request["length"] % BLOCK == 0:
                    request["blocks"].append(free.pop())
                request["length"] += 1
            requests = list(running.values())
            width = max(len(request["blocks"]) for request in requests)
            tables = torch.tensor([r["blocks"] + [0] * (width - len(r["blocks"])) for r in requests])
            lengths = torch.tensor([request["length"] for request in requests])
            slots = tables.gather(1, (lengths - 1)[:, None] // BLOCK)[:, 0] * BLOCK + (lengths - 1) % BLOCK
            tokens = model(torch.tensor([r["token"] for r in requests]), slots, tables, lengths).tolist()
            for number, token in zip(list(running), tokens, strict=True):
                running[number]["token"] = token
                running[number]["left"] -= 1
                if not running[number]["left"]:
                    free.extend(running.pop(number)["blocks"])


if __name__ == "__main__":
    main()
