"""Rules, habits and noise in other languages than English."""

from stories.model import Sitting, Story, answer, say, work

STORIES = (
    Story(
        name="chinese rules",
        sittings=(
            Sitting("a", (say("zh.pnpm"), answer("reply.ok"), *work())),
            Sitting("a", (*work(), say("zh.port"), answer("reply.ok"), say("zh.habit"), answer("reply.ok"))),
            Sitting("b", (*work(), say("zh.comments"), answer("reply.ok"))),
        ),
    ),
    Story(
        name="chinese corrections",
        sittings=(
            Sitting("a", (say("ask.speed"), answer("reply.did_wrong"), say("zh.correction"), answer("reply.ok"))),
            Sitting("a", (*work(), say("zh.no_commit"), answer("reply.ok"))),
        ),
    ),
    Story(
        name="chinese noise",
        sittings=(
            Sitting("a", (say("zh_noise.question"), answer("reply.ok"), say("zh_noise.once"), answer("reply.done"))),
            Sitting("a", (say("zh_noise.bug"), answer("reply.done"), say("zh_noise.quote"), answer("reply.ok"))),
        ),
    ),
    Story(
        name="german and french",
        sittings=(
            Sitting("a", (say("de.tests"), answer("reply.ok"), *work())),
            Sitting("b", (*work(), say("fr.toujours"), answer("reply.ok"))),
            Sitting("a", (*work(), say("de.never"), answer("reply.ok"))),
        ),
    ),
    Story(
        name="spanish, japanese, korean",
        sittings=(
            Sitting("a", (say("es.siempre"), answer("reply.ok"), *work())),
            Sitting("b", (say("ja.rule"), answer("reply.ok"), *work())),
            Sitting("c", (*work(), say("ko.rule"), answer("reply.ok"))),
        ),
    ),
)
