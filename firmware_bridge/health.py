"""Counters of one link. Nothing on the wire goes wrong without one of these moving."""

from dataclasses import dataclass


@dataclass(slots=True)
class Health:
    """Since the session object was made, reconnections included. Times in ns."""

    frames: int = 0
    """Genuine frames of the present session taken from the wire."""
    events: int = 0
    """Events delivered to the controller."""
    garbled: int = 0
    """Stretches of bytes that were no frame: flips, cuts, noise."""
    forged: int = 0
    """Frames whose tag is wrong: injected, or recorded in another session."""
    replayed: int = 0
    """Genuine frames of this session that had been seen, or overtaken, before."""
    stale: int = 0
    """Frames left over from before the hello, thrown away unread."""
    missing: int = 0
    """Frames the board numbered and we never got (overtaken ones are counted here and in `replayed`)."""
    gaps: int = 0
    """Times we had to ask for events again."""
    repeated: int = 0
    """Events that came again after they had been delivered."""
    unknown: int = 0
    """Well-formed frames that mean nothing at this point of the protocol."""
    silences: int = 0
    reboots: int = 0
    lost_events: int = 0
    """Events the board itself says are gone."""
    device_bad: int = 0
    """Frames the board could not read (its own count, this boot)."""
    device_refused: int = 0
    """Frames the board refused as forged, replayed or out of place (its own count, this boot)."""
    kept: int = 0
    """Events on the board that we have not acknowledged."""
    round_trip_ns: int | None = None
    """Last PING to PONG."""

    @property
    def suspicious(self) -> int:
        """Frames that somebody may have put there on purpose."""
        return self.forged + self.replayed + self.device_refused
