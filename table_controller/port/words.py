"""What goes through the controller's door: one JSON message each way, tagged by kind.

`Ask`, `Complain` and `Conclude` come from people, `Sighted` from the eyes, `Health` from any process or device, `Note`
and `Kept` from the floor and the recorder. Times are the host's, in nanoseconds.
"""

from enum import StrEnum

import msgspec
from msgspec import Struct

from table_controller.core.people import Person
from table_controller.core.words import word


class Message(Struct, frozen=True, tag_field="kind", tag=word):
    """Anything said through the door."""


class Ask(Message, frozen=True):
    """A person's command: a stimulus as the codec writes it, its cause left out (the controller gives it one).

    `id` is the tap's own (a tap heard twice acts once), `version` the state the screen showed (a stale tap is refused),
    `by` who tapped.
    """

    id: str
    version: int
    said: msgspec.Raw
    by: Person | None = None


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
    rest, `at_ns` the last one that was used, `evidence` the file that shows it. `back`: the
    colour of a back, where it is plain.
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
    back: str = ""


class Gone(Message, frozen=True, kw_only=True):
    """The eyes: what was sighted under number `was` of this source lies there no more, or moved; or it is covered.

    Of a card that moved this is said before the card is sighted anew.
    """

    source: str
    number: int
    was: int
    at_ns: int
    covered: bool = False


class Chips(Message, frozen=True, kw_only=True):
    """The eyes: the chips in the betting circle of a box changed; the pictures before and after, where kept."""

    source: str
    number: int
    box: int
    at_ns: int
    before: str | None = None
    after: str | None = None


class Watch(Message, frozen=True):
    """The eyes ask what to look for."""


class Health(Message, frozen=True):
    """Alive, and how: `ok` False is a fault that stops the next round; `detail` is a code with a text of its own.

    Eyes say `looked_ns` too: whatever lay at rest in pictures taken until then has been said and heard.
    """

    device: str
    ok: bool
    detail: str = ""
    at_ns: int = 0
    looked_ns: int = 0


class Kept(Message, frozen=True):
    """A file of evidence was written for a round; its digest goes on record."""

    id: str
    file: str
    round: int
    box: int | None = None


class Complain(Message, frozen=True, kw_only=True):
    """A player's complaint about a round, taken down by a person; `lock` is what stops: none, next_round, table."""

    id: str
    by: Person
    day: str
    round: int
    box: int
    reason: str
    lock: str = "next_round"


class Conclude(Message, frozen=True, kw_only=True):
    """What a person decided about a complaint that is open."""

    id: str
    by: Person
    number: int
    decision: str


class HoldDay(Message, frozen=True, kw_only=True):
    """A day must not be purged, by order of a person; with `lift` every hold on it ends."""

    id: str
    by: Person
    day: str
    reason: str = ""
    lift: bool = False


class LetGo(Message, frozen=True, kw_only=True):
    """Days past their time and under no hold are removed, each recorded first; the answer's detail names them."""

    id: str
    by: Person
    years: int


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
    """What the eyes may look for: slots that are due a card, and the time before which no frame of those counts.

    A slot that is `veiled` must not be looked at at all: nothing of it is read, cropped or said to be gone. In one
    that is due only `backs`, see whether a card lies face down, and read nothing. `hole` is where the hole card lies
    while its slot must be watched for another card, (x, y) table millimetres: nothing within a card of it is read.
    """

    round: int | None
    due: tuple[str, ...] = ()
    veiled: tuple[str, ...] = ()
    backs: tuple[str, ...] = ()
    hole: tuple[int, int] | None = None
    after_ns: int = 0
    version: int = 0


Said = Ask | Look | Note | Sighted | Gone | Chips | Watch | Health | Kept | Complain | Conclude | HoldDay | LetGo
Told = Answer | Status | Watching
