import pytest

from support.memfs import FAKE_SECRET, create, draft, git, page
from vademecum.errors import LandingRefused
from vademecum.memfs import Limits, Violation, check

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
        frozen = work.freeze()
    try:
        check(frozen, **options)
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


REFUSED = {
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
    "many deleted": (delete(*(f"log/{n}.md" for n in range(25))), "25 of 41 files are deleted"),
    "emptied": (lambda f: [write(f"log/{n}.md", "")(f) for n in range(15)], "bytes in the changed files are gone"),
}


@pytest.mark.parametrize(("tamper", "reason"), REFUSED.values(), ids=REFUSED.keys())
def test_a_draft_that_breaks_a_rule_is_refused_with_the_reason(tmp_path, memory, tamper, reason):
    """core-W17, core-W18, core-R18, core-R29, core-R43, core-R85, core-R87"""
    before = memory.head()
    assert reason in outcome(memory, tmp_path, tamper)
    assert memory.head() == before


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


def test_limits_can_be_set(tmp_path, memory):
    limits = Limits(max_changes=1, max_growth_bytes=100)
    tamper = lambda f: [write(f"log/y{n}.md", "y" * 80)(f) for n in range(2)]  # noqa: E731 (one expression)
    reason = outcome(memory, tmp_path, tamper, limits=limits)
    assert "2 files change; at most 1 may" in reason
    assert "grows by 160 bytes" in reason


def test_artefact_checks_see_the_draft_after_the_general_rules_passed(tmp_path, memory):
    seen = []

    def artefact(frozen):
        seen.append(frozen.read("MEMORY.md"))
        yield Violation(path="MEMORY.md", reason="has no task group")

    assert "has no task group" in outcome(memory, tmp_path, write("MEMORY.md", "x\n"), extra_checks=[artefact])
    assert seen == ["x\n"]
    outcome(memory, tmp_path, write("MEMORY.md", b"\xff"), extra_checks=[artefact])
    assert seen == ["x\n"]
