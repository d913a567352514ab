import pytest

from vademecum import Memory
from vademecum.errors import UsageError


@pytest.fixture
def memory(tmp_path):
    memory = Memory.open(home=tmp_path / "home", environ={})
    memory.note("always use pnpm")
    return memory


def give(memory, event="turn", **changes):
    return memory.inject(**{"host": "opencode", "session": "s1", "cwd": "/srv/shop", "event": event, **changes})


def test_a_session_is_given_the_context_of_its_folder(memory):
    given = give(memory, "start")
    context = memory.context(cwd="/srv/shop")
    assert (given.text, given.revision, given.notice) == (context.text, context.revision, "")


def test_the_bytes_stay_while_memory_changes_and_the_change_is_told_once(memory):
    first = give(memory, "start").text
    memory.note("call her Ada")
    given = [give(memory) for _ in range(3)]
    assert {one.text for one in given} == {first}
    assert [bool(one.notice) for one in given] == [True, False, False]
    assert "Ada" in give(memory, "compact").text


def test_where_it_is_switched_off_nothing_is_given_and_nothing_kept(memory):
    off = Memory.open(home=memory.home.root, environ={"VADEMECUM_MEMORIES_USE_MEMORIES": "false"})
    assert give(off, "start").text == ""
    assert not memory.folder.pins.exists()


def test_where_nothing_was_written_nothing_is_given_and_nothing_made(tmp_path):
    memory = Memory.open(home=tmp_path / "home", environ={})
    assert give(memory, "start").text == ""
    assert not (tmp_path / "home").exists()


@pytest.mark.parametrize(
    "odd", [{"host": "../up"}, {"host": ""}, {"host": "a/b"}, {"host": "A"}, {"session": ""}, {"event": "stop"}]
)
def test_what_no_plugin_of_ours_sends_is_refused(memory, odd):
    with pytest.raises(UsageError):
        give(memory, **odd)


def test_what_was_scrubbed_does_not_stay_in_what_sessions_were_given(memory):
    give(memory, "start")
    (path,) = [path for path in memory.tree().paths() if path.startswith("extensions/ad_hoc/notes/")]
    proof = memory.forgetting.forget(path, scrubs=True).proof
    assert proof.left == ()
    assert "pnpm" not in give(memory).text


def test_what_was_put_away_by_a_reset_does_not_either(memory):
    give(memory, "start")
    memory.resetting.reset()
    assert "pnpm" not in give(memory).text
