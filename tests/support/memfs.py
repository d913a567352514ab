"""Builders for tests of the memory repository."""

import os
import subprocess
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path

from vademecum.errors import NotFound
from vademecum.locks import Locks
from vademecum.memfs import Draft, Provenance, Repository, Writer

TOOL = Provenance(writer=Writer.MEMORY_TOOL)
FAKE_SECRET = "ghp_" + "a1B2c3D4e" * 4

#: A program: folder, name, how many edits; it says "ready" and begins at a line of its input.
WRITER = """
import sys
from pathlib import Path
from vademecum.locks import Locks
from vademecum.memfs import Provenance, Repository, Writer
folder, name, edits = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
memory = Repository.open(folder / "memory", locks=Locks(folder / "locks"))
print("ready", flush=True)
sys.stdin.readline()
for number in range(edits):
    text = f"---\\ndescription: {name}\\n---\\n{number}\\n"
    tool = Provenance(writer=Writer.MEMORY_TOOL)
    memory.commit({f"reference/{name}.md": text}, subject=f"{name} {number}", provenance=tool)
"""


def learn(run="run-1"):
    return Provenance(writer=Writer.LEARN, run=run)


def clock():
    """A clock that moves on by a minute each time it is read."""
    minutes = count()
    return lambda: datetime(2026, 1, 1, tzinfo=UTC) + timedelta(minutes=next(minutes))


def create(folder, **options):
    return Repository.create(folder / "memory", locks=Locks(folder / "locks"), **options)


def page(body="body\n", description="a page"):
    return f"---\ndescription: {description}\n---\n{body}"


def put(repository, subject="put", provenance=TOOL, **texts):
    """Commit `reference/<name>.md` files given as keywords."""
    edits = {f"reference/{name}.md": text for name, text in texts.items()}
    return repository.commit(edits, subject=subject, provenance=provenance)


def git(folder, *arguments, check=True, hooks=False):
    """Run the git program as a person would, with a configured name; past our commit hooks unless `hooks`."""
    identity = ("-c", "user.name=Person", "-c", "user.email=person@example.org")
    identity += () if hooks else ("-c", "core.hooksPath=/dev/null")
    done = subprocess.run(["git", *identity, *arguments], cwd=folder, capture_output=True, text=True, check=False)
    if check and done.returncode:
        raise AssertionError(f"git {arguments}: {done.stderr}")
    return done.stdout


def by_hand(repository, path, text):
    """Change a committed file and commit it as a person does with plain git."""
    (repository.folder / path).write_text(text)
    git(repository.folder, "commit", "-qam", "by hand")


def before_the_next_commit(monkeypatch, action):
    """Let somebody do something once, right before our next commit."""
    commit = Repository.commit

    def after_them(self, *arguments, **options):
        monkeypatch.undo()
        action()
        return commit(self, *arguments, **options)

    monkeypatch.setattr(Repository, "commit", after_them)


def draft(repository, folder, revision=None):
    return Draft.open(repository, revision or repository.head(), Path(folder) / "draft")


def modes_below(folder):
    """The permission bits in use below a folder, links left out."""
    found = set()
    for parent, folders, files in os.walk(folder):
        found |= {(Path(parent) / name).lstat().st_mode & 0o777 for name in folders + files}
    return found


class Texts(dict):
    """Files of a memory that are held nowhere but here: path -> text."""

    def paths(self):
        return sorted(self)

    def has(self, path):
        return path in self

    def read(self, path):
        if path not in self:
            raise NotFound(f"no {path}")
        return self[path]

    def size(self, path):
        return len(self.read(path).encode())

    def after(self, edited):
        """What these files become by an operation's edits."""
        kept = {path: text for path, text in {**self, **edited.edits}.items() if text is not None}
        return Texts(kept)
