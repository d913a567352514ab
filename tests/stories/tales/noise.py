"""What sounds like a rule and is none. Most of these people state no rule at all: their contexts hold no preference."""

from stories.model import Sitting, Story, answer, say, work

STORIES = (
    Story(
        name="only one-offs",
        sittings=(
            Sitting("a", (say("once.rename"), answer("reply.done"), say("once.plan"), answer("reply.ok"))),
            Sitting("a", (say("once.skip"), answer("reply.done"), say("once.pr"), answer("reply.ok"))),
            Sitting("b", (say("once.today"), answer("reply.ok"), say("once.make_sure"), answer("reply.done"))),
        ),
    ),
    Story(
        name="corrections of the moment",
        sittings=(
            Sitting("a", (say("ask.form"), answer("reply.done"), say("once.button"), answer("reply.ok"))),
            Sitting("a", (say("ask.typo"), answer("reply.done"), say("once.revert"), answer("reply.ok"))),
            Sitting("a", (*work(), say("once.wait"), answer("reply.ok"), say("once.stop"), answer("reply.ok"))),
        ),
    ),
    Story(
        name="a branch for now, a null check there",
        sittings=(
            Sitting("a", (say("ask.refactor", "once.use_branch"), answer("reply.done"))),
            Sitting("b", (say("ask.endpoint", "once.remember_to"), answer("reply.done"), say("praise.bad"))),
        ),
    ),
    Story(
        name="a curious person",
        sittings=(
            Sitting("a", (say("question.should"), answer("reply.chat"), say("question.why"), answer("reply.chat"))),
            Sitting("a", (*work(), say("question.prefer"), answer("reply.chat"))),
            Sitting("b", (say("question.remember"), answer("reply.chat"), *work())),
        ),
    ),
    Story(
        name="thinking aloud",
        sittings=(
            Sitting("a", (say("maybe.if_ever"), answer("reply.ok"), *work())),
            Sitting("a", (*work(), say("maybe.might"), answer("reply.ok"), say("meh.later"))),
        ),
    ),
    Story(
        name="what others say",
        sittings=(
            Sitting("a", (say("quote.colleague"), answer("reply.ok"), *work())),
            Sitting("a", (*work(), say("quote.docs"), answer("reply.ok"), say("quote.linter"), answer("reply.ok"))),
            Sitting("b", (say("quote.mail"), answer("reply.ok"))),
        ),
    ),
    Story(
        name="bug reports with always and never",
        sittings=(
            Sitting("a", (say("bug.always"), answer("reply.done"), say("bug.must"), answer("reply.done"))),
            Sitting("a", (say("bug.every_time"), answer("reply.done"), say("joke.irony"))),
            Sitting("b", (say("past.used_to"), answer("reply.ok"), *work())),
        ),
    ),
    Story(
        name="pasted logs and code",
        sittings=(
            Sitting("a", (say("paste.log"), answer("reply.ok"), *work())),
            Sitting("a", (say("paste.code"), answer("reply.ok"), say("paste.yaml"), answer("reply.ok"))),
            Sitting("b", (say("paste.doc"), answer("reply.ok"))),
        ),
    ),
    Story(
        name="proposals that nobody took up",
        sittings=(
            Sitting("a", (*work(), answer("propose.rule"), say("meh.later"), answer("reply.ok"))),
            Sitting("a", (*work(), answer("propose.pref"), say("meh.ignore"), answer("reply.ok"))),
        ),
    ),
    Story(
        name="a rule hides among noise",
        sittings=(
            Sitting("a", (say("bug.always"), answer("reply.done"), say("rule.no_any"), answer("reply.ok"), *work())),
            Sitting("a", (say("once.plan"), answer("reply.ok"), say("rule.changelog_all"), answer("reply.ok"))),
            Sitting("a", (say("question.should"), answer("propose.rule"), say("rule.us_dates"), answer("reply.ok"))),
        ),
    ),
    Story(
        name="nothing to learn",
        sittings=(
            Sitting("a", (say("junk.hi"), answer("reply.chat"), say("junk.bye")), junk=True),
            Sitting("b", (say("junk.trivia"), answer("reply.chat")), junk=True),
            Sitting("c", (say("junk.hi"),), junk=True),
        ),
    ),
    Story(
        name="junk beside work",
        sittings=(
            Sitting("a", (say("junk.hi"), answer("reply.chat")), junk=True),
            Sitting("a", (*work(), say("rule.test_cmd"), answer("reply.ok"))),
            Sitting("a", (say("junk.trivia"), answer("reply.chat"), say("junk.bye")), junk=True),
        ),
    ),
)
