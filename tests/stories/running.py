"""Runs one story through the product: sessions on disk, `vade learn`, `vade context`, and what lies below the home."""

import json
import subprocess
from collections.abc import Container, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from pathlib import Path

from click.testing import CliRunner

from stories.lines import stands_on
from stories.model import Story
from stories.telling import Edited, Told, tell
from support.compose import Format, Script, write_sessions
from vademecum.artifacts import HANDBOOK_PATH, SUMMARY_PATH
from vademecum.cli import cli
from vademecum.config import store_setting
from vademecum.home import Home
from vademecum.learner_names import BUILT_IN
from vademecum.settings import written

__all__ = ["STRANGER", "Outcome", "StoryFailed", "forms_of", "is_learned_in_steps", "run_story"]

#: The key of a project in which nobody ever worked.
STRANGER = "elsewhere"
_ROTATION = tuple(Format)


@dataclass(frozen=True)
class Outcome:
    """What memory holds after a story."""

    #: Project key -> text of the context there.
    contexts: dict[str, str]
    tokens: int
    #: How many sessions left a rollout summary.
    records: int
    handbook: list[str]
    second_is_quiet: bool
    second_detail: str
    home: Path
    #: The hand edits for which a line was there.
    edited: frozenset[Edited] = frozenset()

    def find(self, value: str) -> list[str]:
        """Where below the home these bytes stand: files as they are, and every git object unpacked."""
        needle = value.encode()
        return [place for place, data in self._stored if needle in data]

    @cached_property
    def _stored(self) -> list[tuple[str, bytes]]:
        files = [(path.name, path.read_bytes()) for path in sorted(self.home.rglob("*")) if path.is_file()]
        return files + [(f"git objects of {path.parent.name}", _git_objects(path)) for path in self.home.rglob(".git")]


def _git_objects(folder: Path) -> bytes:
    command = ["git", f"--git-dir={folder}", "cat-file", "--batch", "--batch-all-objects"]
    return subprocess.run(command, check=True, capture_output=True).stdout


def forms_of(story: Story, number: int, seed: int) -> list[Format]:
    """The format of each sitting: one for the story, or (mixed) a new one for each."""
    start = number + seed
    step = 1 if story.mixed else 0
    return [
        Format.CODEX if sitting.memory_off else _ROTATION[(start + step * place) % len(_ROTATION)]
        for place, sitting in enumerate(story.sittings)
    ]


def is_learned_in_steps(number: int, story: Story) -> bool:
    """Every other story is learned session by session, as it happens to people; the others in one go, as on a first
    run. Where a person edits between the sessions, there have to be steps."""
    return bool(number % 2 or story.by_hand)


def run_story(
    number: int,
    story: Story,
    seed: int,
    folder: Path,
    today: date,
    *,
    learner: str = BUILT_IN,
    settings: Mapping[str, Mapping[str, object]] | None = None,
) -> tuple[Told, Outcome]:
    """Tells the story below `folder`, learns from it, and reads what there is to see.

    `settings`: what that learner needs, by table and name. Raises StoryFailed where a command of the walk fails.
    """
    told = tell(story, seed, today)
    product = _Product(folder / "home", folder / "sessions", learner)
    product.configure(settings or {})
    forms = forms_of(story, number, seed)
    edited: set[Edited] = set()
    for count in range(1 if is_learned_in_steps(number, story) else len(forms), len(forms) + 1):
        _write(told.scripts[:count], forms[:count], folder / "sessions")
        product.learn()
        edited |= {edit for edit in told.edited if edit.after == count - 1 and product.edit(edit)}
    before = product.contexts(told)
    again = product.learn()
    same = before == product.contexts(told)
    return told, Outcome(
        contexts={key: context["text"] for key, context in before.items()},
        tokens=max(context["tokens"] for context in before.values()),
        records=len(list(folder.rglob("rollout_summaries/*.md"))),
        handbook=[line for path in folder.rglob("MEMORY.md") for line in path.read_text(encoding="utf-8").splitlines()],
        second_is_quiet=same and again["extracted"] == 0 and again["consolidation"]["status"] == "no_new_input",
        second_detail=f"{again['consolidation']}, {again['extracted']} extracted, same contexts: {same}",
        home=product.home,
        edited=frozenset(edited),
    )


def _edit_file(file: Path, edit: Edited) -> bool:
    lines = file.read_text(encoding="utf-8").splitlines() if file.is_file() else []
    meant = [line for line in lines if line.startswith("- ") and stands_on(edit.words, line)]
    if not meant:
        return False
    marks = {line: line.partition(" <!--") for line in meant}
    kept = [line for line in lines if edit.becomes or line not in marks]
    new = [f"- {edit.becomes}{''.join(marks[line][1:])}" if line in marks else line for line in kept]
    file.write_text("\n".join(new) + "\n", encoding="utf-8")
    return True


def _write(scripts: list[Script], forms: list[Format], folder: Path) -> None:
    for form in dict.fromkeys(forms):
        chosen = [script for script, own in zip(scripts, forms, strict=True) if own is form]
        write_sessions(form, folder / form, chosen)


class StoryFailed(Exception):
    """A command of the walk did not succeed."""


class _Product:
    """The command line, called in this process, with a home of its own."""

    def __init__(self, home: Path, sessions: Path, learner: str) -> None:
        self.home, self.sessions, self.learner = home, sessions, learner
        self._runner = CliRunner(env={"VADEMECUM_HOME": str(home), "VADEMECUM_DEBUG": "1"})

    def learn(self) -> dict:
        places = ("--from", str(self.sessions), "--all", "--now")
        # Its report tells of sessions that were not learned, which is why it may end with 1.
        report = self._call("learn", *places, "--learner", self.learner, "--json", codes=(0, 1))
        if report["failed"]:
            why = self._call("status", "--json")["last_error"]["message"]
            raise StoryFailed(f"{report['failed']} sessions were not learned: {why}")
        return report

    def configure(self, settings: Mapping[str, Mapping[str, object]]) -> None:
        for table, values in settings.items():
            for name, value in values.items():
                store_setting(Home(root=self.home).config, f"{table}.{name}", written(value))

    def edit(self, edit: Edited) -> bool:
        """Edit the bullets with these words in both files that show them; whether there was one."""
        memory = Home(root=self.home).identity("default").memory
        found = [_edit_file(memory / path, edit) for path in (HANDBOOK_PATH, SUMMARY_PATH)]
        return any(found)

    def contexts(self, told: Told) -> dict[str, dict]:
        return {key: self._call("context", "--cwd", cwd, "--json") for key, cwd in self._places(told)}

    def _places(self, told: Told) -> Iterator[tuple[str, str]]:
        used = sorted({sitting.project for sitting in told.story.sittings})
        yield from ((key, told.folders[key]) for key in used)
        yield STRANGER, told.folders["d"]

    def _call(self, *arguments: str, codes: Container[int] = (0,)) -> dict:
        result = self._runner.invoke(cli, arguments, catch_exceptions=False)
        if result.exit_code not in codes:
            raise StoryFailed(f"vade {' '.join(arguments)}: exit {result.exit_code}: {result.output}")
        return json.loads(result.stdout)
