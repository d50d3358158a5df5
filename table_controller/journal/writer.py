"""The one pen of a journal: gives drafts their place, their time and their seal, and knows its own head."""

import os
from collections.abc import Callable, Sequence

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from table_controller.journal.chain import GENESIS, Head, extend, seal_of
from table_controller.journal.errors import JournalUnwritable
from table_controller.journal.record import BODY_LIMIT, SALT_BYTES, Draft, Moment, Record
from table_controller.journal.store import Store

Clock = Callable[[], Moment]


class Writer:
    """Appends to a store. `before` is the head of the day before, used only while the store is empty."""

    def __init__(self, store: Store, key: Ed25519PrivateKey, clock: Clock, before: bytes = GENESIS) -> None:
        self._store = store
        self._key = key
        self._clock = clock
        self._before = before
        self._head: Head | None = None

    @property
    def head(self) -> Head:
        """The last row that is on disk. Whoever asks changes nothing: he may ask while another thread writes."""
        return self._head or self._store.head() or Head(0, self._before)

    def write(self, drafts: Sequence[Draft], *, seal: bool = False) -> tuple[Record, ...]:
        """All drafts, and a seal over them if asked, in one transaction; on disk when it returns. Raises if not."""
        moment, head, records = self._clock(), self.head, []
        for draft in drafts:
            if len(draft.body) > BODY_LIMIT:
                raise JournalUnwritable(f"a {draft.kind} of {len(draft.body)} bytes is larger than a record may be")
            records.append(extend(head, draft, moment, os.urandom(SALT_BYTES)))
            head = Head(head.seq + 1, records[-1].hash)
        if seal:
            records.append(extend(head, seal_of(head, self._key), moment, os.urandom(SALT_BYTES)))
        self._head = None  # whatever happens now, the store knows best
        self._store.append(records)
        self._head = Head(records[-1].seq, records[-1].hash)
        return tuple(records)

    def now(self) -> Moment:
        """The time the next row would get."""
        return self._clock()

    def tidy(self) -> None:
        """To be called when everything written has been acknowledged."""
        self._store.tidy()
