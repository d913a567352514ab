"""The built-in learner: deterministic, quotes its evidence, needs no key and no network."""

from vademecum.learners.extractive.learner import ExtractiveLearner

__all__ = ["ExtractiveLearner"]
