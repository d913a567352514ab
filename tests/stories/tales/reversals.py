"""The user changes their mind: in the same project the newest rule stands, in another project the old one stays."""

from stories.model import Sitting, Story, answer, say, work

STORIES = (
    Story(
        name="tabs become spaces",
        sittings=(
            Sitting("a", (say("rule.tabs"), answer("reply.ok"), *work())),
            Sitting("a", work()),
            Sitting("a", (*work(), say("rule.spaces"), answer("reply.ok"))),
        ),
        reversals=(("rule.tabs", "rule.spaces"),),
    ),
    Story(
        name="tabs here, two spaces there",
        sittings=(
            Sitting("a", (say("rule.tabs"), answer("reply.ok"), *work())),
            Sitting("b", (say("rule.two_spaces"), answer("reply.ok"), *work())),
        ),
    ),
    Story(
        name="old test runner, new test runner",
        sittings=(
            Sitting("a", (say("rule.jest"), answer("reply.ok"), *work())),
            Sitting("a", (*work(), say("rule.vitest"), answer("reply.ok"))),
            Sitting("b", (say("rule.jest", take=1), answer("reply.ok"), *work())),
        ),
        reversals=(("rule.jest", "rule.vitest"),),
    ),
    Story(
        name="the server moves to another port",
        sittings=(
            Sitting("a", (say("rule.dev_port"), answer("reply.ok"), *work())),
            Sitting("a", (say("reverse.dev_port"), answer("reply.ok"), *work())),
        ),
        reversals=(("rule.dev_port", "reverse.dev_port"),),
    ),
    Story(
        name="two package managers in one person",
        mixed=True,
        sittings=(
            Sitting("a", (say("rule.pnpm"), answer("reply.ok"), *work())),
            Sitting("b", (say("fr.toujours"), answer("reply.ok"), *work())),
            Sitting("a", work()),
        ),
    ),
    Story(
        name="short answers become long ones",
        sittings=(
            Sitting("a", (say("reverse.brief"), answer("reply.ok"), *work())),
            Sitting("b", (*work(), say("reverse.detailed"), answer("reply.ok"))),
        ),
        reversals=(("reverse.brief", "reverse.detailed"),),
    ),
    Story(
        name="there and back again",
        sittings=(
            Sitting("a", (say("reverse.merge"), answer("reply.ok"))),
            Sitting("a", (*work(), say("reverse.rebase"), answer("reply.ok"))),
            Sitting("a", work()),
        ),
        reversals=(("reverse.merge", "reverse.rebase"),),
    ),
    Story(
        name="changed within one session",
        sittings=(
            Sitting("a", (say("rule.tabs"), answer("reply.ok"), *work(), say("rule.spaces"), answer("reply.ok"))),
            Sitting("b", (say("rule.tabs", take=1), answer("reply.ok"), *work())),
        ),
        reversals=(("rule.tabs", "rule.spaces"),),
    ),
)
