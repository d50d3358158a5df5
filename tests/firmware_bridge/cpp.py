"""The C++ half of the firmware, built for this computer, as something a test can ask."""

import subprocess
from pathlib import Path

HOST = Path(__file__).parents[2] / "firmware_bridge" / "firmware" / "host"
TALK = HOST / "build" / "talk"


class Cpp:
    """A running `talk` process; one line in, one line out."""

    def __init__(self) -> None:
        self._process = subprocess.Popen([TALK], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)

    def ask(self, line: str) -> str:
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.write(line + "\n")
        self._process.stdin.flush()
        answer = self._process.stdout.readline()
        assert answer.endswith("\n"), f"the C++ side died at: {line}"
        return answer.strip()

    def close(self) -> None:
        self._process.communicate()
