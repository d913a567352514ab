"""How installations look at a terminal."""

from vademecum.cli.printing import Style, flat, home_as_tilde, say, say_styled
from vademecum.hosts import Change, Plan

__all__ = ["say_plan", "shape_of"]

_STYLES = {"+": Style.ADDED, "-": Style.REMOVED, "@": Style.FAINT}


def say_plan(plan: Plan) -> None:
    """Print every change as a unified diff, secrets masked; then, above the question, which files these are."""
    for number, change in enumerate(plan.changes):
        if number:
            say()
        say_styled((home_as_tilde(flat(str(change.path))), Style.STRONG), (f"  {change.what}", Style.PLAIN))
        if change.file != change.path:
            say(f"  a link to {home_as_tilde(flat(str(change.file)))}, which is what changes")
        for line in change.diff():
            say_styled((line, _STYLES.get(line[:1], Style.PLAIN)))
    for sentence in plan.told:
        say(f"note     {flat(sentence)}")
    say()
    for change in plan.changes:
        path = home_as_tilde(flat(str(change.path)))
        say_styled((f"{_kind_of(change):<8} ", Style.PLAIN), (path, Style.STRONG), (f"  {change.what}", Style.PLAIN))


def _kind_of(change: Change) -> str:
    if change.before is None:
        return "new"
    return "deleted" if change.after is None else "changed"


def shape_of(plan: Plan, *, written: bool) -> dict[str, object]:
    """What `--json` says of a plan."""
    return {
        "host": plan.host.name,
        "written": written,
        "files": [{"path": str(change.path), "what": change.what, "diff": _text(change)} for change in plan.changes],
        "told": list(plan.told),
        "next": [] if plan.removes else list(plan.host.next_steps),
    }


def _text(change: Change) -> str:
    return "\n".join(change.diff())
