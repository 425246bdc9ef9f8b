"""A teacher is copied from a student that compiles in place, and moves slowly after it."""

import copy

import torch


class Student(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(8, 2)

    def forward(self, x):
        return self.layer(x).tanh()


student = Student()
student.compile(backend="aot_eager")
teacher = copy.deepcopy(student)
teacher.compile(backend="aot_eager")
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
