"""Secrets and private words in every place where people leave them."""

from stories.model import Run, Sitting, Story, answer, say, work

STORIES = (
    Story(
        name="tokens in the chat",
        sittings=(
            Sitting("a", (say("leak.human_github"), answer("reply.ok"), *work())),
            Sitting("a", (say("leak.human_openai"), answer("reply.ok"), say("rule.timeouts"))),
            Sitting("b", (*work(), say("leak.human_anthropic"), answer("reply.ok"))),
        ),
    ),
    Story(
        name="a rule with a password in it",
        sittings=(
            Sitting("a", (say("leak.rule_password"), answer("reply.ok"), *work())),
            Sitting("a", (*work(), say("leak.rule_url"), answer("reply.ok"))),
        ),
    ),
    Story(
        name="keys on many lines",
        sittings=(
            Sitting("a", (say("leak.human_pem"), answer("reply.ok"), *work())),
            Sitting("a", (say("leak.human_cut_pem"), answer("reply.ok"), say("leak.human_next_line"))),
        ),
    ),
    Story(
        name="files with secrets",
        sittings=(
            Sitting("a", (*work(), Run("spill.env"), answer("reply.done"), Run("spill.yaml"), answer("reply.done"))),
            Sitting("a", (say("ask.docker"), Run("spill.json"), Run("spill.toml"), answer("reply.done"))),
            Sitting("a", (say("ask.endpoint"), Run("spill.many"), answer("reply.done"), *work())),
        ),
    ),
    Story(
        name="commands with secrets",
        sittings=(
            Sitting("a", (*work(), Run("spill.command_flag"), answer("reply.done"), say("leak.human_flag"))),
            Sitting("a", (say("ask.csv"), Run("spill.failing"), Run("tool.ok_tests"), answer("reply.done"))),
            Sitting("b", (say("ask.speed"), Run("spill.command_slack"), Run("spill.shell"), answer("reply.done"))),
        ),
    ),
    Story(
        name="headers and jwts",
        mixed=True,
        sittings=(
            Sitting("a", (say("leak.human_bearer"), Run("spill.headers"), answer("reply.done"), *work())),
            Sitting("a", (say("leak.human_fine"), answer("reply.ok"), say("leak.human_zh"), answer("reply.ok"))),
        ),
    ),
    Story(
        name="private words",
        sittings=(
            Sitting("a", (say("private.rule"), answer("reply.ok"), *work())),
            Sitting("a", (say("private.multi"), answer("reply.ok"), say("rule.utc"), answer("reply.ok"))),
        ),
    ),
)
