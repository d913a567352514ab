"""The built-in learner: deterministic, quotes its evidence, needs no key and no network."""

from vademecum.learners.extractive.learner import ExtractiveLearner
from vademecum.learners.extractive.pasted import own_lines

__all__ = ["ExtractiveLearner", "own_lines"]
