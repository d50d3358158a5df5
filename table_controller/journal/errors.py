"""What can go wrong with the record; each child says who must act."""


class JournalError(Exception):
    """Root of this room's errors; its text is one line fit for a screen."""


class JournalUnwritable(JournalError):
    """The technician: the disk does not take a record. The table pauses and acknowledges nothing."""


class JournalBusy(JournalError):
    """The technician: another program holds the journal; stop it and try again."""


class JournalDamaged(JournalError):
    """The technician: a stored record is not what was written; fetch the backup.

    `seq` is the first bad record; None if the damage lies outside the records.
    """

    def __init__(self, reason: str, seq: int | None = None) -> None:
        super().__init__(reason)
        self.reason = reason
        self.seq = seq


class AppendConflict(JournalError):
    """The programmer: the records do not continue the head of this journal; somebody else has written."""


class KeyUnusable(JournalError):
    """The installer: the signing key is missing, malformed or readable by others."""


class UnknownKind(JournalError):
    """The installer: a record was written by newer software; it is refused, never guessed."""


class DayIsOver(JournalError):
    """The person who opens the table: this day is closed; open the next one."""


class NotAllowed(JournalError):
    """The person who asks: this needs another role, a name or a reason."""


class NotKept(JournalError):
    """The person who asks: the journal holds no such day, round or record."""
