"""Open sessions and enrolled tablets: made, used, locked, ended. A token is shown once and kept as its digest."""

from dashboard.passwords import digest, new_token
from dashboard.people import PERSON, People, Session, Tablet, account_of, whole


class Sessions:
    """Who is signed in, and on which tablets a PIN is enough. Times are seconds since the epoch."""

    def __init__(self, people: People, idle: int, longest: int) -> None:
        self._people = people
        self._idle = idle
        self._longest = longest

    def begin(self, name: str, now: int) -> str:
        """A new session; returns its token."""
        token = new_token()
        self._people.do(
            (
                "INSERT INTO sessions (token, name, made_at, seen_at) VALUES (?, ?, ?, ?)",
                (digest(token), name, now, now),
            ),
            ("UPDATE people SET seen_at = ? WHERE name = ?", (now, name)),
        )
        return token

    def of(self, token: str, now: int) -> Session | None:
        """The session of a token, if it is open and its person may still sign in; idle ones are locked."""
        rows = self._people.rows(
            f"SELECT {PERSON}, sessions.made_at, sessions.seen_at, sessions.locked FROM sessions "
            "JOIN people USING (name) WHERE token = ? AND people.active = 1",
            digest(token),
        )
        if not rows:
            return None
        *person, made_at, seen_at, locked = rows[0]
        if whole(made_at) + self._longest < now:
            self.end(token)
            return None
        idle = whole(seen_at) + self._idle < now
        return Session(account_of(tuple(person)), whole(made_at), whole(seen_at), bool(locked) or idle)

    def touch(self, token: str, now: int) -> None:
        """Somebody is there; kept to the minute, so that reading pages seldom writes."""
        self._people.do(
            (
                "UPDATE sessions SET seen_at = ? WHERE token = ? AND locked = 0 AND seen_at < ?",
                (now, digest(token), now - 15),
            )
        )

    def lock(self, token: str) -> None:
        """From now on a PIN is asked for."""
        self._people.do(("UPDATE sessions SET locked = 1 WHERE token = ?", (digest(token),)))

    def unlock(self, token: str, now: int) -> None:
        """The PIN was right."""
        self._people.do(("UPDATE sessions SET locked = 0, seen_at = ? WHERE token = ?", (now, digest(token))))

    def end(self, token: str) -> None:
        """Signed out."""
        self._people.do(("DELETE FROM sessions WHERE token = ?", (digest(token),)))

    def end_all(self, name: str) -> None:
        """Everywhere at once."""
        self._people.do(("DELETE FROM sessions WHERE name = ?", (name,)))

    def counted(self) -> dict[str, int]:
        """How many sessions each person has open."""
        rows = self._people.rows("SELECT name, COUNT(*) FROM sessions GROUP BY name")
        return {str(name): whole(number) for name, number in rows}

    def enrol(self, label: str, by: str, now: int) -> str:
        """From now on people sign in on this tablet by name and PIN; returns its token."""
        token = new_token()
        self._people.do(("INSERT INTO tablets VALUES (?, ?, ?, ?)", (digest(token), label, by, now)))
        return token

    def tablet(self, token: str) -> Tablet | None:
        """The enrolled tablet of a token."""
        return next((one for one in self.tablets() if one.token == digest(token)), None)

    def tablets(self) -> list[Tablet]:
        """All enrolled tablets; their tokens are digests."""
        rows = self._people.rows("SELECT label, by, made_at, token FROM tablets ORDER BY made_at")
        return [Tablet(str(label), str(by), whole(at), str(token)) for label, by, at, token in rows]

    def dismiss(self, kept: str) -> None:
        """A tablet is no longer trusted; `kept` is its digest."""
        self._people.do(("DELETE FROM tablets WHERE token = ?", (kept,)))
