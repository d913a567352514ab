"""Reading: memory files in portions that never flood a context, and sessions from where they were seen."""

from collections.abc import Iterator

from vademecum.engine.answers import Listing, Reading
from vademecum.errors import NotFound, SessionUnreadable, UsageError
from vademecum.memfs import Tree, validate
from vademecum.sessions import Session, SessionRef, load
from vademecum.state import State

__all__ = ["known_sessions", "list_folder", "read_lines", "read_session"]

MAX_BYTES = 64 * 1024


def read_lines(tree: Tree, path: str, *, offset: int, limit: int) -> Reading:
    """Lines from file line `offset` (from 1). Raises NotFound, UsageError where the line is outside the file."""
    name = validate(path)
    text = tree.read(name)
    lines = text.removesuffix("\n").split("\n") if text else []
    if not 1 <= offset <= max(len(lines), 1):
        raise UsageError(
            f"line {offset} is outside {name}, which has {len(lines)} lines",
            next_step=f"Read from a line between 1 and {max(len(lines), 1)}.",
        )
    chosen = lines[offset - 1 : offset - 1 + limit]
    content = "\n".join(chosen)
    cut = content.encode()[:MAX_BYTES].decode(errors="ignore")
    return Reading(
        path=name,
        start_line=offset,
        content=cut,
        total_lines=len(lines),
        truncated=offset - 1 + len(chosen) < len(lines) or len(cut) < len(content),
    )


def list_folder(tree: Tree, path: str) -> list[Listing]:
    """The entries of a folder (empty: the root), folders first. Raises NotFound."""
    folder = path.strip("/")
    prefix = f"{folder}/" if folder not in ("", ".") else ""
    below = [name.removeprefix(prefix) for name in tree.paths() if name.startswith(prefix)]
    if not below:
        raise NotFound(f"there is no folder {path!r} in the memory repository", paths=(path,))
    folders = sorted({name.split("/", 1)[0] for name in below if "/" in name})
    files = [name for name in below if "/" not in name]
    return [
        *(Listing(path=f"{prefix}{name}/", size_bytes=0) for name in folders),
        *(Listing(path=f"{prefix}{name}", size_bytes=tree.size(f"{prefix}{name}")) for name in files),
    ]


def read_session(state: State, session_id: str) -> Session:
    """The session, read again from its host, clean. Raises NotFound, SessionUnreadable."""
    sources = state.sources.of_session(session_id)
    if not sources:
        raise NotFound(f"no session {session_id!r} was seen here", next_step="Run `vade sessions` to list them.")
    newest = max(sources, key=lambda source: source.seen_at)
    return load(
        SessionRef(
            host=newest.host,
            path=newest.path,
            session_id=newest.session_key,
            fingerprint=newest.fingerprint,
            modified_at=newest.seen_at,
        )
    )


def known_sessions(state: State) -> Iterator[Session]:
    """Every session with a record that can still be read; one that is gone is left out."""
    for head in state.records.heads():
        try:
            yield read_session(state, head.session_id)
        except (NotFound, SessionUnreadable):
            continue
