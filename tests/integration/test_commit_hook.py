"""A person commits with plain git in the memory folder."""

import json
import os
import subprocess

import pytest

from support.memfs import FAKE_SECRET
from support.product import Product

pytestmark = [pytest.mark.slow, pytest.mark.timeout(30)]


@pytest.fixture
def memory(product: Product) -> Product:
    product.call("init")
    return product


def commit(product: Product, *words: str, **environ: str) -> subprocess.CompletedProcess[str]:
    person = ("-c", "user.name=Ada", "-c", "user.email=ada@example.org")
    return subprocess.run(
        ["git", *person, "commit", "--quiet", *words],
        cwd=product.memory,
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | environ,
    )


def write(product: Product, path: str, text: str) -> None:
    file = product.memory / path
    file.parent.mkdir(exist_ok=True)
    file.write_text(text)
    product.git("add", path)


def test_what_may_not_become_durable_is_refused_line_by_line(memory: Product):
    """core-R42, core-R46, core-W16: and nothing is changed."""
    write(memory, "reference/a.md", "no header\n")
    write(memory, "reference/b.md", f"---\ndescription: b\n---\n{FAKE_SECRET}\n")
    before, staged = memory.head(), memory.git("status", "--porcelain")
    done = commit(memory, "-m", "x")
    heading, *lines = done.stderr.splitlines()
    assert done.returncode == 1
    assert heading.startswith("vademecum: not committed")
    assert "--no-verify" in heading
    assert lines == [
        (
            "reference/a.md: has no header with a description: "
            "begin it with the lines `---`, `description: WHAT THE PAGE IS ABOUT`, `---`"
        ),
        "reference/b.md: holds something that looks like a secret (github-token) in line 4",
    ]
    assert FAKE_SECRET not in done.stderr + done.stdout
    assert (memory.head(), memory.git("status", "--porcelain")) == (before, staged)


def test_it_can_be_gone_past(memory: Product):
    write(memory, "reference/a.md", "no header\n")
    assert commit(memory, "-m", "x", "--no-verify").returncode == 0
    assert memory.call("read", "reference/a.md").out


@pytest.mark.parametrize("words", [("--all",), ("--", "system/human.md"), ("--amend",)])
def test_every_way_to_commit_is_checked(memory: Product, words: tuple[str, ...]):
    (memory.memory / "system/human.md").write_text("no header\n")
    if words == ("--amend",):
        memory.git("add", ".")
    done = commit(memory, "-m", "x", *words)
    assert (done.returncode, done.stderr.count("\n")) == (1, 2)


def test_a_merge_is_checked_when_the_person_ends_it(memory: Product):
    for branch, line in (("side", "theirs"), ("main", "mine")):
        memory.git("switch", "-q", *(("-c", branch) if branch == "side" else (branch,)))
        (memory.memory / "system/human.md").write_text(f"---\ndescription: x\n---\n{line}\n")
        assert commit(memory, "-am", line).returncode == 0
    with pytest.raises(subprocess.CalledProcessError):
        memory.git("merge", "-q", "side")
    memory.git("add", ".")
    done = commit(memory, "-m", "merged", "--no-edit")
    assert "system/human.md: holds a conflict marker (<<<<<<<) in line 4" in done.stderr
    (memory.memory / "system/human.md").write_text("---\ndescription: x\n---\nboth\n")
    memory.git("add", ".")
    assert commit(memory, "-m", "merged").returncode == 0


def test_variables_of_a_surrounding_program_mislead_nobody(memory: Product, tmp_path):
    """core-W12: only the index that git itself names is looked at, and the program is not taken from the folder."""
    write(memory, "log.md", "<<<<<<< HEAD\n")
    for name in ("json.py", "vademecum.py", "pygit2.py"):
        (memory.memory / name).write_text("raise SystemExit(0)\n")
    done = commit(memory, "-m", "x", PYTHONPATH=str(memory.memory), PYTHONSTARTUP="json.py", GIT_TRACE="0")
    assert done.returncode == 1
    assert "log.md: holds a conflict marker" in done.stderr


def test_after_it_the_context_is_compiled_anew(memory: Product):
    """core-R42: what a hook of a host reads is what was committed."""
    write(memory, "system/human.md", "---\ndescription: x\n---\n- likes tea\n")
    assert commit(memory, "-m", "tea").returncode == 0
    cached = json.loads((memory.identity / "runtime/cache/context.json").read_text())
    assert cached["revision"] == memory.head()
    assert "- likes tea" in json.dumps(cached)


def test_a_copy_of_the_folder_elsewhere_gets_no_cache(memory: Product, tmp_path):
    memory.git("worktree", "add", "-q", "-b", "side", str(tmp_path / "elsewhere" / "memory"))
    before = (memory.identity / "runtime/cache/context.json").read_bytes()
    done = subprocess.run(
        ["git", "-c", "user.name=A", "-c", "user.email=a@b.c", "commit", "-q", "--allow-empty", "-m", "x"],
        cwd=tmp_path / "elsewhere" / "memory",
        check=True,
        capture_output=True,
        text=True,
    )
    assert done.stderr == ""
    assert [path.name for path in (tmp_path / "elsewhere").iterdir()] == ["memory"]
    assert (memory.identity / "runtime/cache/context.json").read_bytes() == before


def test_a_cache_that_cannot_be_written_costs_no_commit(memory: Product):
    cache = memory.identity / "runtime/cache"
    (cache / "context.json").unlink()
    (cache / "context.json").mkdir()
    done = commit(memory, "--allow-empty", "-m", "x")
    assert (done.returncode, done.stderr) == (0, "")
