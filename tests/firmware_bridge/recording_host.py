"""A host in a process of its own, to be killed: records each event on disk before it acknowledges."""

import os
import sys
from pathlib import Path

from firmware_bridge.events import Cursor, DeviceEvent
from firmware_bridge.greeting import Policy
from firmware_bridge.link import Link, Report, at_path
from firmware_bridge.outputs import Greeted, Live
from firmware_bridge.session import Session
from firmware_bridge.visit import fresh_nonce


def last_cursor(record: Path) -> Cursor | None:
    """Cuts a half-written line off, as a journal does, and reads where we were."""
    if not record.exists():
        return None
    text = record.read_text()
    whole = text[: text.rfind("\n") + 1]
    record.write_text(whole)
    if not whole:
        return None
    ring, seq, *_ = whole.splitlines()[-1].split()
    return Cursor(int(ring), int(seq))


def main(port: str, record: Path, key: bytes) -> None:
    cursor = last_cursor(record)
    with record.open("a") as file:

        def hear(report: Report) -> None:
            nonlocal cursor
            match report:
                case Greeted():
                    link.resume(cursor)
                case Live():
                    sys.stdout.write("live\n")
                    sys.stdout.flush()
                case DeviceEvent():
                    file.write(f"{report.ring} {report.seq} {report.kind} {report.arg}\n")
                    file.flush()
                    os.fsync(file.fileno())
                    cursor = report.cursor
                    link.acknowledge(cursor)

        link = Link(at_path(port), Session(Policy(lambda _: key), fresh_nonce), hear)
        link.run()


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), bytes.fromhex(sys.argv[3]))
