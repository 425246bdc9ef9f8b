"""The composite operators of ATen that ask for a tensor's device, and what is done about each.

ATen implements a composite operator by other operators, in C++ that can ask for the device. For a GPU that is not
there, C++ is told ``cpu``, so each operator that asks is in this list. ``tests/gpu/test_device_choices.py`` holds the
list against the installed torch.

The operators were looked up in torch 2.11 to 2.15: those that ``native_functions.yaml`` says are composite, and in the
machine code of their functions, and of what these call, each comparison of a tensor's device and each question about
CUDA and cuDNN. What a branch decides was read in the source of torch 2.7, and in the graphs that the tests compare.
``DERIVATIVES`` are operators whose derivative in C++ asks, which were looked up alike.
"""

from dataclasses import dataclass
from typing import Literal

_REPOSITORY = "https://github.com/pytorch/pytorch/blob/v2.13.0"
_NATIVE = "aten/src/ATen/native"
_DECOMPOSITIONS = "torch/_decomp/decompositions.py"


class NotKnownWithoutGpu(RuntimeError):
    """The GPU, or a library that comes with it, decides what a run computes here. The message says what to do."""


@dataclass(frozen=True, kw_only=True)
class Choice:
    """Operators that choose by device: where, what, and how ``capture`` handles this.

    ``function`` has the branch, in ``source``, a file of torch. ``here`` is ``treated`` if the GPU's branch is taken,
    ``refused`` if the operator raises ``NotKnownWithoutGpu``, and ``no effect`` if both branches give the same graph.
    """

    operators: tuple[str, ...]
    source: str
    function: str
    decides: str
    here: Literal["treated", "refused", "no effect"]
    how: str

    @property
    def link(self) -> str:
        """The address of the file in torch 2.13."""
        return f"{_REPOSITORY}/{self.source}"


_TRANSFORMS = tuple(f"{inverse}{kind}fft" for kind in ("", "r", "h") for inverse in ("", "i"))
#: The Fourier transforms, which are refused for float16 alone.
FFT = tuple(f"fft_{name}{dims}{out}" for name in _TRANSFORMS for dims in ("", "2", "n") for out in ("", ".out"))
_RECURRENT = tuple(f"{name}.{form}" for name in ("gru", "rnn_tanh", "rnn_relu") for form in ("input", "data"))
_QUANTILES = tuple(
    f"{name}{overload}" for name in ("quantile", "nanquantile") for overload in ("", ".scalar", ".out", ".scalar_out")
)
_SPARSE_CHECKS = (
    "_validate_sparse_coo_tensor_args",
    *(f"_validate_sparse_{kind}_tensor_args" for kind in ("bsc", "bsr", "compressed", "csc", "csr")),
)
_PLANS = tuple(
    f"_cufft_{name}"
    for name in ("clear_plan_cache", "get_plan_cache_max_size", "get_plan_cache_size", "set_plan_cache_max_size")
)
_UPSAMPLES = (
    *(f"{name}{dims}d.vec" for name in ("upsample_nearest", "_upsample_nearest_exact") for dims in (1, 2, 3)),
    *(f"upsample_{name}.vec" for name in ("linear1d", "bilinear2d", "trilinear3d", "bicubic2d")),
)

CHOICES = (
    Choice(
        operators=("scaled_dot_product_attention",),
        source=f"{_NATIVE}/transformers/attention.cpp",
        function="scaled_dot_product_attention",
        decides="which implementation computes attention",
        here="treated",
        how="the same choice in Python, for the described GPU",
    ),
    Choice(
        operators=("rms_norm", "_fused_rms_norm"),
        source=f"{_NATIVE}/layer_norm.cpp",
        function="rms_norm_symint",
        decides="whether RMS norm is one operator or several",
        here="treated",
        how="one operator",
    ),
    Choice(
        operators=("lstm_cell", "gru_cell"),
        source=f"{_NATIVE}/RNN.cpp",
        function="LSTMCell::operator(), GRUCell::operator()",
        decides="whether a cell's pointwise part is one operator",
        here="treated",
        how="_thnn_fused_lstm_cell and _thnn_fused_gru_cell",
    ),
    Choice(
        operators=("softmax.int", "log_softmax.int"),
        source=f"{_NATIVE}/SoftMax.cpp",
        function="softmax, log_softmax",
        decides="whether the operator or an earlier one converts float16 to float32",
        here="treated",
        how="the operator converts",
    ),
    Choice(
        operators=("group_norm",),
        source=f"{_NATIVE}/group_norm.cpp",
        function="group_norm",
        decides="whether a channels-last input is copied to a contiguous one; torch 2.14 doesn't check",
        here="treated",
        how="copied before torch 2.14",
    ),
    Choice(
        operators=_UPSAMPLES,
        source=_DECOMPOSITIONS,
        function="_upsample_nearest, _upsample_linear, _upsample_get_cubic_coefficients",
        decides="the layout of the result; for bicubic, whether coefficients are stacked",
        here="treated",
        how="Python is told that the tensor is on the GPU",
    ),
    Choice(
        operators=("lstm.input", "lstm.data"),
        source=_DECOMPOSITIONS,
        function="select_one_layer_lstm_function",
        decides="whether oneDNN computes the network",
        here="treated",
        how="Python is told that the tensor is on the GPU",
    ),
    Choice(
        operators=("native_channel_shuffle",),
        source=f"{_NATIVE}/native_functions.yaml",
        function="native_channel_shuffle",
        decides="only the CPU has a separate kernel",
        here="treated",
        how="the dispatch key of a fake tensor is the GPU's",
    ),
    Choice(
        operators=("to.device", "to.dtype_layout", "pin_memory"),
        source=f"{_NATIVE}/TensorConversions.cpp",
        function="to",
        decides="whether a tensor is already on the device, or pinned",
        here="treated",
        how="every tensor is treated as being on the GPU",
    ),
    Choice(
        operators=("grid_sampler",),
        source=f"{_NATIVE}/GridSampler.cpp",
        function="grid_sampler",
        decides="whether cuDNN samples",
        here="refused",
        how="refused where cuDNN would; treated elsewhere",
    ),
    Choice(
        operators=("ctc_loss.IntList", "ctc_loss.Tensor"),
        source=f"{_NATIVE}/LossCTC.cpp",
        function="ctc_loss",
        decides="whether cuDNN computes the loss, also by values",
        here="refused",
        how="leave the loss out of the function",
    ),
    Choice(
        operators=FFT,
        source=f"{_NATIVE}/SpectralOps.cpp",
        function="promote_type_fft",
        decides="whether float16 is transformed or raises an error",
        here="refused",
        how="convert to float32 before the transform; other dtypes are not refused",
    ),
    Choice(
        operators=("_sparse_softmax.int", "_sparse_log_softmax.int"),
        source=f"{_NATIVE}/sparse/SoftMax.cpp",
        function="_sparse_softmax, _sparse_log_softmax",
        decides="which operator converts float16 to float32",
        here="refused",
        how="leave sparse tensors out of the function",
    ),
    Choice(
        operators=("_convolution_double_backward",),
        source=f"{_NATIVE}/Convolution.cpp",
        function="_convolution_double_backward",
        decides="which tensors are made contiguous",
        here="refused",
        how="leave second derivatives of convolutions out of the function",
    ),
    Choice(
        operators=("_autocast_to_reduced_precision", "_autocast_to_full_precision"),
        source=f"{_NATIVE}/TensorConversions.cpp",
        function="_autocast_to_reduced_precision, _autocast_to_full_precision",
        decides="the dtype, in TorchScript's autocast",
        here="refused",
        how="use torch.autocast",
    ),
    Choice(
        operators=("quantized_lstm_cell", "quantized_gru_cell"),
        source=f"{_NATIVE}/RNN.cpp",
        function="LSTMCell::operator(), GRUCell::operator()",
        decides="whether a cell's pointwise part is one operator",
        here="refused",
        how="use a cell in floating point; the packed weights exist only on the CPU",
    ),
    Choice(
        operators=("cudnn_is_acceptable", "_use_cudnn_rnn_flatten_weight", *_PLANS),
        source=f"{_NATIVE}/TensorProperties.cpp",
        function="cudnn_is_acceptable, _use_cudnn_rnn_flatten_weight, _cufft_…",
        decides="what cuDNN and cuFFT can do, or their caches",
        here="refused",
        how="call it outside the function",
    ),
    Choice(
        operators=("dropout",),
        source=f"{_NATIVE}/Dropout.cpp",
        function="is_fused_kernel_acceptable",
        decides="whether dropout is native_dropout or a multiplication by random numbers",
        here="no effect",
        how="AOTAutograd uses torch's implementation in Python",
    ),
    Choice(
        operators=_RECURRENT,
        source=f"{_NATIVE}/RNN.cpp",
        function="gru, rnn_tanh, rnn_relu",
        decides="whether cuDNN computes the network",
        here="no effect",
        how="AOTAutograd uses torch's implementation in Python",
    ),
    Choice(
        operators=("batch_norm", "_batch_norm_impl_index"),
        source=f"{_NATIVE}/Normalization.cpp",
        function="_select_batch_norm_backend",
        decides="whether cuDNN normalizes",
        here="no effect",
        how="AOTAutograd replaces cuDNN's operator with native_batch_norm",
    ),
    Choice(
        operators=("one_hot",),
        source=f"{_NATIVE}/Onehot.cpp",
        function="one_hot",
        decides="how the class numbers are checked",
        here="no effect",
        how="AOTAutograd uses torch's implementation in Python; torch 2.11 doesn't check a fake tensor's device",
    ),
    Choice(
        operators=_QUANTILES,
        source=f"{_NATIVE}/Sorting.cpp",
        function="quantile_compute",
        decides="whether q is checked to be from 0 to 1",
        here="no effect",
        how="the check is dead code, which AOTAutograd removes; on torch 2.11 it breaks the graph without a GPU",
    ),
    Choice(
        operators=("max_pool1d",),
        source=f"{_NATIVE}/MaxPooling.cpp",
        function="max_pool1d",
        decides="whether the CPU's pooling without indices is used",
        here="no effect",
        how="not for fake tensors",
    ),
    Choice(
        operators=("cdist",),
        source=f"{_NATIVE}/Distance.cpp",
        function="cdist_impl",
        decides="only checks",
        here="no effect",
        how="both devices pass",
    ),
    Choice(
        operators=("tensor_split.tensor_indices_or_sections", "_pad_packed_sequence", "_pack_padded_sequence_backward"),
        source=f"{_NATIVE}/TensorShape.cpp",
        function="tensor_split; checkLongTensor in PackedSequence.cpp",
        decides="an error if lengths or sections are not on the CPU",
        here="no effect",
        how="their values are needed, so Dynamo breaks the graph",
    ),
    Choice(
        operators=_SPARSE_CHECKS,
        source=f"{_NATIVE}/sparse/SparseTensor.cpp",
        function="_validate_sparse_coo_tensor_args, _validate_sparse_compressed_tensor_args_worker",
        decides="which checks of a sparse tensor's indices run",
        here="no effect",
        how="checks return nothing",
    ),
)
"""The operators that choose by device, each once."""

DERIVATIVES = (
    Choice(
        operators=("renorm",),
        source="torch/csrc/autograd/FunctionsManual.cpp",
        function="renorm_backward",
        decides="whether float32 is summed in float64",
        here="refused",
        how="refused where a gradient is wanted",
    ),
)
"""Operators that aren't composite, and whose derivative chooses."""
