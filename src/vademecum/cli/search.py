"""`vade search`: find anything that was learned or said."""

import click

from vademecum.cli.options import echo_json, identity_option, json_option
from vademecum.engine import Memory
from vademecum.recall import Hit

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

    \b
    Example:
      vade search flaky test project:demo
    """
    memory = Memory.open(identity, must_exist=True)
    result = memory.search(" ".join(query), where=where, limit=limit, offset=offset, rebuild=rebuild)
    if as_json:
        results = [_shape(hit, explain=explain) for hit in result.hits]
        echo_json({"query": " ".join(query), "total": result.total, "results": results})
        return
    for hit in result.hits:
        place = f"{hit.path or hit.session_id}:{hit.line_start}-{hit.line_end}"
        click.echo(f"{place}  ({hit.score:.2f})")
        click.echo("    " + hit.snippet.replace("\n", "\n    "))
        if explain:
            click.echo(f"    why: {hit.explanation}")
    click.echo(f"{len(result.hits)} of {result.total} results", err=True)


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
