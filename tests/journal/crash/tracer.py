"""Runs a piece of work in a child process and stops it dead before a chosen system call. Linux, x86-64 and arm64."""

import contextlib
import ctypes
import os
import signal
from collections.abc import Callable
from typing import Protocol

TRACEME, SYSCALL, SETOPTIONS, GET_SYSCALL_INFO = 0, 24, 0x4200, 0x420E
TRACE_SYSGOOD, EXIT_KILL = 0x1, 0x100000
SYSCALL_STOP = signal.SIGTRAP | 0x80
ENTRY, EXIT = 1, 2
SYNCS = {"x86_64": {74, 75}, "aarch64": {82, 83}}[os.uname().machine]  # fsync, fdatasync


class _Info(ctypes.Structure):
    """struct ptrace_syscall_info; at entry `value` is the number of the call and `arg` its first argument."""

    _fields_ = [
        ("op", ctypes.c_uint8),
        ("pad", ctypes.c_uint8 * 3),
        ("arch", ctypes.c_uint32),
        ("ip", ctypes.c_uint64),
        ("sp", ctypes.c_uint64),
        ("value", ctypes.c_uint64),
        ("arg", ctypes.c_uint64 * 7),
    ]


class Witness(Protocol):
    """Is told what the work has made durable."""

    def settled(self) -> None:
        """The work has reached its mark."""

    def synced(self, name: str) -> None:
        """The work has just synced the file or folder of this path."""


def run_until_call(work: Callable[[], None], calls: int, witness: Witness) -> int:
    """Forks; SIGKILL before the child's system call number `calls`, counted from its `mark()`; returns those begun."""
    pid = os.fork()
    if pid == 0:
        _child(work)
    try:
        return _watch(pid, calls, witness)
    finally:
        with contextlib.suppress(ProcessLookupError, ChildProcessError):
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)


def mark() -> None:
    """Called by the work when the part that matters begins."""
    _ptrace(TRACEME, 0, 0, None)
    os.kill(os.getpid(), signal.SIGSTOP)


def _child(work: Callable[[], None]) -> None:
    status = 1
    try:
        work()
        status = 0
    finally:
        os._exit(status)


def _watch(pid: int, calls: int, witness: Witness) -> int:
    _, status = os.waitpid(pid, os.WUNTRACED)
    if not os.WIFSTOPPED(status):
        raise RuntimeError(f"the work ended before its mark with status {status}")
    witness.settled()
    _ptrace(SETOPTIONS, pid, 0, TRACE_SYSGOOD | EXIT_KILL)
    begun, syncing = 0, None
    while True:
        _ptrace(SYSCALL, pid, 0, None)
        _, status = os.waitpid(pid, 0)
        if not os.WIFSTOPPED(status):
            if os.waitstatus_to_exitcode(status):
                raise RuntimeError(f"the work failed with status {status}")
            return begun
        if os.WSTOPSIG(status) != SYSCALL_STOP:
            continue
        info = _info(pid)
        if info.op == ENTRY:
            if begun == calls:
                return begun
            begun += 1
            syncing = os.readlink(f"/proc/{pid}/fd/{info.arg[0]}") if info.value in SYNCS else None
        elif syncing:
            witness.synced(syncing)


def _info(pid: int) -> _Info:
    info = _Info()
    _ptrace(GET_SYSCALL_INFO, pid, ctypes.sizeof(info), ctypes.byref(info))
    return info


def _ptrace(request: int, pid: int, address: int, data: object) -> None:
    libc = ctypes.CDLL(None, use_errno=True)
    libc.ptrace.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p]
    libc.ptrace.restype = ctypes.c_long
    if libc.ptrace(request, pid, address, data) == -1 and ctypes.get_errno():
        raise OSError(ctypes.get_errno(), f"ptrace {request}: {os.strerror(ctypes.get_errno())}")
