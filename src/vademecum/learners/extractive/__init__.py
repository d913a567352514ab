"""The built-in learner: deterministic, quotes its evidence, needs no key and no network."""

from vademecum.learners.extractive.extract import extract

__all__ = ["extract"]
