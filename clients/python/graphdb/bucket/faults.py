"""Errors that tell damage from what is kept no longer (B6, B7)."""

from ..errors import GraphDBError


class MissingObject(GraphDBError):
    """An object that a manifest names is not there: damage, or the version is kept no longer."""

    def __init__(self, key: str) -> None:
        super().__init__(f"{key} is damaged: it is missing", "CORRUPTION")
        self.key = key

    def __reduce__(self):
        return (type(self), (self.key,))


def corruption(key: str, what: str) -> GraphDBError:
    return GraphDBError(f"{key} is damaged: {what}", "CORRUPTION")


def expired(version: int) -> GraphDBError:
    """For reads that began when the version was there."""
    return GraphDBError(
        f"manifest version {version}, which is read here, is no longer kept: its lease has ended, or it had none. Begin again with the newest version, "
        "and with a longer lease where reading takes longer",
        "STORE_UNAVAILABLE",
    )
