"""What can go wrong on the wire, by who must act."""


class BridgeError(Exception):
    """Root of this room's errors."""


class UnreadableFrame(BridgeError):
    """Bytes that are no frame of this protocol; the device or the cable is at fault."""


class PortUnusable(BridgeError):
    """The serial port cannot be used; `check` names the entry of checks.py that tells the technician why."""

    def __init__(self, check: str, path: str) -> None:
        super().__init__(f"{path}: {check}")
        self.check = check
        self.path = path


class NotNow(BridgeError):
    """The controller asked for something the session cannot do in its present state."""


class KeysUnreadable(BridgeError):
    """The file of pairing keys is damaged or open to others; the message says which line and what to do."""
