"""The tool that says how memory stands."""

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any

import msgspec

from vademecum.amounts import plural
from vademecum.toolbox.answers import one_line
from vademecum.toolbox.arguments import Arguments
from vademecum.toolbox.tool import Access, Answer, Call, Tool

if TYPE_CHECKING:
    from vademecum.engine import Inspection, Status, Trouble
    from vademecum.recall import ContextSection
    from vademecum.state import LastPass, Run

__all__ = ["MEMORY_INSPECT"]

_MOST = 20
_CHARACTERS = 200


class InspectArguments(Arguments, frozen=True, kw_only=True):
    """`memory_inspect` takes no arguments."""


def _inspect(call: Call[InspectArguments]) -> Answer:
    found = call.memory.inspect(cwd=call.asked_by.cwd or None)
    return Answer(text="\n".join(_lines(found)), data=_data(found))


def _lines(found: "Inspection") -> Iterator[str]:
    status = found.status
    revision = f"revision {status.revision[:12]}" if status.revision else "nothing written yet"
    yield f"identity {status.identity} ({status.route.chosen}), {revision}, in {status.home}"
    yield f"files: {_counted(found.files) or 'none'}"
    yield f"sessions learned: {_counted(status.records) or 'none'}"
    yield f"sessions kept out: {found.disabled} switched off, {found.polluted} with text from outside"
    size = f"{status.context_tokens:,} of {status.budget_tokens:,} tokens ({status.context_bytes:,} bytes)"
    yield f"a session here gets {size}"
    yield from map(_section_line, found.context)
    for kind, counts in found.jobs.items():
        yield f"jobs of {kind}: {_counted(counts)}"
    yield from (f"at work: {one.kind} of {one.key} since {_time(one.since)}" for one in found.at_work)
    yield from _waiting(status)
    yield from map(_trouble_line, found.troubles)
    yield from map(_run_line, status.runs)
    yield from _spending(status)
    yield f"settings: {', '.join(f'{key}={value}' for key, value in _told_settings(found.settings).items())}"
    yield from (f"rebuilt: {told}" for told in status.rebuilt[:_MOST])
    yield from (f"warning: {one_line(warning, _CHARACTERS)}" for warning in status.warnings[:_MOST])


def _section_line(section: "ContextSection") -> str:
    cut = f", {plural(section.cut, 'line')} left out for want of room" if section.cut else ""
    return f"  {section.name}: {section.bytes:,} bytes{cut}"


def _counted(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{count:,} {name}" for name, count in counts.items())


def _waiting(status: "Status") -> Iterator[str]:
    """What waits and why, and what the last pass came to."""
    from vademecum.engine import words_of

    for what, count in status.waiting.items():
        yield f"waits: {count:,} {words_of(what)}"
    if status.proposals:
        yield f"waits: {plural(len(status.proposals), 'proposal')} for the user's word (`vade proposals`)"
    if status.hand_edits or status.unfit_edits:
        edited = len(status.hand_edits) + len(status.unfit_edits)
        yield f"waits: {plural(edited, 'file')} edited by hand (`vade adopt`)"
    if status.unconfirmed_notes:
        yield f"waits: {plural(len(status.unconfirmed_notes), 'note')} of agents to be confirmed (`vade status`)"
    if status.draft_skills:
        yield f"waits: {plural(len(status.draft_skills), 'skill')} of agents to be made active"
    if status.unseen_pages:
        yield f"waits: {plural(len(status.unseen_pages), 'page')} of agents to be looked at (`vade status`)"
    if status.left_drafts:
        yield f"waits: {plural(len(status.left_drafts), 'draft')} of runs that were killed, for the next `vade learn`"
    yield from _last_pass(status.last_pass) if status.last_pass else ("no pass of learning yet",)


def _last_pass(last: "LastPass") -> Iterator[str]:
    from vademecum.engine import words_of

    yield (
        f"last pass {_time(last.at)}: {last.discovered:,} sessions found, {last.extracted:,} learned, "
        f"{last.no_output:,} with nothing to keep, {last.failed:,} failed"
    )
    for reason, count in sorted(last.skipped.items(), key=lambda item: -item[1])[:_MOST]:
        yield f"  {count:,} {words_of(reason)}"
    if last.error:
        yield f"  error: {one_line(last.error, _CHARACTERS)}; next: {last.next_step or 'nothing'}"


def _trouble_line(trouble: "Trouble") -> str:
    again = "given up until there is more of it" if trouble.is_given_up else f"again {_time(trouble.retry_at)}"
    what = f"{trouble.kind} of {trouble.key}: {trouble.error_class}"
    return f"error {_time(trouble.at)} in {what}: {trouble.error} ({again})"


def _run_line(run: "Run") -> str:
    error = f": {one_line(run.error, _CHARACTERS)}" if run.error else ""
    return f"run {run.id} {run.kind} {run.learner or '-'} {run.outcome or 'at work'}{error}"


def _spending(status: "Status") -> Iterator[str]:
    spent = status.spent_today
    limit = f" of {status.tokens_per_day:,}" if status.tokens_per_day else ""
    if spent.tokens:
        yield f"spent today: {spent.tokens:,}{limit} tokens"
    for breaker in status.breakers:
        yield f"resting until {_time(breaker.open_until)}: {breaker.model}: {one_line(breaker.reason, _CHARACTERS)}"


def _told_settings(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Those that are not at their default; with those that decide whether anything happens at all."""
    from vademecum.config import SETTINGS

    always = {"memories.generate_memories", "memories.use_memories", "memories.learner"}
    return {one.key: settings[one.key] for one in SETTINGS if one.key in always or settings[one.key] != one.default}


def _time(moment: datetime | None) -> str:
    return f"{moment:%Y-%m-%d %H:%M}Z" if moment else "at the next pass"


def _data(found: "Inspection") -> dict[str, Any]:
    status = msgspec.structs.replace(
        found.status,
        hand_edits=found.status.hand_edits[:_MOST],
        unfit_edits=dict(list(found.status.unfit_edits.items())[:_MOST]),
        proposals=(),
        unconfirmed_notes=found.status.unconfirmed_notes[:_MOST],
        draft_skills=found.status.draft_skills[:_MOST],
        unseen_pages=found.status.unseen_pages[:_MOST],
        left_drafts=found.status.left_drafts[:_MOST],
    )
    told = msgspec.structs.replace(found, status=status)
    return {**msgspec.to_builtins(told), "proposals": len(found.status.proposals)}


MEMORY_INSPECT = Tool(
    name="memory_inspect",
    description=(
        "Say how memory itself stands: what it holds, what waits and why, the last errors and runs, what a session "
        "gets, settings and warnings. Use it when the user asks about their memory, or when something that should be "
        "there is not."
    ),
    arguments=InspectArguments,
    access=Access.READ,
    call=_inspect,
)
