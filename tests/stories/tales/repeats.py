"""A request that comes again in session after session is a preference; one that came once is not."""

from stories.model import Sitting, Story, answer, say, work

STORIES = (
    Story(
        name="a changelog entry every time",
        sittings=(
            Sitting("a", (say("ask.form", "repeat.changelog"), answer("reply.done"))),
            Sitting("a", (say("ask.endpoint", "repeat.changelog"), answer("reply.done"))),
            Sitting("a", (say("ask.typo", "repeat.changelog"), answer("reply.done"))),
            Sitting("a", (*work(), say("repeat.changelog"), answer("reply.done"))),
        ),
    ),
    Story(
        name="run the linter before you finish",
        mixed=True,
        sittings=(
            Sitting("a", (say("ask.csv", "repeat.ruff"), answer("reply.done"))),
            Sitting("a", (*work(), say("repeat.ruff"), answer("reply.done"))),
            Sitting("a", (say("ask.type_error", "repeat.ruff"), answer("reply.done"))),
        ),
    ),
    Story(
        name="in every project the same",
        sittings=(
            Sitting("a", (say("ask.flaky", "repeat.tests_too"), answer("reply.done"))),
            Sitting("b", (say("ask.endpoint", "repeat.tests_too"), answer("reply.done"))),
            Sitting("c", (say("ask.csv", "repeat.tests_too"), answer("reply.done"))),
        ),
    ),
    Story(
        name="once is not often",
        sittings=(
            Sitting("a", (say("ask.form", "repeat.squash"), answer("reply.done"))),
            Sitting("a", (say("ask.docker", "repeat.screenshots"), answer("reply.done"))),
            Sitting("b", (say("ask.speed", "repeat.docs"), answer("reply.done"))),
        ),
    ),
    Story(
        name="squash and screenshots",
        sittings=(
            Sitting("a", (say("ask.form", "repeat.squash"), answer("reply.done"))),
            Sitting("a", (*work(), say("repeat.squash"), answer("reply.done"), say("repeat.screenshots"))),
            Sitting("a", (say("ask.typo", "repeat.squash"), answer("reply.done"), say("repeat.screenshots"))),
            Sitting("a", (*work(), say("repeat.screenshots"), answer("reply.done"))),
        ),
    ),
)
