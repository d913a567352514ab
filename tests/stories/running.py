"""Runs one story through the product: sessions on disk, `vade learn`, `vade context`, and what lies below the home."""

import json
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from pathlib import Path

from click.testing import CliRunner

from stories.model import Story
from stories.telling import Told, tell
from support.compose import Format, Script, write_sessions
from vademecum.cli import cli

__all__ = ["STRANGER", "Outcome", "forms_of", "run_story"]

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


def run_story(number: int, story: Story, seed: int, folder: Path, today: date) -> tuple[Told, Outcome]:
    """Tells the story below `folder`, learns from it, and reads what there is to see.

    Every other story is learned session by session, as it happens to people; the others in one go, as on a first run.
    """
    told = tell(story, seed, today)
    product = _Product(folder / "home", folder / "sessions")
    forms = forms_of(story, number, seed)
    for count in range(1 if number % 2 else len(forms), len(forms) + 1):
        _write(told.scripts[:count], forms[:count], folder / "sessions")
        product.learn()
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
    )


def _write(scripts: list[Script], forms: list[Format], folder: Path) -> None:
    for form in dict.fromkeys(forms):
        chosen = [script for script, own in zip(scripts, forms, strict=True) if own is form]
        write_sessions(form, folder / form, chosen)


class _Product:
    """The command line, called in this process, with a home of its own."""

    def __init__(self, home: Path, sessions: Path) -> None:
        self.home, self.sessions = home, sessions
        self._runner = CliRunner(env={"VADEMECUM_HOME": str(home), "VADEMECUM_DEBUG": "1"})

    def learn(self) -> dict:
        return self._call("learn", "--from", str(self.sessions), "--all", "--now", "--json")

    def contexts(self, told: Told) -> dict[str, dict]:
        return {key: self._call("context", "--cwd", cwd, "--json") for key, cwd in self._places(told)}

    def _places(self, told: Told) -> Iterator[tuple[str, str]]:
        used = sorted({sitting.project for sitting in told.story.sittings})
        yield from ((key, told.folders[key]) for key in used)
        yield STRANGER, told.folders["d"]

    def _call(self, *arguments: str) -> dict:
        result = self._runner.invoke(cli, arguments, catch_exceptions=False)
        if result.exit_code:
            raise RuntimeError(f"vade {' '.join(arguments)}: exit {result.exit_code}: {result.output}")
        return json.loads(result.stdout)
