"""What a model answered, judged."""

import msgspec

from vademecum.errors import LearnerFailed, VademecumError
from vademecum.learners.protocol import Consolidated, Extraction

__all__ = ["read_extraction", "read_verdict", "repair_request"]


def read_extraction(text: str) -> Extraction:
    """The extraction in a model's answer. Raises LearnerFailed."""
    try:
        return msgspec.json.decode(text.strip().encode(), type=Extraction)
    except msgspec.MsgspecError as error:
        raise LearnerFailed(f"the answer is not the one JSON object that was asked for: {error}") from error


def read_verdict(text: str) -> Consolidated:
    """What a model says of its consolidation. Raises LearnerFailed."""
    try:
        return msgspec.json.decode(text.strip().encode(), type=Consolidated)
    except msgspec.MsgspecError as error:
        raise LearnerFailed(f"the answer is not the one JSON object that was asked for: {error}") from error


def repair_request(error: VademecumError) -> str:
    """What a model is told in the one try that it gets to put its answer right."""
    return (
        f"Your answer cannot be used: {error}. Answer once more, with the whole answer in the form that was asked for."
    )
