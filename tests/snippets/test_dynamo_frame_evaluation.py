"""What docs/dynamo/frame-evaluation.md states and its snippets don't assert themselves."""


def test_the_resume_function_is_named_after_the_line(record):
    assert "torch_dynamo_resume_in_step_at_14" in record("dynamo/frame_evaluation/break_frames.py").text
