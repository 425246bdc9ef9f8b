"""Facts of the page on CUDA graphs, from the recordings on a GPU and from the installed torch."""

import inspect

from torch._inductor import lowering

from table_rows import rows_by_name


def test_a_buffer_may_change_in_place_but_not_by_assignment_not_even_of_a_clone_or_with_a_mark(recording):
    rows = rows_by_name(recording("gpu/cuda_graphs/h100_state.py"))
    assert [rows[name] for name in ("add_in_place", "copy_in_place", "write_by_index")] == [["right"] * 3] * 3
    assert [rows[name] for name in ("assign", "assign_clone")] == [["raises an error"] * 3] * 2


def test_gradients_of_two_batches_add_up_only_where_they_have_memory_of_their_own(recording):
    rows = rows_by_name(recording("gpu/cuda_graphs/h100_accumulate.py"))
    assert rows["one batch in each step"] == rows["two batches, zeros that are kept"] == ["right"]
    assert rows["two batches, a mark for each step"] == ["right"] != rows["two batches, zeros at first"]
    [error] = rows["two batches"]
    assert error.endswith("overwritten by a subsequent run")


def test_new_weights_are_recorded_again_only_if_they_are_assigned_and_the_log_says_why(recording):
    recorded = recording("gpu/cuda_graphs/h200_new_weights.py")
    assert recorded.values["assigned"] > 5 * recorded.values["copied"]
    assert recorded.text.count("static input data pointer changed") == 1
    assert recorded.values["skips"] == 0, "the page says that such recordings don't count toward torch's limit"


def test_the_installed_torch_runs_a_function_with_cond_without_a_cuda_graph() -> None:
    assert "disable_cudagraphs_reason" in inspect.getsource(lowering.cond)
