"""A writer that pays every box whatever the disk does: when the disk fails it stops, checks the record, and goes on.

python -m tests.journal.crash.stubborn FOLDER PATIENCE — prints one line for each acknowledgement and each failure.
"""

import sys
import time
from pathlib import Path

from table_controller.journal.errors import JournalUnwritable
from tests.journal.crash.settlement import Plan, settle


def main(folder: Path, patience: int) -> None:
    for _ in range(patience):
        try:
            settle(folder, sys.stdout.fileno(), Plan(traced=False, close=False))
        except JournalUnwritable as error:
            sys.stderr.write(f"down: {error}\n")
            time.sleep(0.05)
        else:
            return
    sys.exit(1)


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
