"""One agent by its name, or all: as `vade install` and `vade uninstall` take it."""

from collections.abc import Callable, Iterable

from vademecum.cli.boundary import PartlyDone
from vademecum.errors import CannotEdit, UsageError
from vademecum.hosts import HOSTS, Host, host_named

__all__ = ["named_host", "refuse_rest", "served"]

Shape = dict[str, object]


def named_host(name: str | None, *, every: bool) -> Host | None:
    """The host of this name; None where all are meant. Raises UsageError where both or neither was said."""
    if (name is None) != every:
        known = ", ".join(host.name for host in HOSTS)
        raise UsageError("name one host, or give --all", next_step=f"The hosts are {known}.")
    return None if name is None else host_named(name)


def served(hosts: Iterable[Host], act: Callable[[Host], Shape]) -> tuple[list[Shape], list[CannotEdit]]:
    """What came of each, and the refusals: one host whose file cannot be edited keeps no other from its turn."""
    done: list[Shape] = []
    refused: list[CannotEdit] = []
    for host in hosts:
        try:
            done.append(act(host))
        except CannotEdit as error:
            refused.append(error)
    return done, refused


def refuse_rest(done: list[Shape], refused: list[CannotEdit]) -> None:
    """End with the refusals, where there are any. Raises CannotEdit, or PartlyDone where others had their turn."""
    if not refused:
        return
    first = refused[0]
    told = CannotEdit("; ".join(map(str, refused)), next_step=first.next_step, paths=first.paths)
    raise PartlyDone(told, {"hosts": done}) if done else told
