from collections import Counter
from datetime import date

import pytest

from stories.phrasebook import Filler, load_phrases
from stories.secret_shapes import KINDS, make_secret
from stories.tales import STORIES
from stories.telling import tell
from support.compose import Human, live_turns

TODAY = date(2026, 11, 30)


@pytest.mark.parametrize("phrase_id", sorted(load_phrases()))
def test_every_wording_holds_the_words_it_is_recognised_by(phrase_id: str, rng):
    phrase, filler = load_phrases()[phrase_id], Filler(rng)
    words = [filler.fill(phrase_id, word).casefold() for word in (*phrase.must, *phrase.never)]
    for wording in phrase.says:
        text = filler.fill(phrase_id, wording).casefold()
        assert [word for word in words if word not in text] == []


def test_every_phrase_is_used_by_a_story():
    told = "".join(map(repr, STORIES))
    spoken_by_work = ("ask.", "reply.", "praise.", "tool.")
    unused = [name for name in load_phrases() if f"'{name}'" not in told and not name.startswith(spoken_by_work)]
    assert unused == []


def test_story_names_are_distinct():
    assert [name for name, count in Counter(story.name for story in STORIES).items() if count > 1] == []


@pytest.mark.parametrize("story", STORIES, ids=lambda story: story.name)
def test_a_seed_tells_the_same_story_again(story):
    first, second = tell(story, 3, TODAY), tell(story, 3, TODAY)
    assert first.scripts == second.scripts
    assert first.forbidden == second.forbidden


@pytest.mark.parametrize("story", STORIES, ids=lambda story: story.name)
def test_what_is_wanted_was_said_by_the_user_in_that_project(story):
    told = tell(story, 0, TODAY)
    for wanted in told.wanted:
        for project in wanted.projects:
            said = [
                turn.text.casefold()
                for script in told.scripts
                for turn in live_turns(script.turns)
                if isinstance(turn, Human) and script.cwd == told.folders[project]
            ]
            assert any(all(word.casefold() in text for word in wanted.spoken.words) for text in said), wanted


@pytest.mark.parametrize("story", STORIES, ids=lambda story: story.name)
def test_nothing_is_wanted_and_forbidden_at_once(story):
    told = tell(story, 0, TODAY)
    wanted = {wanted.spoken.words for wanted in told.wanted}
    assert [forbidden for forbidden in told.forbidden if forbidden.words in wanted] == []


def test_another_seed_tells_it_with_other_words():
    said = [
        {
            turn.text
            for script in tell(STORIES[0], seed, TODAY).scripts
            for turn in script.turns
            if isinstance(turn, Human)
        }
        for seed in (0, 1)
    ]
    assert said[0] != said[1]


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_a_made_secret_shows_the_parts_that_must_be_gone(kind: str, rng):
    secret = make_secret(kind, rng)
    assert secret.parts
    assert all(part in secret.text for part in secret.parts)
