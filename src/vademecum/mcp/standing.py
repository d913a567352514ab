"""The home under a server that runs for days: deleted meanwhile, or on a disk that was taken away.

The first write would make a new one in its place, which nobody asked for, and which is in the way when the disk comes
back. So where a home was seen once, or an installation has made one, a call is refused as long as it is gone.
"""

from collections.abc import Mapping

from vademecum.errors import StorageError
from vademecum.home import Home

__all__ = ["StandingHome"]


class StandingHome:
    """The home of one server.

    Parameters
    ----------
    is_installed: the server was plugged into a host, which makes a home.
    """

    def __init__(self, environ: Mapping[str, str], *, is_installed: bool) -> None:
        self._environ = environ
        self._was_there = is_installed or Home.find(environ).is_there

    def find(self) -> Home:
        """The home, there or not made yet. Raises StorageError where it is gone."""
        home = Home.find(self._environ)
        if home.is_there:
            self._was_there = True
        elif self._was_there:
            raise StorageError(
                f"the home of memory, {home.root}, is gone: it was deleted or moved, or its disk is not mounted",
                intact="Nothing was written, and no new home was made in its place.",
                next_step="Bring it back, and the same call works. Only where it is lost for good, the user can begin "
                "anew with `vade init`.",
                paths=(str(home.root),),
            )
        return home
