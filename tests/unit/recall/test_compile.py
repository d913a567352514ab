import json
import os
import random
import subprocess
import sys
import time
from datetime import datetime

import pytest

from support.memfs import create, page
from vademecum.bare import TEMPLATE, arrange, estimate_tokens
from vademecum.memfs import Provenance, Writer
from vademecum.recall import compile_context, refresh

USER = Provenance(writer=Writer.USER)
PLACES = ("/srv/shop",)


@pytest.fixture
def memory(tmp_path):
    memory = create(tmp_path)
    put(memory, "Ada likes short answers.")
    return memory


@pytest.fixture
def cache(tmp_path):
    return tmp_path / "runtime" / "cache"


def put(memory, words):
    memory.commit({"system/human.md": page(f"{words}\n")}, subject="x", provenance=USER)


def compiled(memory, cache=None, **changes):
    values = {"places": PLACES, "budget_tokens": 4000}
    return compile_context(memory.tree(), cache=cache, **values | changes)


def test_the_context_is_the_committed_state(memory):
    (memory.folder / "system" / "human.md").write_text("not committed")
    context = compiled(memory)
    assert "Ada likes short answers." in context.text
    assert context.revision == memory.head()


def test_it_says_its_size(memory):
    context = compiled(memory)
    assert context.tokens == estimate_tokens(context.text) <= 4000
    assert context.bytes == len(context.text.encode())
    assert sum(section.bytes for section in context.sections) <= context.bytes


def test_the_cache_changes_no_byte(memory, cache):
    cold = compiled(memory)
    assert compiled(memory, cache) == cold
    assert compiled(memory, cache) == cold


def test_a_new_revision_is_never_served_from_the_old_cache(memory, cache):
    compiled(memory, cache)
    put(memory, "Ada likes long answers.")
    assert "long answers" in compiled(memory, cache).text


def test_refresh_fills_the_cache_ahead(memory, cache):
    refresh(memory.tree(), cache)
    assert compiled(memory, cache) == compiled(memory)


def test_one_cache_serves_every_place_and_budget(memory, cache):
    refresh(memory.tree(), cache)
    for changes in ({"places": ("/elsewhere",)}, {"budget_tokens": 500}):
        assert compiled(memory, cache, **changes) == compiled(memory, **changes)


@pytest.mark.parametrize("data", [b"", b"{", b"null", b'{"template": 0}', b"\xff", b"[]"])
def test_a_damaged_cache_is_compiled_anew(memory, cache, data):
    cache.mkdir(parents=True)
    (cache / "context.json").write_bytes(data)
    assert compiled(memory, cache) == compiled(memory)
    assert (cache / "context.json").read_bytes() != data


@pytest.mark.parametrize("parts", [b"{}", b'{"data": {}, "warnings": []}', b'{"data": {"how": "x"}, "warnings": []}'])
def test_a_cache_of_this_revision_that_lacks_parts_is_compiled_anew(memory, cache, parts):
    cache.mkdir(parents=True)
    head = b'{"template": %d, "revision": "%s", "parts": ' % (TEMPLATE, memory.head().encode())
    (cache / "context.json").write_bytes(head + parts + b"}")
    assert compiled(memory, cache) == compiled(memory)


def test_the_hook_can_order_what_the_cache_holds(memory, cache):
    """A hook reads the file with the standard library alone, and gives the same bytes."""
    refresh(memory.tree(), cache)
    data = json.loads((cache / "context.json").read_text())["parts"]["data"]
    assert arrange(data, PLACES, 4000)[0] == compiled(memory).text


def test_the_cache_is_private(memory, cache):
    compiled(memory, cache)
    (file,) = cache.iterdir()
    assert file.stat().st_mode & 0o777 == 0o600


def test_a_cache_that_cannot_be_written_still_gives_the_context(memory, cache):
    cache.parent.mkdir(parents=True)
    cache.write_text("a file stands where the folder should be")
    assert compiled(memory, cache) == compiled(memory)


def test_a_clone_at_the_same_revision_gives_the_same_bytes(memory, tmp_path):
    """The context is a pure function of revision, place and budget: the same bytes on every machine."""
    from support.memfs import git
    from vademecum.locks import Locks
    from vademecum.memfs import Repository

    git(tmp_path, "clone", "--quiet", str(memory.folder), str(tmp_path / "clone"))
    clone = Repository.open(tmp_path / "clone", locks=Locks(tmp_path / "clone-locks"))
    assert compiled(clone) == compiled(memory)


COMPILING = """
import hashlib, sys
from pathlib import Path
from vademecum.locks import Locks
from vademecum.memfs import Repository
from vademecum.recall import compile_context
folder = Path(sys.argv[1])
memory = Repository.open(folder / "memory", locks=Locks(folder / "locks"))
for commit in memory.log(limit=100):
    for budget_tokens in (500, 4000):
        context = compile_context(memory.tree(commit.id), places=("/srv/shop",), budget_tokens=budget_tokens)
        print(commit.id, hashlib.sha256(context.text.encode()).hexdigest(), context.sections, context.warnings)
"""

ENVIRONS = (
    {"PYTHONHASHSEED": "1", "LC_ALL": "C", "TZ": "UTC"},
    {"PYTHONHASHSEED": "2", "LC_ALL": "C.UTF-8", "TZ": "Asia/Tokyo"},
    {"PYTHONHASHSEED": "3", "LC_ALL": "tr_TR.UTF-8", "TZ": "America/Caracas", "COLUMNS": "20"},
)


@pytest.mark.slow
@pytest.mark.timeout(60)
def test_no_process_place_locale_or_time_zone_changes_a_byte(memory, tmp_path):
    """core-29.2, core-R89: for a history of memories with all kinds of files."""
    chance = random.Random(8)
    words = ["Ada", "größe", "İstanbul", "ファイル", "use pnpm", "- a rule", "[[reference/x]]", "\u202e", "z\u0300"]
    places = ["system/{}.md", "reference/{}.md", "people/{}.md", "log/{}.md", "extensions/ad_hoc/notes/{}.md"]
    for _ in range(12):
        text = "\n".join(chance.sample(words, 4)) + "\n"
        edits = {chance.choice(places).format(chance.choice("abcdefg")): page(text) for _ in range(4)}
        edits["memory_summary.md"] = f"v1\n\n## User Profile\n\n## User preferences\n- {chance.choice(words)}\n"
        memory.commit(edits, subject="x", provenance=USER)
    told = set()
    for number, environ in enumerate(ENVIRONS):
        place = tmp_path / f"place-{number}"
        place.mkdir()
        command = [sys.executable, "-c", COMPILING, str(tmp_path)]
        whole = {"PATH": os.environ["PATH"], **environ}
        told.add(subprocess.run(command, cwd=place, env=whole, check=True, capture_output=True).stdout)
    (output,) = told
    assert output.count(b"\n") == 2 * len(memory.log(limit=100))


def refuse(*_arguments, **_options):
    raise AssertionError("what is given to a session rests on something else than memory and folder")


class NoClock(datetime):
    now = today = utcnow = refuse


def test_neither_the_clock_nor_chance_is_asked(memory, monkeypatch):
    """user-U35: an hour later, and in another process, the same revision gives the same bytes."""
    note = "extensions/ad_hoc/notes/2026-11-02T09-00-00-tea.md"
    memory.commit({note: "# Note\n\n- created: 2026-11-02T09:00:00Z\n\ntea is green\n"}, subject="x", provenance=USER)
    expected = compiled(memory)
    ours = [module for name, module in sys.modules.items() if name.startswith("vademecum")]
    forbidden = (time.time, time.time_ns, os.urandom, random.random)
    for module in [*ours, time, os, random]:
        for name, value in list(vars(module).items()):
            if value is datetime:
                monkeypatch.setattr(module, name, NoClock)
            elif any(value is one for one in forbidden):
                monkeypatch.setattr(module, name, refuse)
    assert compiled(memory) == expected
    monkeypatch.undo()


class TestRefresh:
    """What is in the cache for exactly this revision is not compiled again; anything else is."""

    def test_of_the_same_revision_nothing_is_written(self, memory, cache):
        refresh(memory.tree(), cache)
        before = (cache / "context.json").stat()
        refresh(memory.tree(), cache)
        assert (cache / "context.json").stat() == before

    def test_of_another_revision_it_is_written(self, memory, cache):
        refresh(memory.tree(), cache)
        put(memory, "Ada likes long answers.")
        refresh(memory.tree(), cache)
        assert "long answers" in (cache / "context.json").read_text()

    @pytest.mark.parametrize("data", [b"", b"{}", b"\0" * 100])
    def test_what_is_damaged_is_written_anew(self, memory, cache, data):
        refresh(memory.tree(), cache)
        whole = (cache / "context.json").read_bytes()
        (cache / "context.json").write_bytes(data)
        refresh(memory.tree(), cache)
        assert (cache / "context.json").read_bytes() == whole
