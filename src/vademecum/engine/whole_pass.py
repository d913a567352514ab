"""One pass of learning as somebody asked for it: which sessions, into whose memory, or a rehearsal of both."""

from collections.abc import Callable, Mapping

from vademecum.engine import identity_pass, keeping_out, routed
from vademecum.engine.learn import LearnReport, LearnRequest, find_sessions, nothing_done, plan
from vademecum.engine.memory import Memory
from vademecum.engine.named_session import narrowed
from vademecum.engine.spool import transcripts
from vademecum.hook_settings import publish_hook_settings
from vademecum.learning import Progress
from vademecum.sessions import Discovery

__all__ = ["learn"]


def learn(
    memory: Memory,
    request: LearnRequest | None,
    environ: Mapping[str, str],
    *,
    found: Callable[[Discovery], None],
    progress: Progress,
) -> LearnReport:
    """Find, extract, consolidate: into this memory where it takes all, else each into that of its own directory.

    `found` is called once with what there is, `progress` after every session.
    """
    request = request or LearnRequest()
    work = plan(request, memory.config, progress)  # an unknown learner is refused before anything is made
    folders = [memory.folder] if memory.takes_all else memory.home.identities()
    discovery = find_sessions(request, environ, folders, named=transcripts(memory.home))
    if request.session is not None:
        work, discovery = narrowed(work, discovery, request.session, (memory.folder, *memory.home.identities()))
    found(discovery)
    if request.dry_run:
        if memory.takes_all:
            return identity_pass.rehearse_into(work, discovery, memory.folder)
        return routed.rehearse_by_routes(work, discovery, memory.home, memory.routes)
    if memory.home.root.is_dir():
        _put_right_for_hooks(memory)
    nothing_to_do = not discovery.refs and not memory.folder.exists
    if nothing_to_do or not memory.config.generate_memories:
        head = memory.tree().revision if memory.folder.exists else None
        kept_out = keeping_out.keep_out(discovery, folders, memory.identity_of)
        return nothing_done(discovery, head, kept_out=kept_out)
    if memory.takes_all:
        memory.create()
        return identity_pass.learn_into(work, discovery, memory.folder)
    _put_right_for_hooks(memory)
    return routed.learn_by_routes(work, discovery, memory.home, memory.routes, present=memory.folder)


def _put_right_for_hooks(memory: Memory) -> None:
    """Have hooks find what they read, whatever became of it; also where nothing is to be learned."""
    publish_hook_settings(memory.home)
    memory.routes.publish()
