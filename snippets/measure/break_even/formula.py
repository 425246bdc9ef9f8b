"""After how many calls a compile pays off, for four savings per call."""

from compile_lessons import Table, show
from compile_lessons.show.charts import Plot


# region copy
def calls_to_break_even(compile_seconds, eager_seconds, compiled_seconds):
    saved = eager_seconds - compiled_seconds
    return compile_seconds / saved if saved > 0 else float("inf")


# endregion
cases = {
    "a function of 100 µs, 30% faster": (2, 100e-6, 70e-6),
    "a model of 20 ms, 30% faster": (30, 20e-3, 14e-3),
    "a training step of 89 ms, 27% faster": (60, 89e-3, 65e-3),
    "a model that is slower when compiled": (30, 20e-3, 21e-3),
}
rows = []
panels = {}
for case, (compiling, eager, compiled) in cases.items():
    calls = calls_to_break_even(compiling, eager, compiled)
    minutes = calls * eager / 60
    rows.append([case, f"{compiling} s", f"{calls:,.0f}", f"{minutes:,.1f} minutes"])
    if calls < float("inf"):
        numbers = (100, 1000, 10_000, 100_000)
        panels[case.split(", ")[0]] = {
            "eager": [(number, number * eager) for number in numbers],
            "compiled": [(number, compiling + number * compiled) for number in numbers],
        }
show(
    Table(["case", "compile", "calls to break even", "their time in eager mode"], rows)
)
show(Plot(panels, "calls", "total seconds"))

# region checks
assert [row[2] for row in rows] == ["66,667", "5,000", "2,500", "inf"]
# endregion
