"""A memory folder that is gone although the state knows what landed in it: lost, unmounted or moved away."""

import msgspec

from vademecum.engine.answers import Edit
from vademecum.errors import RepositoryMissing
from vademecum.home import IdentityFolder
from vademecum.memfs import Repository
from vademecum.state import State

__all__ = ["refuse_while_gone", "take_up", "with_loss"]


def refuse_while_gone(folder: IdentityFolder) -> None:
    """Raise RepositoryMissing where a decision would be written into a new memory, and be gone with it."""
    if folder.exists or not folder.state.exists():
        return
    with State.open(folder.state) as state:
        landed = any(head.consolidated_updated_at for head in state.records.heads())
    if landed:
        raise RepositoryMissing(
            f"the memory folder {folder.memory} is gone",
            next_step="Put it back into its place, then again; where it is lost for good, `vade learn` writes it anew.",
        )


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
