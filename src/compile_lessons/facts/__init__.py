"""One compile as data: frozen dataclasses of strings, numbers and tuples. Reading them needs no torch.

Names are torch's own. A *frame* is one Python function that Dynamo compiled once; it has at most one *graph*.
``compile_lessons.reports.forms`` prints facts; importing it needs no torch either.
"""

from compile_lessons.facts.calls import CacheEntry, Call, CallOutcome, Calls
from compile_lessons.facts.comparison import Compared, EagerComparison, Origin, StageFailure, ValueKind
from compile_lessons.facts.devices import DEVICES, Device, Limit, Occupancy, find_device, occupancy
from compile_lessons.facts.dynamo import Break, Guard, GuardNode, Instruction, Skip
from compile_lessons.facts.frames import CompiledGraph, Frame, Missing, Saved
from compile_lessons.facts.gpu import Candidate, Config, GpuKernel, LineMap, MachineCode, TargetGpu
from compile_lessons.facts.graphs import Graph, GraphKind, Node, NodeOp, Subgraph, qualified_nodes
from compile_lessons.facts.inductor import (
    Assembly,
    CodeLine,
    Direction,
    FusedNode,
    FusionDecision,
    InductorGraph,
    IrNode,
    Kernel,
    KernelKind,
    Reuse,
)
from compile_lessons.facts.lines import Line, Lines
from compile_lessons.facts.part import SCHEMA, Part, Parts
from compile_lessons.facts.pipeline import CacheLookup, CacheName, CacheState, Circumstance, Phase, Pipeline
from compile_lessons.facts.source import Location, TensorMeta, total

__all__ = [
    "DEVICES",
    "SCHEMA",
    "Assembly",
    "Break",
    "CacheEntry",
    "CacheLookup",
    "CacheName",
    "CacheState",
    "Call",
    "CallOutcome",
    "Calls",
    "Candidate",
    "Circumstance",
    "CodeLine",
    "Compared",
    "CompiledGraph",
    "Config",
    "Device",
    "Direction",
    "EagerComparison",
    "Frame",
    "FusedNode",
    "FusionDecision",
    "GpuKernel",
    "Graph",
    "GraphKind",
    "Guard",
    "GuardNode",
    "InductorGraph",
    "Instruction",
    "IrNode",
    "Kernel",
    "KernelKind",
    "Limit",
    "Line",
    "LineMap",
    "Lines",
    "Location",
    "MachineCode",
    "Missing",
    "Node",
    "NodeOp",
    "Occupancy",
    "Origin",
    "Part",
    "Parts",
    "Phase",
    "Pipeline",
    "Reuse",
    "Saved",
    "Skip",
    "StageFailure",
    "Subgraph",
    "TargetGpu",
    "TensorMeta",
    "ValueKind",
    "find_device",
    "occupancy",
    "qualified_nodes",
    "total",
]
