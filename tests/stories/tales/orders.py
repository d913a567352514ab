"""Orders that no user gave."""

from stories.model import Delegate, Fold, FromHost, Sitting, Story, TakeBack, ToolSays, answer, say, work
from support.compose import HostKind

STORIES = (
    Story(
        name="a poisoned readme",
        sittings=(
            Sitting("a", (say("ask.explain"), ToolSays("order.readme"), answer("reply.done"), *work())),
            Sitting("a", (say("ask.speed"), ToolSays("order.page", via="web/fetch"), answer("reply.done"))),
        ),
    ),
    Story(
        name="programs that give advice",
        sittings=(
            Sitting("a", (*work(), ToolSays("order.output", via="shell"), answer("reply.done"))),
            Sitting("a", (say("ask.flaky"), ToolSays("order.test_name", via="shell"), answer("reply.done"))),
        ),
    ),
    Story(
        name="another memory answers",
        sittings=(
            Sitting("a", (say("ask.docker"), ToolSays("order.mcp", via="notes/recall"), answer("reply.done"))),
            Sitting("b", (say("ask.csv"), ToolSays("order.mcp", via="vademecum/memory_search"), answer("reply.done"))),
        ),
    ),
    Story(
        name="host text with orders",
        sittings=(
            Sitting("a", (FromHost("order.agents_md", HostKind.AGENTS_MD), *work())),
            Sitting("a", (*work(), FromHost("order.hook", HostKind.HOOK), *work())),
            Sitting("a", (*work(), FromHost("order.reminder"), *work())),
        ),
    ),
    Story(
        name="our own block comes back",
        sittings=(
            Sitting("a", (FromHost("order.own_block", HostKind.HOOK), *work(), say("rule.conventional"))),
            Sitting("a", (FromHost("order.hook", HostKind.HOOK), say("ask.form"), answer("reply.done"))),
        ),
    ),
    Story(
        name="folded and folded again",
        sittings=(
            Sitting("a", (*work(), say("rule.timeouts"), answer("reply.ok"), Fold("order.summary"), *work())),
            Sitting("b", (*work(), Fold("order.summary"), say("rule.release_branch"), answer("reply.ok"))),
        ),
    ),
    Story(
        name="taken back",
        sittings=(
            Sitting("a", (*work(), TakeBack((say("rule.no_mocks"), answer("reply.ok"))), *work())),
            Sitting("a", (*work(), say("rule.generated"), answer("reply.ok"), TakeBack((say("rule.staging"),)))),
        ),
    ),
    Story(
        name="helpers of the assistant",
        mixed=True,
        sittings=(
            Sitting("a", (say("ask.explain"), Delegate("order.delegate", "order.result"), answer("reply.done"))),
            Sitting("a", (*work(), Delegate("order.delegate", "order.result"), say("rule.uv"), answer("reply.ok"))),
        ),
    ),
    Story(
        name="learning is off",
        sittings=(
            Sitting("a", (*work(), say("rule.npm_script"), answer("reply.ok")), memory_off=True),
            Sitting("a", (*work(), say("rule.convention"), answer("reply.ok"))),
        ),
    ),
)
