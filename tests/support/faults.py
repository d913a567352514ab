"""Ways in which a home breaks while agents run that memory is plugged into."""

import shutil
import subprocess
from collections.abc import Callable

import msgspec

from support.product import Product

__all__ = ["FAULTS", "Fault"]

GARBAGE = b"garbage" * 300


class Fault(msgspec.Struct, frozen=True, kw_only=True):
    """One way, and what is true while it lasts."""

    #: Breaks the home.
    happens: Callable[[Product], object]
    #: Whether the hook of a new session still gives it the block, and the server a note.
    gives: bool = False
    notes: bool = True
    #: What `vade doctor` says, and where it belongs; whether it calls it a problem.
    says: str
    area: str
    is_problem: bool = True
    #: A command that mends it, which is the next step that doctor names.
    mended_by: str = ""


def spoil(name: str, data: bytes = GARBAGE) -> Callable[[Product], object]:
    return lambda product: (product.home / name).write_bytes(data)


def holds_index(product: Product) -> None:
    """Git's own lock, as a git that was killed leaves it."""
    lock = product.memory / ".git/index.lock"
    lock.touch()
    subprocess.run(["touch", "-d", "2 days ago", str(lock)], check=True)


FAULTS = {
    "a spoiled state": Fault(
        happens=spoil("identities/default/state.db"),
        gives=True,
        says="state.db cannot be read",
        area="state",
        mended_by="vade learn",
    ),
    "a spoiled index": Fault(
        happens=spoil("identities/default/search.db"),
        gives=True,
        says="nothing is lost",
        area="search",
        is_problem=False,
        mended_by="vade search WORDS",
    ),
    "a spoiled cache": Fault(
        happens=spoil("identities/default/runtime/cache/context.json"),
        says="context.json is damaged or old",
        area="hooks",
        is_problem=False,
        mended_by="vade context",
    ),
    "spoiled settings of hooks": Fault(
        happens=spoil("runtime/hook.json"),
        says="hook.json is damaged or old",
        area="hooks",
        is_problem=False,
        mended_by="vade learn",
    ),
    "a spoiled table of routes": Fault(
        happens=lambda product: (
            product.call("home", "route", "/srv/other", "other"),
            spoil("runtime/routes.json")(product),
        ),
        says="routes.json is damaged or old",
        area="hooks",
        # The hook that doctor tries fails at it.
        is_problem=True,
        mended_by="vade learn",
    ),
    "settings that are no TOML": Fault(
        happens=spoil("config.toml", b"[memories\n"), gives=True, notes=False, says="is no TOML", area="settings"
    ),
    "a spoiled branch": Fault(
        happens=spoil("identities/default/memory/.git/refs/heads/main"),
        notes=False,
        says="corrupted loose reference",
        area="repository",
    ),
    "a lock that git left": Fault(
        happens=holds_index, gives=True, notes=False, says="stops every write", area="repository"
    ),
    "a memory folder that is gone": Fault(
        happens=lambda product: shutil.rmtree(product.memory), says="is gone, and state.db still knows", area="memory"
    ),
    "a home that is gone": Fault(
        happens=lambda product: shutil.rmtree(product.home),
        notes=False,
        says="is gone, and memory is plugged into",
        area="home",
    ),
    "a disk that is not mounted": Fault(
        happens=lambda product: (shutil.rmtree(product.home), product.home.mkdir()),
        notes=False,
        says="is gone, and memory is plugged into",
        area="home",
    ),
}
