"""What a stranger needs to know the house by: table, day, head and key, as text and as a QR code."""

from msgspec import Struct

GROUP = 8


class Identity(Struct, frozen=True):
    """The day's head and the house's fingerprint, in hex."""

    table: str
    day: str
    head: str
    fingerprint: str

    def qr_text(self) -> str:
        """One line, the same words `krupier verify` takes."""
        return f"krupier {self.table} {self.day} --head {self.head} --fingerprint {self.fingerprint}"


def grouped(text: str) -> str:
    """Eight letters at a time, for eyes that compare."""
    return " ".join(text[at : at + GROUP] for at in range(0, len(text), GROUP))
