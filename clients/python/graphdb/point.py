"""A point as Cypher knows it."""

from typing import Optional


class Point(dict):
    """A point of a coordinate reference system: 7203 and 9157 (cartesian), 4326 and 4979 (on the globe), in two and three dimensions.

    It is the dict that the HTTP API answers, ``{"_kind": "point", "srid": 4326, "x": 12.5, "y": 55.0}``, with attributes. On the globe ``x`` is the
    longitude and ``y`` the latitude, in degrees. As a parameter a plain dict with exactly these keys does as well.
    """

    def __init__(self, srid: int, x: float, y: float, z: Optional[float] = None) -> None:
        super().__init__(_kind="point", srid=int(srid), x=float(x), y=float(y))
        if z is not None:
            self["z"] = float(z)

    @property
    def srid(self) -> int:
        return self["srid"]

    @property
    def x(self) -> float:
        return self["x"]

    @property
    def y(self) -> float:
        return self["y"]

    @property
    def z(self) -> Optional[float]:
        """``None`` in two dimensions."""
        return self.get("z")

    def __repr__(self) -> str:
        third = "" if self.z is None else f", {self.z!r}"
        return f"Point({self.srid}, {self.x!r}, {self.y!r}{third})"
