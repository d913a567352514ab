"""One pass of learning as somebody asked for it: which sessions, into whose memory, or a rehearsal of both."""

from collections.abc import Callable, Sequence

import msgspec

from vademecum.engine import identity_pass, keeping_out, routed
from vademecum.engine.learn import LearnReport, LearnRequest, Plan, find_sessions, nothing_done, plan
from vademecum.engine.left_out import LeftOut, why_left_out
from vademecum.engine.named_session import narrowed
from vademecum.engine.opened import Opened
from vademecum.engine.spool import transcripts
from vademecum.engine.switching import memory_of_session
from vademecum.home import IdentityFolder
from vademecum.hook_settings import publish_hook_settings
from vademecum.learning import Progress, Skip
from vademecum.sessions import Discovery, SessionRef
from vademecum.state import State

__all__ = ["learn"]


def learn(
    opened: Opened,
    request: LearnRequest | None,
    *,
    found: Callable[[Discovery], None],
    progress: Progress,
) -> LearnReport:
    """Find, extract, consolidate: into this memory where it takes all, else each into that of its own directory.

    `found` is called once with what there is, `progress` after every session.
    """
    request = request or LearnRequest()
    became: list[str] = []

    def told(ref: SessionRef, what: str) -> None:
        became.append(what)
        progress(ref, what)

    work = plan(request, opened.config, told)  # an unknown learner is refused before anything is made
    folders = [opened.folder] if opened.takes_all else opened.home.identities()
    discovery = find_sessions(request, opened.environ, folders, named=transcripts(opened.home))
    if request.session is not None:
        work, discovery = narrowed(work, discovery, request.session, (opened.folder, *opened.home.identities()))
    found(discovery)
    report = _pass(opened, work, discovery, folders)
    named = work.request.session
    if named is None or not became or not set(became) <= set(Skip):
        return report
    return msgspec.structs.replace(report, left_out=_left_out(opened, named, Skip(became[0])))


def _left_out(opened: Opened, session: str, skip: Skip) -> LeftOut:
    owner = memory_of_session(session, opened)
    tree = owner.tree() if owner.folder.exists else None
    if not owner.folder.state.exists():
        return why_left_out(session, skip, tree=tree, state=None)
    with State.read(owner.folder.state) as state:
        return why_left_out(session, skip, tree=tree, state=state)


def _pass(opened: Opened, work: Plan, discovery: Discovery, folders: Sequence[IdentityFolder]) -> LearnReport:
    if work.request.dry_run:
        if opened.takes_all:
            return identity_pass.rehearse_into(work, discovery, opened.folder)
        return routed.rehearse_by_routes(work, discovery, opened.home, opened.routes)
    if opened.home.root.is_dir():
        _put_right_for_hooks(opened)
    nothing_to_do = not discovery.refs and not opened.folder.exists
    if nothing_to_do or not opened.config.generate_memories:
        head = opened.tree().revision if opened.folder.exists else None
        kept_out = keeping_out.keep_out(discovery, folders, opened.identity_of)
        return nothing_done(discovery, head, kept_out=kept_out)
    if opened.takes_all:
        opened.create()
        return identity_pass.learn_into(work, discovery, opened.folder)
    _put_right_for_hooks(opened)
    return routed.learn_by_routes(work, discovery, opened.home, opened.routes, present=opened.folder)


def _put_right_for_hooks(opened: Opened) -> None:
    """Have hooks find what they read, whatever became of it; also where nothing is to be learned."""
    publish_hook_settings(opened.home)
    opened.routes.publish()
