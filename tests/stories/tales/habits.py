"""How the user works, told without an order."""

from stories.model import Sitting, Story, answer, say, work

STORIES = (
    Story(
        name="whenever the schema changes",
        sittings=(
            Sitting("a", (*work(), say("habit.schema"), answer("reply.ok"))),
            Sitting("a", (say("ask.endpoint", "habit.endpoint"), answer("reply.done"))),
        ),
    ),
    Story(
        name="bitten before",
        sittings=(
            Sitting("a", (*work(), say("habit.bitten"), answer("reply.ok"))),
            Sitting("a", (say("habit.release"), answer("reply.ok"), *work())),
            Sitting("b", work()),
        ),
    ),
    Story(
        name="how we work here",
        sittings=(
            Sitting("a", (say("habit.how_we_work"), answer("reply.ok"), *work())),
            Sitting("a", (*work(), say("habit.flag"), answer("reply.ok"))),
            Sitting("a", (*work(), say("habit.module_template"), answer("reply.ok"))),
        ),
    ),
    Story(
        name="personal habits",
        sittings=(
            Sitting("a", (say("ask.typo", "habit.diff"), answer("reply.done"))),
            Sitting("b", (*work(), say("habit.usually"), answer("reply.ok"))),
            Sitting("b", (*work(), say("habit.end_of_task"), answer("reply.ok"))),
        ),
    ),
    Story(
        name="bumps and queries",
        sittings=(
            Sitting("a", (*work(), say("habit.every_bump"), answer("reply.ok"))),
            Sitting("a", (say("habit.team"), answer("reply.ok"), *work())),
        ),
    ),
)
