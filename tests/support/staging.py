"""What a consolidation works on in tests: nothing waits, rests or costs, unless a test says so."""

from datetime import UTC, datetime

from vademecum.learning import NO_LIMITS, Review, SelectionRules, Stage

__all__ = ["staged"]


def staged(repository, state, locks, drafts, **options):
    """A stage on these stores."""
    now = datetime.now(UTC)
    chosen = {
        "review": Review.AUTO,
        "now": now,
        "rules": SelectionRules(now=now, most=4096, max_unused_days=0),
        "budget": NO_LIMITS,
        "is_eager": False,
    }
    return Stage(repository=repository, state=state, locks=locks, drafts=drafts, **chosen | options)
