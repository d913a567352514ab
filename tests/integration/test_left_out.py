"""A session that is asked for by name and not learned: the true reason, its day, and the command that changes it."""

from datetime import UTC, datetime, timedelta

import pytest

from support.product import ruled

pytestmark = [pytest.mark.slow, pytest.mark.timeout(60)]

RULE = "always answer with the word xylophonist here"


def only_id(product):
    (session,) = product.call("sessions", "--json").json["sessions"]
    return session["id"]


def asked_for(product, session):
    words = ("--from", str(product.sessions), "--all", "--now", "--session", session)
    return product.call("learn", *words).out


def today():
    return f"{datetime.now(UTC):%Y-%m-%d}"


def test_what_was_learned_is_said_to_be_learned(learned):
    assert "already learned" in asked_for(learned, only_id(learned))


@pytest.mark.parametrize(
    ("words", "why", "command"),
    [
        (("reset", "--yes"), "kept out since the reset of {today}", "vade mode {session} enabled"),
        (("forget", "{session}", "--yes"), "forgotten on {today}", "vade undo"),
        (("mode", "{session}", "disabled"), "switched off by vade mode on {today}", "vade mode {session} enabled"),
    ],
)
def test_what_a_person_shut_out_is_never_called_learned(learned, words, why, command):
    session = only_id(learned)
    learned.call(*(word.format(session=session) for word in words))
    learned.learn()
    for _ in range(2):  # the second time the file is known and not read
        told = asked_for(learned, session)
        assert "already learned" not in told
        assert why.format(today=today()) in told
        assert command.format(session=session) in told


def test_the_json_object_holds_the_reason_too(learned):
    session = only_id(learned)
    learned.call("reset", "--yes")
    left = learned.learn("--session", session).json["left_out"]
    assert (left["session"], left["reason"]) == (session, "before_reset")


def test_a_session_that_may_go_on_is_too_new_and_one_before_since_too_old(product):
    product.tell(ruled(RULE, label="now", started_at=datetime.now(UTC)))
    words = ("learn", "--from", str(product.sessions), "--json")
    (listed,) = product.call("learn", "--from", str(product.sessions), "--dry-run", "--now", "--json").json["sessions"]
    left = product.call(*words, "--session", listed["id"]).json["left_out"]
    assert left["reason"] == "too_recent"
    assert "--now" in left["next_step"]
    product.tell(ruled(RULE, label="old", started_at=datetime.now(UTC) - timedelta(days=30)))
    sessions = product.call("learn", "--from", str(product.sessions), "--dry-run", "--now", "--all", "--json").json
    (old,) = (one["id"] for one in sessions["sessions"] if one["id"] != listed["id"])
    left = product.call(*words, "--session", old, "--since", "2d").json["left_out"]
    assert left["reason"] == "too_old"
    assert "--all" in left["next_step"]


def test_a_session_whose_proposal_was_rejected_is_told_as_that(product):
    product.call("config", "set", "review.learn", "propose")
    product.tell(ruled(RULE, label="first"))
    product.learn()
    (proposal,) = product.call("proposals", "--json").json["proposals"]
    product.call("proposals", "reject", proposal["id"])
    told = asked_for(product, only_id(product))
    assert f"its proposal was rejected on {today()}" in told
