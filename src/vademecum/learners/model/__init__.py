"""The learner that asks a model that the person chose: at a provider, a gateway, or a server of their own.

Nothing here imports a library of the extra `llm` before a model is asked.
"""

from vademecum.learners.model.learner import ModelLearner

__all__ = ["ModelLearner"]
