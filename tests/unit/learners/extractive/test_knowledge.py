"""What tools teach: commands, mended failures, files, facts."""

from support.conversation import Talk, bash, edit
from vademecum.artifacts import Kind
from vademecum.learners.extractive.knowledge import survey
from vademecum.learners.extractive.outcomes import Mark


def texts(talk: Talk, kind: Kind, cwd: str = "/srv/demo") -> list[str]:
    return [finding.text for finding in survey(talk.messages, cwd).findings if finding.kind is kind]


def test_a_failure_needs_a_difference_to_teach_something() -> None:
    """A command that fails and then works with nothing changed between is flaky, not mended."""
    assert texts(Talk().works(bash("make test", "1 failed", failed=True), bash("make test", "ok")), Kind.FAILURE) == []


def test_an_installed_package_can_be_what_mended_it() -> None:
    """What changed is an edit or a command that changes the environment."""
    talk = Talk().works(
        bash("pytest -q", "ModuleNotFoundError: No module named 'httpx'", failed=True),
        bash("pip install httpx"),
        bash("pytest -q", "3 passed"),
    )
    assert texts(talk, Kind.FAILURE) == [
        "`pytest -q` failed (ModuleNotFoundError: No module named 'httpx'); after `pip install httpx` it worked"
    ]


def test_another_program_for_the_same_goal_mends_too() -> None:
    """ "npm test" failed, "pnpm test" worked: that is the lesson."""
    talk = Talk().works(bash("npm test", "npm ERR! no", failed=True), bash("pnpm test", "ok"))
    assert texts(talk, Kind.FAILURE) == ["`npm test` failed (npm ERR! no); `pnpm test` worked"]


def test_looking_around_mends_nothing() -> None:
    """Reading files and git status are no change."""
    talk = Talk().works(
        bash("make test", "1 failed", failed=True), bash("git status"), bash("ls"), bash("make test", "ok")
    )
    assert texts(talk, Kind.FAILURE) == []


def test_what_stayed_broken_is_kept_as_an_error() -> None:
    """An unresolved failure of a goal is kept with its error line."""
    talk = Talk().works(bash("make build", "make: *** [all] Error 2", failed=True))
    assert texts(talk, Kind.ERROR) == ["`make build` failed and was not mended: make: *** [all] Error 2"]


def test_the_most_edited_files_are_kept_relative_to_the_project() -> None:
    """Five at most, most edited first in count, none from outside the project."""
    talk = Talk().works(
        *[edit(f"/srv/demo/f{n}.py") for n in range(7) for _ in range(n)], edit("/etc/hosts"), edit("../x")
    )
    found = texts(talk, Kind.FILE)
    assert len(found) == 5
    assert "`f6.py` edited 6 times" in found
    assert not any("hosts" in text or text == "x" for text in found)


def test_facts_are_few_and_safe() -> None:
    """A version that a program states, a lock file in a listing, a port of a server."""
    talk = Talk().works(
        bash("node --version", "v22.3.0"),
        bash("ls", "package.json\npnpm-lock.yaml"),
        bash("npm run dev", "ready: listening on http://localhost:5173"),
    )
    assert texts(talk, Kind.FACT) == [
        "`node --version` says v22.3.0",
        "`pnpm-lock.yaml` is there: dependencies are managed with pnpm",
        "`npm run dev` listens on port 5173",
    ]


def test_a_command_is_kept_once_and_per_goal_a_few() -> None:
    """Running the tests twenty times is one piece of knowledge."""
    talk = Talk().works(
        *[bash("pytest -q", "3 passed") for _ in range(20)], *[bash(f"pytest -k t{n}", "1 passed") for n in range(9)]
    )
    found = texts(talk, Kind.COMMAND)
    assert len(found) == len(set(found)) == 3


def test_marks_tell_the_course_of_the_work() -> None:
    """Edits and checks leave marks in the order in which they happened."""
    talk = Talk().works(bash("make test", "1 failed", failed=True), edit("/srv/demo/a"), bash("make test", "ok"))
    assert survey(talk.messages, "/srv/demo").marks == {1: (Mark.FAILED, Mark.EDITED, Mark.PASSED)}
