"""The files that hooks read in place of settings and memory: damaged or old ones cost a session its block."""

from collections.abc import Iterator
from pathlib import Path

from vademecum.engine import Memory
from vademecum.errors import VademecumError
from vademecum.findings import Finding, fine, problem, warning
from vademecum.home import IdentityFolder
from vademecum.hook_settings import is_published
from vademecum.locks import Locks
from vademecum.memfs import Repository
from vademecum.private import odd_folder, odd_kind
from vademecum.recall import is_fresh

__all__ = ["hook_files"]

_ANEW = "Run `vade learn`: it makes the file anew, as the next event of an agent does."

_REAL = "Move what it leads to into its place, or set VADEMECUM_HOME to the real folder."


def hook_files(memory: Memory) -> Iterator[Finding]:
    """Whether a hook finds what it needs to give a session its block."""
    if not memory.config.use_memories:
        return  # then no hook reads them
    runtime = memory.home.runtime
    wrong = [
        (runtime / "hook.json", is_published(memory.home), _ANEW),
        (runtime / "routes.json", memory.routes.is_published, _ANEW),
        (memory.folder.cache / "context.json", _is_fresh(memory), "Run `vade context`: it makes the file anew."),
    ]
    found = [_told(path, again) for path, is_right, again in wrong if not is_right]
    found += _unwritable(runtime)
    found += [
        problem("hooks", f"{path} is a link, which hooks do not follow", _REAL)
        for path in (runtime, runtime / "hook.json", runtime / "routes.json", *_own_places(memory.folder))
        if path.is_symlink()
    ]
    yield from found or [fine("hooks", "hooks find what they read")]


def _own_places(folder: IdentityFolder) -> tuple[Path, ...]:
    return folder.cache.parent, folder.cache, folder.cache / "context.json", folder.pins


def _unwritable(runtime: Path) -> Iterator[Finding]:
    """What stands where hooks write."""
    spool = runtime / "spool"
    if kind := odd_folder(spool):
        yield _lost(spool, kind)
    for path in (runtime / "hosts.json", runtime / "hook.log", *sorted(spool.glob("*.jsonl"))):
        if kind := odd_kind(path):
            yield _lost(path, kind)


def _lost(path: Path, kind: str) -> Finding:
    what = f"{path} is {kind}, so what hooks tell of sessions may be lost"
    return warning("hooks", what, f"Move it away (mv {path} {path}.old): it is made anew.")


def _told(path: Path, again: str) -> Finding:
    kind = odd_kind(path) or ("damaged or old" if path.exists() else "missing")
    # All else that may stand there is replaced; a folder may hold something.
    next_step = f"Move it away (mv {path} {path}.old). {again}" if path.is_dir() else again
    return warning("hooks", f"{path} is {kind}, so hooks may give a session no block", next_step)


def _is_fresh(memory: Memory) -> bool:
    try:
        tree = Repository.open(memory.folder.memory, locks=Locks(memory.folder.locks)).tree()
    except VademecumError:
        return True  # the inspection of the repository has told why; nothing can be made of it
    return is_fresh(tree, memory.folder.cache)
