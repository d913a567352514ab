import os
import shutil
import socket
import stat
import tempfile
import unicodedata
from pathlib import Path

import pytest

from support.memfs import FAKE_SECRET, create, draft, git, page
from vademecum.errors import LandingRefused
from vademecum.memfs import Violation, check

NOTE = "extensions/ad_hoc/notes/2026-01-01-a.md"


@pytest.fixture
def memory(tmp_path):
    memory = create(tmp_path)
    files = {
        "reference/a.md": page("see [[reference/b]]\n"),
        "reference/b.md": page("b\n"),
        "reference/locked.md": "---\ndescription: x\nread_only: true\n---\nx\n",
        "reference/dangling.md": page("see [[reference/gone]]\n"),
        "reference/legacy.md": "---\ndescription: >\n  wide\n---\nold\n",
        NOTE: "a note\n",
        **{f"log/{number}.md": "x" * 1000 + "\n" for number in range(30)},
        # What a person, or the program itself, committed under a name that is no memory path.
        "photo.png": "a picture\n",
        ".vademecum/format": "1\n",
    }
    for path, text in files.items():
        file = memory.folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    git(memory.folder, "add", ".")
    git(memory.folder, "commit", "-qm", "by hand")
    return memory


def outcome(memory, tmp_path, tamper, **options):
    """The reason for which a draft is refused, or None."""
    with draft(memory, tmp_path) as work:
        tamper(work.folder)
        try:
            check(work.freeze(), **options)
        except LandingRefused as error:
            return str(error)
    return None


def write(path, text):
    def tamper(folder):
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(text if isinstance(text, bytes) else text.encode())

    return tamper


def delete(*paths):
    def tamper(folder):
        for path in paths:
            (folder / path).unlink()

    return tamper


def replace(path, make):
    """Put something else where the file was."""

    def tamper(folder):
        (folder / path).unlink()
        make(folder / path)

    return tamper


def bound_socket(path):
    # The name of a socket has at most 108 bytes, and that of a draft may be longer.
    short = Path(tempfile.mkdtemp()) / "s"
    with socket.socket(socket.AF_UNIX) as opened:
        opened.bind(str(short))
    shutil.move(short, path)
    short.parent.rmdir()


def linked_outside(folder):
    (folder.parent / "outside").write_text("x")
    replace("log/0.md", lambda path: os.link(folder.parent / "outside", path))(folder)


def sparse(path):
    with path.open("wb") as stream:
        stream.truncate(10 * 1024**3)


def many(count, size_bytes):
    def tamper(folder):
        for number in range(count):
            with (folder / f"log/many-{number}.md").open("wb") as stream:
                stream.truncate(size_bytes)

    return tamper


def split_key(folder):
    """The two halves of a private key, in two files."""
    head, body = "-----BEGIN " + "PRIVATE KEY-----", "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7"
    write("log/first.md", f"{head}\n{body}\n")(folder)
    write("log/second.md", f"{body}\n-----END PRIVATE KEY-----\n")(folder)


REFUSED = {
    "hard link": (lambda f: os.link(f / "log/0.md", f / "log/x.md"), "log/x.md has a second name (hard link)"),
    "hard link to elsewhere": (linked_outside, "log/0.md has a second name (hard link)"),
    "FIFO": (replace("log/0.md", os.mkfifo), "log/0.md is not a regular file"),
    "socket": (replace("log/0.md", bound_socket), "log/0.md is not a regular file"),
    "setuid": (lambda f: (f / "log/0.md").chmod(0o4600), "log/0.md has a special mode"),
    "git link": (write(".git", "gitdir: /elsewhere\n"), "hidden"),
    "git folder below": (write("log/.GIT/hooks/x.md", "x"), "hidden"),
    "the program's own folder": (write(".vademecum/format", "99\n"), "hidden"),
    "sparse": (replace("log/0.md", sparse), "log/0.md has more than 4194304 bytes"),
    "much": (many(40, 4 * 1024 * 1024), "the draft changes more than 67108864 bytes"),
    "many": (many(1001, 1), "1001 files change; at most 1000 may"),
    "growth": (many(20, 256 * 1024), "the memory grows by 5242880 bytes"),
    "deep": (write("/".join(["d"] * 33) + "/x.md", "x"), "lies too deep"),
    "case twins": (lambda f: [write(f"log/{name}.md", "x")(f) for name in ("twin", "Twin")], "cannot stand beside"),
    "decomposed": (write(f"log/{unicodedata.normalize('NFD', 'é')}.md", "x"), "NFC"),
    "control": (write("log/a\x1b[2J.md", "x"), "invisible character U+001B"),
    "right to left": (write("log/a\u202egnp.md", "x"), "invisible character U+202E"),
    "device on Windows": (write("log/nul.md", "x"), "names a device on Windows"),
    "Windows characters": (write("log/a:b.md", "x"), "holds one of"),
    "trailing dot": (write("log./a.md", "x"), "ends with a dot"),
    "not UTF-8 name": (lambda f: Path(os.fsdecode(os.fsencode(f) + b"/caf\xe9.md")).write_text("x"), "uses / between"),
    "person's other file": (write("photo.png", "x"), "ends in .md"),
    "split key": (split_key, "private-key"),
    "folder for a file": (replace("log/0.md", lambda p: write("log/0.md/x.md", "x")(p.parent.parent)), "stand beside"),
    "symbolic link": (lambda f: (f / "log/x.md").symlink_to("/etc/passwd"), "log/x.md is a symbolic link"),
    "executable": (lambda f: (f / "log/0.md").chmod(0o755), "log/0.md is executable"),
    "git folder": (write(".git/config", "x"), "hidden"),
    "script": (write("log/run.sh", "rm"), "ends in .md"),
    "hidden": (write(".claude/settings.md", "x"), "hidden"),
    "case": (write("Reference/a.md", page()), "cannot stand beside reference/"),
    "too large": (write("log/x.md", "x" * (256 * 1024 + 1)), "at most 262144 are allowed"),
    "boundaries": (write("system/boundaries.md", page()), "belongs to the person"),
    "boundaries gone": (delete("system/boundaries.md"), "belongs to the person"),
    "instructions": (write("extensions/ad_hoc/instructions.md", page()), "belongs to the person"),
    "note": (write(NOTE, "other"), "belongs to the person"),
    "note gone": (delete(NOTE), "belongs to the person"),
    "new note": (write("extensions/ad_hoc/notes/forged.md", "x"), "belongs to the person"),
    "locked": (write("reference/locked.md", page()), "is marked read_only"),
    "locked gone": (delete("reference/locked.md"), "is marked read_only"),
    "locks": (write("reference/b.md", "---\ndescription: x\nread_only: true\n---\n"), "becomes read_only"),
    "new lock": (write("log/x.md", "---\nread_only: 'true'\n---\n"), "becomes read_only"),
    "no header": (write("reference/x.md", "no header\n"), "no header"),
    "bad header": (write("reference/b.md", "---\ndescription: a: b\n---\n"), "must be quoted"),
    "worse header": (write("reference/legacy.md", "---\ndescription: |\n  x\n---\n"), "block of lines"),
    "not text": (write("log/x.md", b"\xff\xfe"), "UTF-16"),
    "line ends": (write("log/x.md", "a\r\n"), "carriage returns"),
    "conflict": (write("log/x.md", "a\n<<<<<<< ours\nb\n"), "conflict marker (<<<<<<<)"),
    "secret": (write("log/x.md", f"token {FAKE_SECRET}\n"), "looks like a secret"),
    "secret name": (write(f"log/{FAKE_SECRET}.md", "x"), "looks like a secret"),
    "secret in bytes": (write("log/x.md", b"\xff " + FAKE_SECRET.encode()), "looks like a secret"),
    "dangling": (write("log/x.md", "see [[reference/nowhere]]\n"), "links to [[reference/nowhere]]"),
    "target gone": (delete("reference/b.md"), "reference/a.md links to it"),
    "many deleted": (delete(*(f"log/{n}.md" for n in range(25))), "files are deleted at once"),
    "emptied": (lambda f: [write(f"log/{n}.md", "")(f) for n in range(15)], "bytes in the changed files are gone"),
}


@pytest.mark.parametrize(("tamper", "reason"), REFUSED.values(), ids=REFUSED.keys())
def test_a_draft_that_breaks_a_rule_is_refused_with_the_reason(tmp_path, memory, tamper, reason):
    """core-W17, core-W18, core-R18, core-R29, core-R43, core-R85, core-R87: and git has no object more than before."""
    before = memory.head(), git(memory.folder, "count-objects"), git(memory.folder, "for-each-ref")
    assert reason in outcome(memory, tmp_path, tamper)
    assert (memory.head(), git(memory.folder, "count-objects"), git(memory.folder, "for-each-ref")) == before


ACCEPTED = {
    "edit": write("reference/b.md", page("better, see [[reference/a]]\n")),
    "new": write("people/ann/card.md", page()),
    "some deleted": delete(*(f"log/{n}.md" for n in range(15))),
    "split": lambda f: [write(f"log/{n}.md", "")(f) for n in range(15)] + [write("log/all.md", "x" * 15000)(f)],
    "dangling before": write("reference/dangling.md", page("see [[reference/gone]] again\n")),
    "legacy body": write("reference/legacy.md", "---\ndescription: >\n  wide\n---\nnew\n"),
    "persona": write("system/persona.md", page("I learned\n")),
    "unlocked words": write("log/x.md", "read_only: true is a header key\n"),
    "nothing": lambda _: None,
}


@pytest.mark.parametrize("tamper", ACCEPTED.values(), ids=ACCEPTED.keys())
def test_honest_work_passes(tmp_path, memory, tamper):
    """core-R86"""
    assert outcome(memory, tmp_path, tamper) is None


def test_the_refusal_never_repeats_the_secret(tmp_path, memory):
    assert FAKE_SECRET not in outcome(memory, tmp_path, write("log/x.md", f"token {FAKE_SECRET}\n"))


def test_all_violations_are_reported_at_once_and_long_lists_are_cut(tmp_path, memory):
    def tamper(folder):
        for number in range(12):
            write(f"reference/x{number}.md", "no header\n")(folder)

    reason = outcome(memory, tmp_path, tamper)
    assert reason.count("no header") == 8
    assert reason.endswith("and 4 more")


def test_artefact_checks_see_the_draft_after_the_general_rules_passed(tmp_path, memory):
    seen = []

    def artefact(frozen):
        seen.append(frozen.read("MEMORY.md"))
        yield Violation(path="MEMORY.md", reason="has no task group")

    assert "has no task group" in outcome(memory, tmp_path, write("MEMORY.md", "x\n"), extra_checks=[artefact])
    assert seen == ["x\n"]
    outcome(memory, tmp_path, write("MEMORY.md", b"\xff"), extra_checks=[artefact])
    assert seen == ["x\n"]


def test_a_device_is_refused(tmp_path, memory):
    """core-W18"""

    def tamper(folder):
        try:
            os.mknod(folder / "log/x.md", 0o600 | stat.S_IFCHR, os.makedev(1, 5))  # /dev/zero: reading it never ends
        except PermissionError:
            os.mkfifo(folder / "log/x.md")  # only root makes devices; to the check both are the same

    assert "log/x.md is not a regular file" in outcome(memory, tmp_path, tamper)


def test_what_a_learner_does_to_its_inputs_never_lands(tmp_path, memory):
    def tamper(folder):
        shutil.rmtree(folder / ".inputs")
        (folder / ".inputs").symlink_to("/etc")

    assert outcome(memory, tmp_path, tamper) is None
