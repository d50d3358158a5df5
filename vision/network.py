"""The only file that imports onnxruntime: arrays in, arrays out, on two threads."""

from pathlib import Path

import numpy as np
import onnxruntime
from numpy.typing import NDArray

THREADS = 2


class Network:
    """One ONNX file, loaded once."""

    def __init__(self, path: Path, threads: int = THREADS) -> None:
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        options.log_severity_level = 3
        # A waiting thread that spins takes the core from the other one, and from cameras and eyes beside it.
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        self._session = onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
        self._input = self._session.get_inputs()[0].name

    def __call__(self, batch: NDArray[np.float32]) -> list[NDArray[np.float32]]:
        """All outputs for a batch, float32 (n, 3, height, width) in 0-1."""
        return [np.asarray(answer, np.float32) for answer in self._session.run(None, {self._input: batch})]
