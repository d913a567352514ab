"""The command line as a person uses it, called in this process, with a home of its own."""

import hashlib
import json
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from click.testing import CliRunner

from support.compose import Assistant, Format, Human, Script, shell, write_sessions
from vademecum.cli import cli
from vademecum.locks import Locks
from vademecum.memfs import Provenance, Repository, Writer

__all__ = ["Answer", "Product", "ruled", "snapshot", "worked_on"]


@dataclass(frozen=True)
class Answer:
    """What a command gave back."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> dict:
        """The one object on stdout."""
        (line,) = self.out.splitlines()
        return json.loads(line)

    @property
    def error(self) -> dict:
        """The error object of `--json`."""
        return self.json["error"]


class Product:
    """One home, one folder of sessions."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.home = folder / "home"
        self.sessions = folder / "sessions"
        self.identity = self.home / "identities" / "default"
        self.memory = self.identity / "memory"

    @property
    def environ(self) -> dict[str, str]:
        return {"VADEMECUM_HOME": str(self.home), "VADEMECUM_DEBUG": "1"}

    def call(self, *words: str, code: int = 0, stdin: str | bytes | None = None) -> Answer:
        """Run a command that must end with this exit code."""
        answer = self._run(words, stdin)
        assert answer.code == code, f"vade {' '.join(words)}: exit {answer.code}\n{answer.out}{answer.err}"
        return answer

    def fail(self, *words: str) -> Answer:
        """Run a command that must end with an error that was expected."""
        answer = self._run(words, None)
        assert answer.code in {1, 2, 3, 4}, f"vade {' '.join(words)}: exit {answer.code}\n{answer.out}{answer.err}"
        return answer

    def _run(self, words: Sequence[str], stdin: str | bytes | None) -> Answer:
        result = CliRunner(env=self.environ).invoke(cli, words, input=stdin)
        return Answer(result.exit_code, result.stdout, result.stderr)

    def learn(self, *words: str, code: int = 0) -> Answer:
        """Learn from the folder of sessions, without waiting, as far back as they go."""
        return self.call("learn", "--from", str(self.sessions), "--all", "--now", "--json", *words, code=code)

    def context(self, cwd: str = "/srv/shop") -> str:
        return self.call("context", "--cwd", cwd).out

    def tell(self, *scripts: Script, form: Format = Format.CLAUDE_CODE) -> None:
        """Write these sessions as this host stores them."""
        write_sessions(form, self.sessions / form, scripts)

    def read(self, path: str) -> str:
        return (self.memory / path).read_text(encoding="utf-8")

    def edit(self, path: str, old: str, new: str) -> None:
        """Edit a memory file by hand, as an editor does."""
        text = self.read(path)
        assert old in text, text
        (self.memory / path).write_text(text.replace(old, new), encoding="utf-8")

    def agents_edit(self, words: str = "I am Ada, and I like tests.") -> str:
        """What the edit of a file below `system/` by an agent leaves for the person; its id."""
        repository = Repository.open(self.memory, locks=Locks(self.identity / "runtime" / "locks"))
        provenance = Provenance(writer=Writer.MEMORY_TOOL, session="s1", run="20261120T090000-ed17", origin="model")
        text = f"---\ndescription: who the user is\n---\n{words}\n"
        edits = {"system/human.md": text.encode()}
        repository.keep_proposal(repository.tree(), edits, subject="Ada said what she likes", provenance=provenance)
        return "20261120T090000-ed17"

    def git(self, *words: str, hooks: bool = False) -> str:
        """Run git in the memory repository, as a person with a name does; past our commit hooks unless `hooks`."""
        person = ("-c", "user.name=Ada", "-c", "user.email=ada@example.org")
        person += () if hooks else ("-c", "core.hooksPath=/dev/null")
        run = subprocess.run(["git", *person, *words], cwd=self.memory, check=True, capture_output=True, text=True)
        return run.stdout

    def commit_by_hand(self) -> None:
        self.git("commit", "--quiet", "--all", "--message", "my own edits")

    def head(self) -> str:
        return self.git("rev-parse", "HEAD").strip()

    def lose(self, name: str) -> None:
        """Lose a database with everything beside it."""
        for path in self.identity.glob(f"{name}*"):
            path.unlink()

    def stored(self) -> bytes:
        """Every byte below the home, git objects unpacked."""
        data = b"".join(path.read_bytes() for path in sorted(self.home.rglob("*")) if path.is_file())
        for git in self.home.rglob(".git"):
            command = ["git", f"--git-dir={git}", "cat-file", "--batch", "--batch-all-objects"]
            data += subprocess.run(command, check=True, capture_output=True).stdout
        return data


def ruled(*rules: str, label: str = "s1", cwd: str = "/srv/shop", **options: object) -> Script:
    """A session in which a person states these rules one after the other."""
    turns = tuple(turn for rule in rules for turn in (Human(text=rule), Assistant(text="Will do.")))
    return Script(label=label, cwd=cwd, turns=turns, **options)


def worked_on(label: str) -> Script:
    """A session in which the agent ran the tests, and nobody stated a rule."""
    return Script(
        label=label,
        cwd="/srv/shop",
        turns=(
            Human(text="please make the tests pass"),
            Assistant(text="I run them.", final=False),
            shell("pytest -q", "3 passed"),
            Assistant(text="They pass."),
        ),
    )


def snapshot(folder: Path, *, without: Sequence[str] = ()) -> dict[str, str]:
    """Every file below a folder with a digest of its bytes."""
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name not in without
    }
