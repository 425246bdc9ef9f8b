"""One compile as data: frozen dataclasses of strings, numbers and tuples. Reading them needs no torch.

Names are torch's own. A *frame* is one Python function that Dynamo compiled once; it has at most one *graph*.
``compile_lessons.reports.forms`` prints facts; importing it needs no torch either.
"""

from compile_lessons.facts.frames import (
    Break as Break,
    CompiledGraph as CompiledGraph,
    Frame as Frame,
    Guard as Guard,
    GuardNode as GuardNode,
    Instruction as Instruction,
    Missing as Missing,
    Saved as Saved,
    Skip as Skip,
)
from compile_lessons.facts.gpu import (
    Candidate as Candidate,
    Config as Config,
    DEVICES as DEVICES,
    Device as Device,
    GpuKernel as GpuKernel,
    LineMap as LineMap,
    MachineCode as MachineCode,
    Occupancy as Occupancy,
    TargetGpu as TargetGpu,
    find_device as find_device,
    occupancy as occupancy,
)
from compile_lessons.facts.graphs import (
    Assembly as Assembly,
    CodeLine as CodeLine,
    Direction as Direction,
    FusedNode as FusedNode,
    FusionDecision as FusionDecision,
    Graph as Graph,
    GraphKind as GraphKind,
    InductorGraph as InductorGraph,
    IrNode as IrNode,
    Kernel as Kernel,
    KernelKind as KernelKind,
    Node as Node,
    NodeOp as NodeOp,
    Reuse as Reuse,
    Subgraph as Subgraph,
    TensorMeta as TensorMeta,
    qualified_nodes as qualified_nodes,
    total as total,
)
from compile_lessons.facts.part import (
    Part as Part,
    Parts as Parts,
)
from compile_lessons.facts.pipeline import (
    CacheEntry as CacheEntry,
    CacheLookup as CacheLookup,
    CacheName as CacheName,
    CacheState as CacheState,
    Call as Call,
    CallOutcome as CallOutcome,
    Calls as Calls,
    Circumstance as Circumstance,
    Compared as Compared,
    EagerComparison as EagerComparison,
    Line as Line,
    Lines as Lines,
    Origin as Origin,
    Phase as Phase,
    Pipeline as Pipeline,
    StageFailure as StageFailure,
    ValueKind as ValueKind,
)
from compile_lessons.facts.source import (
    Location as Location,
)
