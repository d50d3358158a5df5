"""Starts krupier-simulator and speaks its control language (control.c)."""

import socket
import subprocess
from collections.abc import Iterable
from pathlib import Path
from typing import IO

HERE = Path(__file__).parent
PROGRAM = HERE / "build" / "krupier-simulator"
FIRMWARE = HERE.parent / "firmware" / "build" / "krupier.elf"
SOON_US = 100_000
"""Longer than it takes to hand over a plan."""


class SimulatorError(RuntimeError):
    """The simulator did not start, or did not understand; the message holds what it said."""


class Simulator:
    """One simulated board. `port` is its serial port; a context manager that ends the process."""

    def __init__(self, folder: Path, *, speed: float = 1.0, boot_ms: int = 50, elf: Path = FIRMWARE) -> None:
        self.port = folder / "board"
        self.eeprom = folder / "eeprom.bin"
        self._control_path = folder / "control"
        self._command = [
            str(PROGRAM), "--elf", str(elf), "--control", str(self._control_path), "--port", str(self.port),
            "--eeprom", str(self.eeprom), "--speed", str(speed), "--boot-ms", str(boot_ms),
        ]  # fmt: skip

    def __enter__(self) -> "Simulator":
        self._process = subprocess.Popen(self._command, stdout=subprocess.PIPE, text=True)
        self._await_ready(self._process.stdout)
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._socket.settimeout(10)
        self._socket.connect(str(self._control_path))
        return self

    def __exit__(self, *_: object) -> None:
        self._socket.close()
        self._process.terminate()
        self._process.wait(10)
        if self._process.stdout:
            self._process.stdout.close()

    def plan(self, steps: Iterable[tuple[int, str]]) -> int:
        """Commands, each so many microseconds of the board's time from a moment soon; the time of the last."""
        start = due = int(self.do("time")) + SOON_US
        for after_us, command in steps:
            due = start + after_us
            self.do(f"at {due} {command}")
        return due

    def do(self, command: str) -> str:
        """One command; what it answers behind "ok". Raises SimulatorError."""
        self._socket.sendall(command.encode() + b"\n")
        answer = b""
        while not answer.endswith(b"\n"):
            if not (part := self._socket.recv(1024)):
                raise SimulatorError(f"the simulator ended at {command!r}")
            answer += part
        if not answer.startswith(b"ok"):
            raise SimulatorError(f"{command!r}: {answer.decode().strip()}")
        return answer.decode()[2:].strip()

    @staticmethod
    def _await_ready(output: IO[str] | None) -> None:
        assert output
        for line in output:
            if line.strip() == "ready":
                return
        raise SimulatorError("the simulator ended before it was ready")
