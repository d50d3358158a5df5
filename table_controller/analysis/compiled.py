"""The one place that knows the compiler: a typed `compiled` for functions on numbers and arrays."""

from collections.abc import Callable
from typing import Any, TypeVar, cast

import numpy as np
from numba import njit
from numpy.typing import NDArray

F = TypeVar("F", bound=Callable[..., Any])

Floats = NDArray[np.float64]
Whole = NDArray[np.int64]
Flags = NDArray[np.bool_]


def compiled(function: F) -> F:
    """The same function as machine code, compiled at its first call and kept on disk for the next process."""
    return cast("F", njit(cache=True)(function))
