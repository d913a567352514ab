"""What the audit says of pages: each fault once, with what to do, and nothing of a sound memory."""

import pytest

from support.memfs import FAKE_SECRET, create, git, page
from vademecum.findings import Level
from vademecum.memfs import audit_tree, audit_work_tree
from vademecum.memfs.disk.worktree import read_regular
from vademecum.memfs.seeds import EARLIER


@pytest.fixture
def memory(tmp_path):
    return create(tmp_path)


def commit(memory, **files):
    for path, text in files.items():
        file = memory.folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text if isinstance(text, bytes) else text.encode())
    git(memory.folder, "add", "--all")
    git(memory.folder, "commit", "-qm", "by hand")


def found(memory, **files):
    commit(memory, **files)
    return [(finding.level, finding.what) for finding in audit_tree(memory.tree(), most_bytes={"MEMORY.md": 500})]


def test_a_new_memory_is_in_order(memory):
    assert list(audit_tree(memory.tree(), most_bytes={})) == []
    assert list(audit_work_tree(memory)) == []


FAULTS = {
    "no UTF-8": ({"log/x.md": b"\xff"}, Level.PROBLEM, "log/x.md is not UTF-8 (byte 0 is 0xff)"),
    "UTF-16": ({"log/x.md": "x".encode("utf-16")}, Level.PROBLEM, "log/x.md is UTF-16; save it as UTF-8"),
    "a header that cannot be read": (
        {"reference/x.md": "---\na: [\n---\n"},
        Level.PROBLEM,
        "reference/x.md is not shown, its header cannot be read: header line 2: a is not a list or map in JSON form",
    ),
    "a header that is not as it should be": (
        {"people/x.md": "x\n"},
        Level.WARNING,
        (
            "people/x.md: has no header with a description: "
            "begin it with the lines `---`, `description: WHAT THE PAGE IS ABOUT`, `---`"
        ),
    ),
    "a conflict marker": (
        {"log/x.md": "a\n=======\n>>>>>>> side\n"},
        Level.PROBLEM,
        "log/x.md:3 holds a conflict marker of a merge",
    ),
    "a secret": (
        {"log/x.md": f"a\n{FAKE_SECRET}\n"},
        Level.WARNING,
        "log/x.md:2 holds something that looks like a secret (github-token)",
    ),
    "a page at the root": ({"junk.md": "- milk\n"}, Level.NOTE, "junk.md lies where no page belongs"),
    "a name in double brackets": (
        {"log/x.md": "see [[nowhere]], not [[1, 2]] or [[n]]\n"},
        Level.WARNING,
        "log/x.md links to [[nowhere]], which is not there",
    ),
    "a wiki link": (
        {"log/x.md": "[[reference/y]]\n"},
        Level.WARNING,
        "log/x.md links to [[reference/y]], which is not there",
    ),
    "a link of markdown": (
        {"reference/x.md": page("[y](sub/y.md#z)\n")},
        Level.WARNING,
        "reference/x.md links to (sub/y.md), which is not there",
    ),
    "a link that leaves the memory": (
        {"reference/x.md": page("[y](../../y.md)\n")},
        Level.WARNING,
        "reference/x.md links to (../../y.md), which leads out of the memory",
    ),
    "too large a file": (
        {"log/x.md": "x" * 300_000},
        Level.WARNING,
        "log/x.md has 300,000 bytes; no learner may change what has more than 262,144",
    ),
    "a file above its own limit": (
        {"MEMORY.md": "x" * 501},
        Level.WARNING,
        "MEMORY.md has 501 bytes; no learner may change what has more than 500",
    ),
    "a flat skill": ({"skills/x.md": "x\n"}, Level.WARNING, "skills/x.md is not found as a skill"),
    "a page in no known home": ({"misc/x.md": "x\n"}, Level.NOTE, "misc/x.md lies where no page belongs"),
    "no memory file": ({"system/x.txt": "x\n"}, Level.NOTE, "'system/x.txt' is no memory file: nothing reads it"),
    "the same twice": (
        {"log/a.md": "the same\n", "reference/b.md": page("the same\n\n")},
        Level.NOTE,
        "log/a.md, reference/b.md say the same",
    ),
}


@pytest.mark.parametrize(("files", "level", "what"), FAULTS.values(), ids=FAULTS.keys())
def test_a_fault_is_told_once(memory, files, level, what):
    """core-24.1, core-R14, core-R17, core-W32"""
    assert found(memory, **files) == [(level, what)]


FINE = {
    "links in code": {"log/x.md": "`[[a/b]]`\n```\n[y](y.md)\n```\n"},
    "links that lead somewhere": {
        "reference/x.md": page("[[system/human]] [h](../system/human.md) [[reference/x.md]]\n")
    },
    "addresses": {"log/x.md": "[y](https://example.org/y.md) [z](mailto:a@b.c) [q](/absolute/y.md)\n"},
    "what somebody said": {"rollout_summaries/x.md": "if [[ -f a/b.md ]] [[a/b]]\n", "MEMORY.md": "- see [y](y.md)\n"},
    "hidden files": {".gitignore": "*.swp\n", ".github/x.md": "x\n"},
    "empty pages": {"log/a.md": "", "log/b.md": "\n"},
    "a word about the folder": {"README.md": "what this is\n"},
}


@pytest.mark.parametrize("files", FINE.values(), ids=FINE.keys())
def test_what_is_no_fault_is_not_told(memory, files):
    """core-R44"""
    assert found(memory, **files) == []


def test_many_faults_of_one_kind_are_counted(memory):
    told = found(memory, **{f"reference/{number:02}.md": f"{number}\n" for number in range(14)})
    assert len(told) == 11
    assert told[-1] == (Level.WARNING, "4 more files have a bad header")


def test_no_secret_is_repeated(memory):
    commit(memory, **{"log/x.md": f"token: {FAKE_SECRET}\n"})
    assert FAKE_SECRET not in str(list(audit_tree(memory.tree(), most_bytes={})))


def test_seeds_of_an_earlier_version_are_named(memory, monkeypatch):
    """core-23.2"""
    blob = memory.tree().blob_id("system/human.md")
    monkeypatch.setitem(EARLIER, "system/human.md", (blob,))
    (finding,) = audit_tree(memory.tree(), most_bytes={})
    assert finding.what == "still what an earlier version began with: system/human.md"
    assert finding.level is Level.NOTE


class TestWorkTree:
    def test_a_file_that_is_kept_by_nobody_is_a_note(self, memory):
        (memory.folder / "reference").mkdir()
        (memory.folder / "reference/pic.png").write_bytes(b"x")
        (memory.folder / ".swp").write_bytes(b"x")
        (finding,) = audit_work_tree(memory)
        assert (finding.level, "'reference/pic.png'" in finding.what) == (Level.NOTE, True)

    def test_hand_edits_that_wait_are_a_note(self, memory):
        (memory.folder / "mine.md").write_text("x\n")
        (finding,) = audit_work_tree(memory)
        assert (finding.level, finding.next) == (Level.NOTE, "Run `vade adopt`.")

    def test_what_cannot_be_taken_in_says_why(self, tmp_path, memory):
        (memory.folder / "link.md").symlink_to("/etc/hostname")
        (memory.folder / "x.md").write_text("x\n")
        (memory.folder / "hard.md").hardlink_to(memory.folder / "x.md")
        (memory.folder / "bad.md").write_bytes(b"\xff")
        whats = [finding.what for finding in audit_work_tree(memory)]
        assert "link.md was edited and cannot be taken in: is a symbolic link" in whats
        assert "hard.md was edited and cannot be taken in: has a second name (hard link)" in whats
        assert any(what.startswith("bad.md was edited and cannot be taken in: ") for what in whats)

    def test_a_file_without_permission_is_told_and_the_others_are_seen(self, memory, monkeypatch):
        (memory.folder / "closed.md").write_text("x\n")
        (memory.folder / "open.md").write_text("x\n")

        def read(name, *arguments, **options):
            if name == "closed.md":
                raise PermissionError(13, "Permission denied")
            return read_regular(name, *arguments, **options)

        monkeypatch.setattr("vademecum.memfs.disk.walking.read_regular", read)
        edited, refused = audit_work_tree(memory)
        assert edited.what.endswith("open.md")
        assert "closed.md" in refused.what
        assert "permissions" in refused.what
