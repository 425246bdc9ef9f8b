"""TensorFlow without its C++ log, which goes to the process's error stream; Python's
own errors are still written.
"""

import os
import sys

sys.stderr = os.fdopen(os.dup(2), "w", buffering=1)
os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
import tensorflow as tf  # noqa: F401
