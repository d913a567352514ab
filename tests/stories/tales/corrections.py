"""The assistant does it wrong, the user says how it is done."""

from stories.model import Sitting, Step, Story, answer, say, work


def _corrected(request: str, correction: str) -> tuple[Step, ...]:
    """A request, the wrong result, what the user says to it, the right result."""
    return (say(request), answer("reply.did_wrong"), say(correction), answer("reply.ok"))


STORIES = (
    Story(
        name="wrong library",
        sittings=(
            Sitting("a", _corrected("ask.endpoint", "correction.date_fns")),
            Sitting("a", _corrected("ask.csv", "correction.httpx")),
        ),
    ),
    Story(
        name="wrong place",
        sittings=(
            Sitting("a", _corrected("ask.form", "correction.config_place")),
            Sitting("a", _corrected("ask.flaky", "correction.tests_place")),
            Sitting("b", work()),
        ),
    ),
    Story(
        name="told you before",
        sittings=(
            Sitting("a", _corrected("ask.refactor", "correction.told_you")),
            Sitting("a", _corrected("ask.type_error", "correction.trailing")),
        ),
    ),
    Story(
        name="wrong branch and wrong button",
        mixed=True,
        sittings=(
            Sitting("a", _corrected("ask.typo", "correction.base_branch")),
            Sitting("a", _corrected("ask.form", "correction.button")),
        ),
    ),
    Story(
        name="not allowed here",
        sittings=(
            Sitting("a", _corrected("ask.speed", "correction.sql")),
            Sitting("a", _corrected("ask.endpoint", "correction.lang")),
            Sitting("b", _corrected("ask.refactor", "correction.not_what")),
        ),
    ),
)
