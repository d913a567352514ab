"""A memory folder that is gone was lost: nobody deleted what stood in it."""

import shutil

import pytest

from support.product import ruled

pytestmark = [pytest.mark.slow, pytest.mark.timeout(60)]

RULE = "always answer with the word xylophonist here"
LATER = "never edit generated files by hand"
SECRETIVE = "always deploy from the branch quokka"
#: So much that a memory without it would be refused for what it lacks.
MANY = [f"always keep rule number {n} of the house" for n in range(90)]


def states(product):
    return {row["id"]: (row["state"], row["reason"]) for row in product.call("sessions", "--json").json["sessions"]}


def learn_aloud(product, *words):
    return product.call("learn", "--from", str(product.sessions), "--all", "--now", *words).out


@pytest.fixture
def learned(product):
    product.tell(ruled(RULE, *MANY, label="first"))
    product.learn()
    return product


@pytest.fixture
def away(learned):
    """The folder where the memory lies while it is away."""
    place = learned.folder / "elsewhere"
    shutil.move(learned.memory, place)
    return place


def bring_back(product, place):
    shutil.rmtree(product.memory)
    shutil.move(place, product.memory)


@pytest.mark.parametrize("named", [(), ("--identity", "default")])
def test_learning_without_the_folder_writes_anew_what_the_state_knows(learned, away, named):
    told = learn_aloud(learned, *named)
    assert "the memory folder was gone" in told
    assert "1 learned session that" in told
    assert RULE in learned.context()
    assert set(states(learned).values()) == {("active", "")}
    assert "the memory folder" not in learn_aloud(learned, *named)


@pytest.mark.parametrize("named", [(), ("--identity", "default")])
def test_the_old_folder_and_what_was_learned_meanwhile_become_one(learned, away, named):
    handbook = (away / "MEMORY.md").read_text()
    learned.learn(*named)
    learned.tell(ruled(LATER, label="second"))
    learned.learn(*named)
    bring_back(learned, away)
    assert "1 learned session that it lacks" in learn_aloud(learned, *named)
    assert set(states(learned).values()) == {("active", "")}
    context = learned.context()
    assert RULE in context
    assert LATER in context
    assert all(line in learned.read("MEMORY.md") for line in handbook.splitlines() if line.startswith("- always"))
    assert learned.learn(*named).json["consolidation"]["status"] == "no_new_input"
    learned.call("doctor")


def test_a_note_in_a_new_folder_says_what_is_gone_and_loses_nothing(learned, away):
    assert "the memory folder was gone" in learned.call("note", "the till is green").out
    assert "the memory folder" not in learned.call("note", "the roof is red").out
    learned.learn()
    context = learned.context()
    assert "the till is green" in context
    assert RULE in context


def test_status_and_doctor_say_that_it_is_gone(learned, away):
    assert "the folder is gone, and state.db still knows 1 session" in learned.call("status").out
    learned.call("note", "the till is green")
    assert "the memory folder was gone" in learned.call("doctor").out
    learned.learn()
    assert "the memory folder" not in learned.call("doctor").out


def test_an_older_version_of_a_session_is_written_anew(learned, away):
    learned.learn()
    learned.tell(ruled(RULE, *MANY, LATER, label="first"))
    learned.learn()
    bring_back(learned, away)
    learned.learn()
    assert LATER in learned.context()


def test_sessions_that_went_for_deleted_while_the_folder_was_away_come_back_with_it(product):
    product.tell(ruled(RULE, label="first"))
    product.learn()
    place = product.folder / "elsewhere"
    shutil.copytree(product.memory, place)
    (stem,) = (product.memory / "rollout_summaries").glob("*.md")
    shutil.rmtree(product.memory)
    product.learn()
    (product.memory / "rollout_summaries" / stem.name).unlink()
    product.call("adopt")
    product.learn()
    assert set(states(product).values()) == {("retired", "deleted")}
    bring_back(product, place)
    product.learn()
    assert set(states(product).values()) == {("active", "")}


def test_what_was_forgotten_while_the_folder_was_away_does_not_come_back_with_it(learned, away):
    learned.tell(ruled(LATER, label="second"))
    learned.learn()
    (first,) = (
        name for name in states(learned) if "xylophonist" in learned.call("read", rollout_of(learned, name)).out
    )
    learned.call("forget", first, "--yes")
    bring_back(learned, away)
    for _ in range(2):
        learned.learn()
        assert "xylophonist" not in learned.context()
        assert learned.call("search", "xylophonist", "--json").json["total"] == 0
        assert states(learned)[first] == ("retired", "forgotten")
    assert LATER in learned.context()


def test_a_session_that_was_switched_off_stays_off(learned):
    learned.tell(ruled(SECRETIVE, label="second"))
    learned.learn()
    (off,) = (name for name in states(learned) if "quokka" in learned.call("read", rollout_of(learned, name)).out)
    learned.call("mode", off, "disabled")
    learned.learn()
    shutil.rmtree(learned.memory)
    learned.call("note", "the till is green")
    learned.learn()
    learned.learn()
    assert SECRETIVE not in learned.context()
    assert RULE in learned.context()
    assert states(learned)[off] == ("retired", "disabled")


def rollout_of(product, session):
    (path,) = (p for p in (product.memory / "rollout_summaries").glob("*.md") if session in p.read_text())
    return f"rollout_summaries/{path.name}"


@pytest.mark.parametrize("named", [(), ("--identity", "default")])
def test_after_a_reset_a_lost_folder_brings_nothing_back(learned, named):
    learned.call("reset", "--yes")
    shutil.rmtree(learned.memory)
    assert learned.learn(*named).json["extracted"] == 0
    learned.call("note", "the till is green")
    learned.learn(*named)
    assert "xylophonist" not in learned.context()


def test_one_session_that_is_deleted_by_hand_stays_deleted(product):
    product.tell(ruled(RULE, label="first"))
    product.learn()
    (path,) = (product.memory / "rollout_summaries").glob("*.md")
    path.unlink()
    product.call("adopt")
    product.learn()
    assert set(states(product).values()) == {("retired", "deleted")}


def test_a_session_cannot_be_switched_off_while_the_folder_is_away(learned, away):
    """It would be written down where nobody looks once the folder is back."""
    error = learned.call("mode", "s1", "disabled", "--json", code=1).error
    assert error["code"] == "no_repository"
    assert not learned.memory.exists()
    assert away.exists()
