"""What a person means by the words behind `vade forget`."""

import pytest

from support.memfs import create, git, page, put
from vademecum.artifacts import RolloutSummary, render_rollout_summary
from vademecum.engine.targets import find_target
from vademecum.errors import NotFound, RefusedError, UnsafePath, UsageError
from vademecum.memfs import Former, Provenance, Writer
from vademecum.state import Record, Source, State


@pytest.fixture
def state(tmp_path, morning):
    with State.open(tmp_path / "state.db") as opened:
        opened.sources.remember(
            [
                Source(host="h", path=f"/{name}", fingerprint="f", session_id=name, seen_at=morning)
                for name in ("0199a000-1111", "0199a000-2222", "abc")
            ]
        )
        yield opened


@pytest.fixture
def morning():
    from datetime import UTC, datetime

    return datetime(2026, 11, 2, 9, tzinfo=UTC)


@pytest.fixture
def memory(tmp_path, morning):
    memory = create(tmp_path)
    put(memory, a=page("a\n"), b=page("b\n"))
    summary = RolloutSummary(
        session_id="0199a000-1111",
        host="h",
        cwd="/srv",
        branch="",
        started_at=morning,
        updated_at=morning,
        outcome="success",
        learner="x/1",
        recap="recap",
        raw_memory="raw",
    )
    commit(memory, {"rollout_summaries/one.md": render_rollout_summary(summary), "MEMORY.md": "# x\n"})
    return memory


def commit(memory, edits):
    memory.commit(edits, subject="x", provenance=Provenance(writer=Writer.USER))


def by_hand(memory, path, text):
    (memory.folder / path).write_text(text)
    git(memory.folder, "add", "-f", path)
    git(memory.folder, "commit", "-qm", "by hand")


def find(memory, state, words, *, history=False):
    return find_target(words, memory.tree(), state, Former(memory) if history else None, root=memory.folder)


@pytest.mark.parametrize("words", ["reference/a.md", "./reference/a.md"])
def test_a_file(memory, state, words):
    target = find(memory, state, words)
    assert (target.paths, target.sessions, target.subject) == (("reference/a.md",), (), "Forget a file")


@pytest.mark.parametrize("words", ["reference", "reference/"])
def test_a_folder(memory, state, words):
    target = find(memory, state, words)
    assert target.paths == ("reference/a.md", "reference/b.md")
    assert target.subject == "Forget 2 files"


@pytest.mark.parametrize("words", ["0199a000-1111", "0199a000-1", "rollout_summaries/one.md", "rollout_summaries"])
def test_a_session_and_its_rollout_summary_are_one(memory, state, words):
    target = find(memory, state, words)
    assert (target.sessions, target.paths) == (("0199a000-1111",), ("rollout_summaries/one.md",))
    assert target.subject == "Forget a session"


def test_a_rollout_summary_whose_header_is_broken_is_known_by_its_name(memory, state, morning):
    commit(memory, {"rollout_summaries/two.md": "no header\n"})
    state.records.upsert(
        Record(
            session_id="abc",
            host="h",
            cwd="",
            branch=None,
            started_at=morning,
            updated_at=morning,
            outcome="success",
            slug="",
            stem="two",
            raw_memory="",
            rollout_summary="",
            learner="x/1",
            extracted_at=morning,
        )
    )
    assert find(memory, state, "abc").paths == ("rollout_summaries/two.md",)


def test_a_session_that_left_no_record(memory, state):
    target = find(memory, state, "abc")
    assert (target.sessions, target.every_path) == (("abc",), ())


def test_a_beginning_of_several_sessions_is_an_error_that_lists_them(memory, state):
    with pytest.raises(UsageError, match="0199a000-1111, 0199a000-2222"):
        find(memory, state, "0199a000")


@pytest.mark.parametrize("words", ["/", "reference/c.md", "refer", "a.md", "abc.md", "xyz", "0199a000/"])
def test_what_is_neither_is_not_found(memory, state, words):
    with pytest.raises(NotFound):
        find(memory, state, words)


@pytest.mark.parametrize("words", ["", "  ", ".", " ./", "{root}", "{root}/"])
def test_all_of_memory_is_no_target_and_neither_is_nothing(memory, state, words):
    with pytest.raises(UsageError) as caught:
        find(memory, state, words.format(root=memory.folder))
    assert ("vade reset" in caught.value.next_step) == bool(words.strip())


@pytest.mark.parametrize("words", [".vademecum", ".vademecum/", "./.vademecum/format", "{root}/.vademecum/format"])
@pytest.mark.parametrize("history", [False, True])
def test_the_programs_own_files_are_no_target(memory, state, words, history):
    with pytest.raises(UnsafePath, match="hidden"):
        find(memory, state, words.format(root=memory.folder), history=history)


def test_the_programs_own_files_do_not_go_along_for_their_bytes(memory, state):
    commit(memory, {"reference/same.md": page("2\n")})
    by_hand(memory, ".vademecum/note", page("2\n"))
    git(memory.folder, "rm", "-q", ".vademecum/note")
    git(memory.folder, "commit", "-qm", "gone")
    assert find(memory, state, "reference/same.md", history=True).every_path == ("reference/same.md",)


@pytest.mark.parametrize("history", [False, True])
@pytest.mark.parametrize(("name", "way"), [("reference/l.md", "vade adopt"), ("link.txt", "git rm -- 'link.txt'")])
def test_a_link_that_was_committed_is_refused_with_the_way_to_be_rid_of_it(memory, state, history, name, way):
    (memory.folder / name).symlink_to("a.md")
    git(memory.folder, "add", "-A")
    git(memory.folder, "commit", "-qm", "link")
    with pytest.raises(RefusedError, match="symbolic link") as caught:
        find(memory, state, name, history=history)
    assert way in caught.value.next_step
    assert f"vade forget {name} --scrub" in caught.value.next_step


def test_a_link_that_is_gone_is_forgotten_from_history(memory, state):
    (memory.folder / "reference/l.md").symlink_to("a.md")
    git(memory.folder, "add", "-A")
    git(memory.folder, "commit", "-qm", "link")
    (memory.folder / "reference/l.md").unlink()
    memory.adopt()
    assert find(memory, state, "reference/l.md", history=True).former_paths == ("reference/l.md",)


@pytest.mark.parametrize("words", ["MEMORY.md", "./MEMORY.md"])
def test_what_is_made_of_others_is_refused(memory, state, words):
    with pytest.raises(RefusedError):
        find(memory, state, words)


def test_a_folder_that_is_named_like_a_session_must_be_told_apart(memory, state):
    commit(memory, {"abc/x.md": "x\n"})
    with pytest.raises(UsageError, match="folder and the beginning"):
        find(memory, state, "abc")
    assert find(memory, state, "abc/").paths == ("abc/x.md",)


def test_history_has_what_the_present_has_no_more(memory, state):
    commit(memory, {"reference/a.md": None, "rollout_summaries/one.md": None})
    with pytest.raises(NotFound):
        find(memory, state, "reference/a.md")
    target = find(memory, state, "reference/a.md", history=True)
    assert (target.paths, target.former_paths) == ((), ("reference/a.md",))
    target = find(memory, state, "0199a000-1111", history=True)
    assert (target.sessions, target.former_paths) == (("0199a000-1111",), ("rollout_summaries/one.md",))


def test_former_names_of_the_same_bytes_go_along_and_present_twins_stay(memory, state):
    text = memory.tree().read("reference/a.md")
    commit(memory, {"log/old.md": text, "log/twin.md": text})
    commit(memory, {"log/old.md": None})
    target = find(memory, state, "reference/a.md", history=True)
    assert (target.paths, target.former_paths) == (("reference/a.md",), ("log/old.md",))


def test_empty_files_are_no_twins(memory, state):
    commit(memory, {"log/e.md": "", "log/f.md": ""})
    commit(memory, {"log/f.md": None})
    assert find(memory, state, "log/e.md", history=True).former_paths == ()
