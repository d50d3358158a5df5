"""Becomes the command that follows, which ends with the process that started it: `-m table_controller.leash PID …`."""

import ctypes
import os
import signal
import sys

PR_SET_PDEATHSIG = 1


def tie(parent: int) -> None:
    """From now on this process ends with the thread of that one which started it. Raises SystemExit where it has."""
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
    if os.getppid() != parent:  # it died before it could be followed
        raise SystemExit(1)


def main(parent: int, command: list[str]) -> None:
    """Does not return. A supervisor that is killed takes its parts along, so that the next one starts clean."""
    tie(parent)
    os.execvp(command[0], command)


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2:])
