"""Standing rules, said at the start, in the middle, at the end of sessions, alone or beside a request."""

from stories.model import Sitting, Story, answer, say, work

STORIES = (
    Story(
        name="toolchain of one repository",
        sittings=(
            Sitting("a", (say("ask.form", "rule.pnpm"), answer("reply.ok"), *work())),
            Sitting("a", (*work(), say("rule.dev_port"), answer("reply.ok"))),
            Sitting("b", work()),
        ),
    ),
    Story(
        name="rules for everything",
        sittings=(
            Sitting("a", (*work(), say("rule.no_echo_comments"), answer("reply.ok"))),
            Sitting("b", (say("rule.plan_first"), answer("reply.ok"), *work())),
            Sitting("c", (*work(), say("praise.good", "rule.no_emoji"))),
        ),
    ),
    Story(
        name="python house rules",
        sittings=(
            Sitting("a", (say("rule.uv"), answer("reply.ok"), *work())),
            Sitting("a", (*work(), say("rule.no_mocks"), answer("reply.ok"), say("rule.instead_of"), *work())),
        ),
    ),
    Story(
        name="ground rules in a list",
        sittings=(
            Sitting("a", (say("rule.bulleted"), answer("reply.ok"), *work())),
            Sitting("a", (*work(), say("ask.csv", "rule.generated"), answer("reply.done"))),
        ),
    ),
    Story(
        name="typos and shouting",
        sittings=(
            Sitting("a", (*work(), say("rule.typo_always"), answer("reply.ok"))),
            Sitting("b", (*work(), say("rule.stop_refactor"), answer("reply.ok"))),
        ),
    ),
    Story(
        name="likes and dislikes",
        sittings=(
            Sitting("a", (say("ask.refactor", "rule.hate_singleton"), answer("reply.done"))),
            Sitting("a", (*work(), say("rule.prefer_small"), answer("reply.ok"))),
            Sitting("a", (say("rule.short_answers"), answer("reply.ok"), *work())),
        ),
    ),
    Story(
        name="where things live",
        sittings=(
            Sitting("a", (say("rule.future_ref"), answer("reply.ok"), *work())),
            Sitting("a", (*work(), say("rule.migrations_dir"), answer("reply.ok"))),
            Sitting("b", (say("rule.convention"), answer("reply.ok"), *work())),
        ),
    ),
    Story(
        name="git manners",
        sittings=(
            Sitting("a", (say("rule.release_branch"), answer("reply.ok"), *work())),
            Sitting("a", (*work(), say("rule.conventional"), answer("reply.ok"))),
            Sitting("b", (*work(), say("rule.no_push"), answer("reply.ok"))),
        ),
    ),
    Story(
        name="service hygiene",
        sittings=(
            Sitting("a", (say("ask.endpoint", "rule.timeouts"), answer("reply.done"))),
            Sitting("a", (*work(), say("rule.only_decimal"), answer("reply.ok"), say("rule.utc"))),
            Sitting("a", (say("rule.metric_units"), answer("reply.ok"))),
        ),
    ),
    Story(
        name="people and releases",
        sittings=(
            Sitting("a", (*work(), say("rule.reviewer"), answer("reply.ok"))),
            Sitting("a", (say("rule.staging"), answer("reply.ok"), *work())),
            Sitting("b", (say("rule.npm_script"), answer("reply.ok"), *work())),
        ),
    ),
    Story(
        name="a long explanation with a rule inside",
        sittings=(
            Sitting("a", (say("rule.long_message"), answer("reply.ok"), *work())),
            Sitting("a", (*work(), say("rule.test_cmd"), answer("reply.ok"))),
        ),
    ),
    Story(
        name="said once more in other words",
        sittings=(
            Sitting("a", (say("rule.no_sleep_tests", take=0), answer("reply.ok"), *work())),
            Sitting("a", (*work(), say("rule.no_sleep_tests", take=1), answer("reply.ok"))),
            Sitting("a", (*work(), say("rule.no_sleep_tests", take=0), answer("reply.ok"))),
        ),
    ),
    Story(
        name="shell and language",
        mixed=True,
        sittings=(
            Sitting("a", (say("rule.dark_shell"), answer("reply.ok"), *work())),
            Sitting("b", (*work(), say("rule.english"), answer("reply.ok"))),
            Sitting("c", (*work(), say("rule.ask_before_deps"), answer("reply.ok"))),
        ),
    ),
)
