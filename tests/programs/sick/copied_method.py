"""A teacher is copied from a student whose method is compiled, and moves slowly after it."""

import copy

import torch


class Student(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(8, 2)
        self.forward = torch.compile(self.forward, backend="aot_eager")

    def forward(self, x):
        return self.layer(x).tanh()


student = Student()
teacher = copy.deepcopy(student)  # advice: copied-code
first = teacher(torch.ones(4, 8)).detach()
optimizer = torch.optim.SGD(student.parameters(), lr=0.5)
for _ in range(4):
    x = torch.ones(4, 8)
    with torch.no_grad():
        target = teacher(x) + 1
    loss = (student(x) - target).square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(f"the teacher moved by {(teacher(x) - first).abs().max():.3f}")
