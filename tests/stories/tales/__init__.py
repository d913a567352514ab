"""All stories, in a fixed order: the seed and the place in this row decide the host format of each."""

from stories.model import Story
from stories.tales import (
    by_hand,
    corrections,
    habits,
    languages,
    leaks,
    mixtures,
    noise,
    orders,
    repeats,
    reversals,
    rules,
)

__all__ = ["STORIES"]

STORIES: tuple[Story, ...] = (
    *rules.STORIES,
    *habits.STORIES,
    *corrections.STORIES,
    *repeats.STORIES,
    *reversals.STORIES,
    *noise.STORIES,
    *orders.STORIES,
    *leaks.STORIES,
    *languages.STORIES,
    *mixtures.STORIES,
    *by_hand.STORIES,
)
