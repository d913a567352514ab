"""`vade forget`: let go of a file, a folder, a line or a session."""

import sys

import click
import msgspec

from vademecum.amounts import plural
from vademecum.artifacts import NOTES_FOLDER
from vademecum.cli.authority import writes
from vademecum.cli.boundary import PartlyDone
from vademecum.cli.forget_lines import forget_lines
from vademecum.cli.options import confirmed, identity_option, json_option, yes_option
from vademecum.cli.printing import flat, say, say_json, size
from vademecum.engine import ForgetPreview, ForgetReport, Memory, ScrubProof
from vademecum.errors import UsageError, WordsRemain
from vademecum.memfs import Find, belongs_to_person, masked_name, split_lines, with_shown_names
from vademecum.secrets import mask

__all__ = ["command"]

_SHOWN = 8
_COLUMNS = 80


@click.command("forget")
@click.argument("what", metavar="PATH[:LINE]|SESSION")
@click.option("--scrub", is_flag=True, help="Also take it out of history, databases and caches, and prove it.")
@yes_option
@click.option("--protected", is_flag=True, help="With --yes: also what is yours alone.")
@identity_option
@json_option
@writes
def command(what: str, scrub: bool, yes: bool, protected: bool, identity: str | None, as_json: bool) -> None:
    """Forget a file, a folder, a line, or all that a session taught. It does not come back by itself.

    A line (`PATH:LINE`, or `PATH:FIRST-LAST` for several) is a statement of the handbook or the summary, which goes
    from both, or a line of a note. It stays away from what is learned until you say it again.

    What others said too stays, in their words: another session that says the same is evidence of its own, whether
    memory has learned it already or will, and however old it is. Forget that one as well.

    Without --scrub it stays in the history of the repository, where `git` finds it. With --scrub that is rewritten:
    commits get new ids, and there is no way back.

    With --scrub the command ends with exit code 1 where words that should be gone are left; that others say the same is
    told, and is no failure.

    Where your boundaries, the instructions of an extension or several of your notes would go, --yes is not enough: type
    what goes when you are asked, or add --protected.

    \b
    Examples:
      vade forget reference/old-server.md
      vade forget MEMORY.md:14
      vade forget 0199a000 --scrub
    """
    memory = Memory.open(identity, must_exist=True)
    if split_lines(what):
        forget_lines(memory, what, scrub=scrub, yes=yes, as_json=as_json)
        return
    forgetting = memory.forgetting
    if not (yes and protected):
        preview = forgetting.preview(what, scrubs=scrub)
        if not _agreed(preview, what, yes=yes, scrub=scrub):
            say("nothing was forgotten", err=True)
            return
    report = forgetting.forget(what, scrubs=scrub)
    if not as_json:
        _print(report)
    # What others said as well was never promised to go: it is told, and is no failure.
    if report.proof and report.proof.left:
        raise PartlyDone(_remains(report.proof), _shape(report))
    if as_json:
        say_json(_shape(report))


def _agreed(preview: ForgetPreview, what: str, *, yes: bool, scrub: bool) -> bool:
    """Whether a person wants this; raises UsageError where their word is needed and nobody is there to give it."""
    guarded = _guarded(preview)
    if not yes:
        _announce(preview, scrub=scrub)
    if not guarded:
        return confirmed("Forget it?", yes=yes)
    count = plural(len(preview.target.every_path), "file")
    if yes or not sys.stdin.isatty():
        raise UsageError(
            f"{masked_name(what)} holds what is yours alone ({masked_name(guarded[0])}); {count} would go",
            next_step="Look at it with `vade ls`; if all of it shall go, add --yes --protected.",
        )
    say(f"yours    {flat(masked_name(guarded[0]))} is among the {count}", err=True)
    return click.prompt(f"Type {what} to forget it", default="", show_default=False, err=True).strip() == what


def _guarded(preview: ForgetPreview) -> list[str]:
    """What no agent may touch, among the files that go; of notes only several: to forget one is an everyday thing."""
    own = [path for path in preview.target.every_path if belongs_to_person(path)]
    notes = [path for path in own if path.startswith(NOTES_FOLDER)]
    return own if len(notes) != 1 else [path for path in own if path not in notes]


def _announce(preview: ForgetPreview, *, scrub: bool) -> None:
    """What will go, before it is asked for."""
    if (files := len(preview.target.every_path)) > _SHOWN:
        say(f"in all   {plural(files, 'file')}", err=True)
    for session in preview.target.sessions[:_SHOWN]:
        say(f"session  {flat(session)}", err=True)
    for path in preview.target.paths[:_SHOWN]:
        say(f"file     {flat(masked_name(path))}", err=True)
    for path in preview.target.former_paths[:_SHOWN]:
        say(f"history  {flat(masked_name(path))}", err=True)
    for words in preview.bullets[:_SHOWN]:
        say(f"line     {flat(mask(words))}", err=True)
    listed = (preview.target.sessions, preview.target.paths, preview.target.former_paths, preview.bullets)
    if more := sum(max(0, len(items) - _SHOWN) for items in listed):
        say(f"         and {more} more", err=True)
    if preview.thinned:
        say(f"stays    {plural(preview.thinned, 'line')} that others said as well", err=True)
    for link in _links(preview)[:_SHOWN]:
        say(f"link     {flat(link)}", err=True)
    if preview.only_finishes:
        rest = "what it took out of history goes from the disk" if scrub else "the databases follow the commit"
        say(f"         an interrupted {'scrub' if scrub else 'forget'} is finished: {rest}", err=True)
        return
    what = "history is rewritten; there is no way back" if scrub else "history keeps it; --scrub takes it out there too"
    say(f"         {what}", err=True)


def _links(preview: ForgetPreview) -> list[str]:
    """The links that will lead nowhere, each a sentence with names as they may be told."""
    return [mask(with_shown_names(link, preview.target.every_path)) for link in preview.links]


def _print(report: ForgetReport) -> None:
    preview, proof = report.preview, report.proof
    went = [
        plural(len(items), noun)
        for items, noun in (
            (preview.target.sessions, "session"),
            (preview.target.every_path, "file"),
            (preview.bullets, "line"),
        )
        if items
    ]
    if report.completed:
        say("finished what an interrupted run had begun")
    if report.commit:
        say(f"forgot   {', '.join(went)} in commit {report.commit[:10]}")
    elif not report.completed:
        say("this was forgotten already")
    for link in _links(preview):
        say(f"link     {flat(link)}, which is gone")
    if proof is None:
        return
    _print_finds("stands", proof.elsewhere)
    _print_finds("left", proof.left)
    read = f"{plural(proof.objects, 'object')} and {size(proof.size_bytes)} read"
    outcome = "not gone everywhere" if proof.left else "nothing of it is left"
    say(f"proof    {read}: {outcome}{' but what stands by itself' if proof.elsewhere else ''}")
    if proof.elsewhere:
        say("Next: look at those places; forget those sessions or files too, or edit them.")
    for path in preview.transcripts:
        say(f"note     {flat(path)} is the agent's own record of it, and stays")


def _print_finds(word: str, finds: tuple[Find, ...]) -> None:
    for find in finds[:_SHOWN]:
        say(f"{word:<8} {flat(find.where)}: {flat(find.words)[:_COLUMNS]}")
    if len(finds) > _SHOWN:
        say(f"         and {plural(len(finds) - _SHOWN, 'more place')}")


def _remains(proof: ScrubProof) -> WordsRemain:
    where = proof.left[0].where
    return WordsRemain(f"the words are still in {plural(len(proof.left), 'place')}, the first is {where}")


def _shape(report: ForgetReport) -> dict[str, object]:
    """The object of `--json`; where words remain, the error stands beside it."""
    preview, proof = report.preview, report.proof
    return {
        "commit": report.commit,
        "completed": report.completed,
        "sessions": list(preview.target.sessions),
        "paths": list(map(masked_name, preview.target.every_path)),
        "lines": len(preview.bullets),
        "kept_lines": preview.thinned,
        "links": _links(preview),
        "proof": None if proof is None else msgspec.to_builtins(proof),
    }
