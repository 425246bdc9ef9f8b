"""What docs/production/tlparse.md states about the programs that read a trace and they don't assert."""


def test_inner_stages_come_before_the_stage_that_they_are_part_of(record) -> None:
    lines = record("production/tlparse/chromium.py").text.splitlines()
    depths = {line.split(":")[0].strip(): len(line) - len(line.lstrip()) for line in lines}
    assert lines[-1].startswith("dynamo: ")
    assert depths["dynamo"] < depths["entire_frame_compile"] < depths["backend_compile"] == depths["bytecode_tracing"]


def test_a_line_with_two_operators_is_listed_twice(record) -> None:
    text = record("production/tlparse/provenance.py").text
    assert text.count("return (scaled + 1).log().sum()") == 2
    assert text.splitlines()[0] == "extern_kernels.mm" and text.count("hidden = torch.relu(x @ w)") == 2
