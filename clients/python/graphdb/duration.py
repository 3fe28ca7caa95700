"""A duration as Cypher knows it."""

import datetime
from typing import NamedTuple


class Duration(NamedTuple):
    """Months, days, seconds and nanoseconds: four amounts that do not convert into each other, except the last two.

    ``nanoseconds`` lies in 0 … 999,999,999, so half a second back is ``Duration(0, 0, -1, 500_000_000)``. As a parameter a
    ``datetime.timedelta`` does as well. ``str()`` gives the ISO 8601 text.
    """

    months: int = 0
    days: int = 0
    seconds: int = 0
    nanoseconds: int = 0

    @classmethod
    def of(cls, delta: datetime.timedelta) -> "Duration":
        """The duration of a ``timedelta``: its days, seconds and microseconds, and the nanoseconds that one of pandas has."""
        return cls(0, delta.days, delta.seconds, delta.microseconds * 1000 + getattr(delta, "nanoseconds", 0))

    @property
    def timedelta(self) -> datetime.timedelta:
        """The same as a ``timedelta``, below a microsecond cut off. ``ValueError`` with months: nobody knows their days."""
        if self.months:
            raise ValueError("a duration with months has no fixed length")
        return datetime.timedelta(days=self.days, seconds=self.seconds, microseconds=self.nanoseconds // 1000)

    def __str__(self) -> str:
        nanoseconds = self.seconds * 1_000_000_000 + self.nanoseconds
        sign = "-" if nanoseconds < 0 else ""
        whole, fraction = divmod(abs(nanoseconds), 1_000_000_000)
        seconds = sign + str(whole) + (f".{fraction:09d}".rstrip("0") if fraction else "")
        return f"P{self.months}M{self.days}DT{seconds}S"
