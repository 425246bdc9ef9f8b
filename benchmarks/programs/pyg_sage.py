"""Train GraphSAGE of PyG on batches of random graphs of different sizes."""

import torch
import torch.nn.functional as F
from torch_geometric.datasets import FakeDataset
from torch_geometric.loader import DataLoader
from torch_geometric.nn import SAGEConv, global_mean_pool


class GNN(torch.nn.Module):
    def __init__(self, in_channels, hidden_channels, out_channels):
        super().__init__()
        self.conv1 = SAGEConv(in_channels, hidden_channels)
        self.conv2 = SAGEConv(hidden_channels, hidden_channels)
        self.lin = torch.nn.Linear(hidden_channels, out_channels)

    def forward(self, x, edge_index, batch, batch_size):
        x = self.conv1(x, edge_index).relu()
        x = self.conv2(x, edge_index).relu()
        x = global_mean_pool(x, batch, batch_size)
        return self.lin(F.dropout(x, p=0.5, training=self.training))


torch.manual_seed(12345)
dataset = FakeDataset(num_graphs=128, avg_num_nodes=30, num_classes=4)
loader = DataLoader(dataset, batch_size=16, shuffle=True, drop_last=True)
model = torch.compile(GNN(dataset.num_features, 64, dataset.num_classes), dynamic=True)
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
for epoch in range(3):
    for data in loader:
        optimizer.zero_grad()
        out = model(data.x, data.edge_index, data.batch, data.num_graphs)
        loss = F.cross_entropy(out, data.y)
        loss.backward()
        optimizer.step()
    print(epoch, loss.item())
