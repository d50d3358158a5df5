"""What goes through the controller's door: one JSON message each way, tagged by kind.

`Ask` comes from people, `Sighted` from the eyes, `Health` from any process or device, `Note` and `Kept` from the
floor and the recorder. Times are the host's, in nanoseconds.
"""

from enum import StrEnum

import msgspec
from msgspec import Struct

from table_controller.core.words import word


class Message(Struct, frozen=True, tag_field="kind", tag=word):
    """Anything said through the door."""


class Ask(Message, frozen=True):
    """A person's command: a stimulus as the codec writes it, its cause left out (the controller gives it one).

    `id` is the tap's own (a tap heard twice acts once), `version` the state the screen showed (a stale tap is refused).
    """

    id: str
    version: int
    said: msgspec.Raw


class Look(Message, frozen=True):
    """What is the table's condition?"""


class Note(Message, frozen=True):
    """A row the judge has no part in, by a person: its kind begins with "floor."."""

    id: str
    what: str
    body: msgspec.Raw
    round: int | None = None


class Sighted(Message, frozen=True, kw_only=True):
    """The eyes: a card, a back or something unreadable lies at rest in a slot, at (x, y) table millimetres.

    `card` is written as on the table ("KS"); None with `face_down` False is a card that cannot be read. `number` counts
    the sightings of this source; a number heard twice is the same sighting. `since_ns` is the first frame it lay at
    rest, `at_ns` the last one that was used, `evidence` the file that shows it.
    """

    source: str
    number: int
    slot: str
    x: float
    y: float
    card: str | None
    face_down: bool = False
    confidence: float = 0.0
    since_ns: int
    at_ns: int
    evidence: str | None = None


class Gone(Message, frozen=True, kw_only=True):
    """The eyes: what was sighted under number `was` of this source lies there no more, or moved."""

    source: str
    number: int
    was: int
    at_ns: int


class Watch(Message, frozen=True):
    """The eyes ask what to look for."""


class Health(Message, frozen=True):
    """Alive, and how: `ok` False is a fault that stops the next round; `detail` is a code with a text of its own."""

    device: str
    ok: bool
    detail: str = ""
    at_ns: int = 0


class Kept(Message, frozen=True):
    """A file of evidence was written for a round; its digest goes on record."""

    id: str
    file: str
    round: int
    box: int | None = None


class Outcome(StrEnum):
    """What became of what was said."""

    DONE = "done"
    REFUSED = "refused"
    STALE = "stale"
    DOWN = "down"
    UNREADABLE = "unreadable"


class Answer(Message, frozen=True):
    """`version` is the state's after it; `reason` a code of core/reasons.py for a refusal, `detail` what exactly."""

    outcome: Outcome
    version: int
    reason: str = ""
    detail: str = ""


class Light(Struct, frozen=True):
    """One device or process: whether it is well, since when, and when it was last heard."""

    device: str
    ok: bool
    detail: str = ""
    since_ns: int = 0
    heard_ns: int = 0


class Status(Message, frozen=True):
    """The table's condition: `journal` is the day's file, `seq` its last row, `down` why nothing is taken."""

    table: str
    journal: str
    seq: int
    version: int
    lights: tuple[Light, ...]
    down: str | None = None
    at_ns: int = 0


class Watching(Message, frozen=True):
    """What the eyes may look for: slots that are due a card, slots that must not be looked at (the hole card), and
    the time before which no frame counts."""

    round: int | None
    due: tuple[str, ...] = ()
    veiled: tuple[str, ...] = ()
    after_ns: int = 0
    version: int = 0


Said = Ask | Look | Note | Sighted | Gone | Watch | Health | Kept
Told = Answer | Status | Watching
