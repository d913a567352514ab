"""The tools with which a person controls memory through their agent: the mode of a session, and beginning anew."""

import shlex
from typing import TYPE_CHECKING, Annotated, Any, Literal

import msgspec
from msgspec import Meta

from vademecum.amounts import plural
from vademecum.errors import RefusedError, UsageError
from vademecum.toolbox.arguments import Arguments
from vademecum.toolbox.tool import Access, Answer, Call, Tool

if TYPE_CHECKING:
    from vademecum.state import SessionMode

__all__ = ["MEMORY_MODE", "MEMORY_RESET"]

#: A question is one short line, and of that an id is the smaller part.
_MAX_QUESTION, _MAX_QUOTED = 300, 80

_Mode = Annotated[
    Literal["enabled", "disabled"],
    Meta(description="`disabled`: nothing is learned from the session; left out: only say how it stands."),
]
_Session = Annotated[str, Meta(description="A session id; left out: this session.", min_length=1, max_length=256)]


class ModeArguments(Arguments, frozen=True, kw_only=True):
    """The arguments of `memory_mode`."""

    mode: _Mode | None = None
    session: _Session | None = None


class ResetArguments(Arguments, frozen=True, kw_only=True):
    """`memory_reset` takes no arguments: the person decides."""


def _mode(call: Call[ModeArguments]) -> Answer:
    asked = call.arguments
    session = call.asked_by.session
    if asked.session is not None and asked.session != session:
        # Before a person is asked or told anything: what a model says must name a session that is there.
        session = call.memory.switching.find(asked.session)
    if session is None:
        raise UsageError(
            "nobody said which session this is",
            next_step="Name its id, or tell the user: `vade mode SESSION disabled`.",
        )
    if asked.mode is None:
        return _stands(session, call.memory.for_agents.mode(session), "")
    return _switched(call, session, asked.mode)


def _switched(call: Call[ModeArguments], session: str, mode: str) -> Answer:
    from vademecum.state import SessionMode

    wanted = SessionMode(mode)
    is_own = session == call.asked_by.session
    # That its own session stays out of memory is the user's to say and nobody's loss; all else could undo their word.
    if not (is_own and wanted is SessionMode.DISABLED) and not _stands_so(call, session, wanted, is_own=is_own):
        verb = "learn from" if wanted is SessionMode.ENABLED else "keep out of memory"
        _ask(call, f'Let memory {verb} the session "{_quoted(session)}"?', shlex.join(["vade", "mode", session, mode]))
    change = call.memory.switching.switch(session, wanted, is_whole_id=is_own, asked_by=call.asked_by)
    told = (
        " What memory has from it alone stands there until the next pass of learning takes it out."
        if change.was_learned
        else ""
    )
    return _stands(change.session, change.mode, told if change.mode is SessionMode.DISABLED else "", change.commit)


def _quoted(session: str) -> str:
    """What a host called its session, so that it ends no quotation and says nothing else."""
    from vademecum.artifacts import plain_line
    from vademecum.secrets import mask

    return plain_line(mask(session), _MAX_QUOTED).replace('"', "'")


def _stands_so(call: Call[ModeArguments], session: str, wanted: "SessionMode", *, is_own: bool) -> bool:
    return is_own and call.memory.for_agents.mode(session) is wanted


def _stands(session: str, mode: "SessionMode", told: str, commit: str | None = None) -> Answer:
    from vademecum.state import SessionMode

    means = "it is learned from when it is finished" if mode is SessionMode.ENABLED else "nothing is learned from it"
    data = {"session": session, "mode": mode.value, "commit": commit}
    return Answer(text=f"session {session} is {mode.value} for memory: {means}.{told}", data=data)


def _reset(call: Call[ResetArguments]) -> Answer:
    resetting = call.memory.resetting
    preview = resetting.preview()
    what = f"{plural(preview.files, 'file')} and what {plural(preview.sessions, 'session')} taught"
    _ask(call, f"Begin memory anew? This puts away {what}; `vade reset --purge` deletes it for good.", "vade reset")
    kept = resetting.reset()
    text = (
        f"Memory has begun anew: {what} put away as {kept.reference}.\n"
        f"Tell the user the way back: `git reset --hard {kept.reference}` in the memory folder, then `vade learn`."
    )
    return Answer(text=text, data={"trash": msgspec.to_builtins(kept)})


def _ask(call: Call[Any], question: str, command: str) -> None:
    """Have the person say yes. Raises RefusedError where they do not, or nobody can be asked."""
    from vademecum.artifacts import plain_line

    if call.confirm is None:
        raise RefusedError(
            "this needs the user's own yes, and nobody can be asked here",
            next_step=f"Tell the user to run `{command}` themselves.",
        )
    if not call.confirm(plain_line(question, _MAX_QUESTION)):
        raise RefusedError("the user said no", next_step="Leave it as it is, and do not ask again.")


MEMORY_MODE = Tool(
    name="memory_mode",
    description=(
        "Keep this session out of memory when the user wants that, or say whether it is. Switching it on again, and "
        "any other session, needs the user's own yes."
    ),
    arguments=ModeArguments,
    access=Access.CONTROL,
    call=_mode,
)

MEMORY_RESET = Tool(
    name="memory_reset",
    description=(
        "Begin with an empty memory, only when the user asks for exactly that. They are asked once more; what was "
        "there is put away and can be brought back."
    ),
    arguments=ResetArguments,
    access=Access.CONTROL,
    call=_reset,
)
