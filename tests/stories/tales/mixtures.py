"""Longer stories in which everything happens, as in real weeks."""

from stories.model import Delegate, FromHost, Run, Sitting, Story, TakeBack, ToolSays, answer, say, work
from support.compose import HostKind

STORIES = (
    Story(
        name="a backend week",
        sittings=(
            Sitting("a", (FromHost("order.agents_md", HostKind.AGENTS_MD), *work(), say("rule.migrations_dir"))),
            Sitting("a", (say("bug.always"), ToolSays("order.output", via="shell"), answer("reply.done"))),
            Sitting("a", (*work(), Run("tool.pytest_path_fails"), Run("tool.pytest_path_works"), answer("reply.done"))),
            Sitting("a", (say("ask.type_error"), answer("reply.did_wrong"), say("correction.sql"), answer("reply.ok"))),
            Sitting("b", (say("junk.hi"), answer("reply.chat")), junk=True),
            Sitting("a", (*work(), say("habit.bitten"), answer("propose.rule"), say("meh.ignore"))),
        ),
    ),
    Story(
        name="a frontend week",
        sittings=(
            Sitting("b", (say("rule.tabs"), answer("reply.ok"), *work())),
            Sitting("b", (say("ask.form", "once.pr"), answer("reply.did_wrong"), say("correction.button"))),
            Sitting("b", (*work(), Run("tool.lint_works"), say("quote.linter"), answer("reply.ok"))),
            Sitting("c", (*work(), say("rule.no_emoji"), answer("reply.ok"))),
            Sitting("b", (*work(), say("rule.spaces"), answer("reply.ok"), say("leak.human_github"))),
        ),
        reversals=(("rule.tabs", "rule.spaces"),),
    ),
    Story(
        name="a release",
        mixed=True,
        sittings=(
            Sitting("a", (say("ask.docker"), Run("tool.build_fails"), Run("tool.build_works"), answer("reply.done"))),
            Sitting("a", (*work(), Run("tool.deploy_fails"), Run("tool.deploy_works"), say("rule.staging"))),
            Sitting("a", (say("once.today"), answer("reply.ok"), say("habit.release"), answer("reply.ok"))),
            Sitting("b", (*work(), say("question.prefer"), answer("propose.pref"), say("meh.later"))),
        ),
    ),
    Story(
        name="three projects, one person",
        mixed=True,
        sittings=(
            Sitting("a", (say("rule.pnpm"), answer("reply.ok"), *work())),
            Sitting("b", (say("rule.uv"), answer("reply.ok"), *work())),
            Sitting("c", (*work(), say("rule.only_decimal"), answer("reply.ok"))),
            Sitting("a", (*work(), say("rule.plan_first"), answer("reply.ok"))),
            Sitting("b", (say("ask.csv"), answer("reply.did_wrong"), say("correction.httpx"), answer("reply.ok"))),
            Sitting("c", (say("maybe.might"), answer("reply.ok"), *work())),
        ),
    ),
    Story(
        name="a careless afternoon",
        sittings=(
            Sitting("a", (say("private.rule"), answer("reply.ok"), Run("spill.env"), say("rule.generated"))),
            Sitting("a", (*work(), TakeBack((say("rule.convention"),)), say("paste.code"), answer("reply.ok"))),
            Sitting("a", (say("paste.log"), Delegate("order.delegate", "order.result"), answer("reply.done"))),
        ),
    ),
    Story(
        name="a bilingual week",
        sittings=(
            Sitting("a", (say("zh.pnpm"), answer("reply.ok"), *work())),
            Sitting("a", (say("zh_noise.bug"), answer("reply.done"), say("habit.endpoint"), answer("reply.ok"))),
            Sitting("b", (say("de.never"), answer("reply.ok"), *work())),
            Sitting("b", (say("zh_noise.once"), answer("reply.done"), say("rule.english"), answer("reply.ok"))),
        ),
    ),
)
