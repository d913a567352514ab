"""The person edits memory between the sessions: what they deleted stays away, what they reworded stays theirs."""

from stories.model import ByHand, Sitting, Story, answer, say, work

STORIES = (
    Story(
        name="a deleted line",
        sittings=(
            Sitting("a", (*work(), say("rule.pnpm"), answer("reply.ok"))),
            Sitting("a", (*work(), say("rule.generated"), answer("reply.ok"))),
            Sitting("a", work()),
        ),
        by_hand=(ByHand(0, "rule.pnpm"),),
    ),
    Story(
        name="a deleted line that held everywhere",
        mixed=True,
        sittings=(
            Sitting("a", (*work(), say("rule.plan_first"), answer("reply.ok"))),
            Sitting("b", (*work(), say("rule.uv"), answer("reply.ok"))),
            Sitting("a", (*work(), say("correction.sql"), answer("reply.ok"))),
        ),
        by_hand=(ByHand(0, "rule.plan_first"), ByHand(1, "rule.uv")),
    ),
    Story(
        name="a reworded line",
        sittings=(
            Sitting("a", (*work(), say("rule.timeouts"), answer("reply.ok"))),
            Sitting("a", (*work(), say("rule.utc"), answer("reply.ok"))),
            Sitting("b", work()),
        ),
        by_hand=(ByHand(0, "rule.timeouts", "ask ada before you wait for anything"),),
    ),
    Story(
        name="one line goes, another is reworded",
        mixed=True,
        sittings=(
            Sitting("a", (*work(), say("rule.tabs"), answer("reply.ok"), say("rule.staging"), answer("reply.ok"))),
            Sitting("a", (*work(), say("rule.no_mocks"), answer("reply.ok"))),
            Sitting("a", work()),
        ),
        by_hand=(ByHand(0, "rule.staging"), ByHand(1, "rule.no_mocks", "stand-ins only for what is paid for")),
    ),
)
