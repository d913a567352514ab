"""`vade search`: find anything that was learned or said."""

from collections.abc import Mapping

import click

from vademecum.amounts import plural
from vademecum.cli.options import identity_option, json_option
from vademecum.cli.printing import flat, home_as_tilde, say, say_json
from vademecum.cli.words import short_ids
from vademecum.engine import Memory
from vademecum.errors import UsageError
from vademecum.recall import Hit, no_filters
from vademecum.secrets import mask

__all__ = ["command"]


@click.command("search")
@click.argument("query", nargs=-1, required=True)
@click.option(
    "--in",
    "where",
    type=click.Choice(["memory", "sessions", "all"]),
    default="all",
    show_default=True,
    help="Where to look.",
)
@click.option(
    "--limit", type=click.IntRange(min=1, max=200), default=10, show_default=True, metavar="N", help="How many results."
)
@click.option("--offset", type=click.IntRange(min=0), default=0, metavar="N", help="Skip the first N results.")
@click.option("--explain", is_flag=True, help="Say why each result was found.")
@click.option("--rebuild", is_flag=True, help="Build the index of memory files anew first.")
@identity_option
@json_option
def command(
    query: tuple[str, ...],
    where: str,
    limit: int,
    offset: int,
    explain: bool,
    rebuild: bool,
    identity: str | None,
    as_json: bool,
) -> None:
    """Search memory files and past sessions: words, "phrases", -not, in:, path:, project:, host:, before:, after:.

    Days are written as 2026-11-20. A word that must not stand there begins with a minus: put `--` before the words,
    or all of them into one pair of quotes.

    \b
    Examples:
      vade search flaky test project:demo after:2026-11-01
      vade search '"blue green" deploy'
      vade search -- nextest -deadlocks
      vade search "nextest -deadlocks"
    """
    words = " ".join(query)
    if not words.strip():
        raise UsageError("there is nothing to search for", next_step="Run `vade search WORDS`.")
    memory = Memory.open(identity, must_exist=True)
    result = memory.search(words, where=where, limit=limit, offset=offset, rebuild=rebuild)
    if as_json:
        results = [_shape(hit, explain=explain) for hit in result.hits]
        say_json({"query": mask(words), "total": result.total, "results": results})
        return
    for word in no_filters(words) if explain else ():
        say(f"`{flat(word)}` is no filter that search knows: taken as words")
    said = any(hit.kind == "session" for hit in result.hits)
    short = short_ids(row.id for row in memory.sessions()) if said else {}
    for hit in result.hits:
        say(_place(hit, short))
        say("    " + hit.snippet.replace("\n", "\n    "))
        if explain:
            say(f"    why: {hit.explanation} (score {hit.score:.2f})")
    say(_count(len(result.hits), result.total, offset))


def _place(hit: Hit, short: Mapping[str, str]) -> str:
    """Where it is from, as a person says it; `vade read` and `vade sessions show` open what it names."""
    project = f", in {home_as_tilde(flat(hit.project))}" if hit.project else ""
    if hit.kind == "memory":
        lines = str(hit.line_start) if hit.line_start == hit.line_end else f"{hit.line_start}-{hit.line_end}"
        return f"{flat(hit.path or '')}:{lines}{project}"
    session = short.get(hit.session_id or "", hit.session_id or "")
    moment = f", {hit.updated_at:%Y-%m-%d}" if hit.updated_at else ""
    beside = "; your words stand in a message beside this one" if hit.is_beside else ""
    return f"said in {hit.host} session {flat(session)}{moment}{project}{beside}"


def _count(shown: int, total: int, offset: int) -> str:
    if not total:
        return "nothing was found"
    more = f"; go on with --offset {offset + shown}" if shown and offset + shown < total else ""
    return f"{shown} of {plural(total, 'result')}{more}"


def _shape(hit: Hit, *, explain: bool) -> dict[str, object]:
    """One result of `--json`: where it stands is a path or a session, by its kind."""
    place = {"path": hit.path} if hit.kind == "memory" else {"session_id": hit.session_id}
    why = {"explanation": hit.explanation} if explain else {}
    return {
        "kind": hit.kind,
        **place,
        "line_start": hit.line_start,
        "line_end": hit.line_end,
        "snippet": hit.snippet,
        "score": hit.score,
        "updated_at": hit.updated_at,
        "project": hit.project,
        **why,
    }
