"""A memory folder that is gone although the state knows what landed in it: lost, unmounted or moved away."""

import msgspec

from vademecum.engine.answers import Edit
from vademecum.home import IdentityFolder
from vademecum.memfs import Repository
from vademecum.state import State

__all__ = ["take_up", "with_loss"]


def take_up(folder: IdentityFolder, repository: Repository) -> None:
    """Have a new repository keep what a person decided in the one that is gone."""
    if folder.state.exists():
        from vademecum.learning import keep_switched_off  # hardly ever needed, and it takes a while to load

        with State.open(folder.state) as state:
            keep_switched_off(state, repository)


def with_loss(edit: Edit, folder: IdentityFolder, repository: Repository) -> Edit:
    """The answer to the first write of a memory; where an earlier one is gone, it says so."""
    if not folder.state.exists():
        return edit
    from vademecum.learning import told_of_loss  # hardly ever needed, and it takes a while to load

    with State.open(folder.state) as state:
        lost = told_of_loss(state, repository)
    return msgspec.structs.replace(edit, message=f"{edit.message}\n! {lost}") if lost else edit
