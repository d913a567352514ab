"""The context compiler against its budgets: 1 ms for an unchanged revision, 60 ms cold, with 2,000 files."""

from pathlib import Path

import pytest

from support.budgets import note_milliseconds
from vademecum.locks import Locks
from vademecum.memfs import Provenance, Repository, Tree, Writer
from vademecum.recall import compile_context

pytestmark = [pytest.mark.bench, pytest.mark.timeout(120)]

FILES = 2_000
PLACES = ("/srv/project-7",)


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Repository:
    folder = tmp_path_factory.mktemp("memory")
    repository = Repository.create(folder / "memory", locks=Locks(folder / "locks"))
    files: dict[str, str | None] = {
        f"reference/topic-{number % 40}/page-{number}.md": f"---\ndescription: page {number}\n---\nText of {number}.\n"
        for number in range(FILES)
    }
    bullets = "\n".join(f"- rule number {number} of this project" for number in range(40))
    files["memory_summary.md"] = (
        "v1\n\n## User Profile\n\n## User preferences\n\n"
        + "\n\n".join(f"### /srv/project-{number}\n{bullets}" for number in range(4))
        + "\n\n## General Tips\n\n## What's in Memory\n"
    )
    repository.commit(files, subject="Fill", provenance=Provenance(writer=Writer.USER))
    return repository


def test_context_of_an_unchanged_revision(benchmark, repository: Repository, tmp_path: Path):
    tree = repository.tree()
    compile_context(tree, places=PLACES, budget_tokens=4_000, cache=tmp_path)
    benchmark(
        lambda: compile_context(repository.tree(repository.head()), places=PLACES, budget_tokens=4_000, cache=tmp_path)
    )
    note_milliseconds(benchmark, "context, unchanged revision", at_most=1, mix=f"{FILES:,} files")


def test_context_cold(benchmark, repository: Repository):
    def cold() -> None:
        tree: Tree = repository.tree(repository.head())
        compile_context(tree, places=PLACES, budget_tokens=4_000)

    benchmark(cold)
    note_milliseconds(benchmark, "context, cold", at_most=60, mix=f"{FILES:,} files")
