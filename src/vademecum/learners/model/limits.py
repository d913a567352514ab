"""What one run of a model may take, and how hard it is to think."""

from enum import StrEnum
from typing import Literal

import msgspec

__all__ = ["Effort", "Limits", "Phase", "effort_for"]

Effort = Literal["minimal", "low", "medium", "high"]


class Phase(StrEnum):
    """What a model is asked for."""

    EXTRACTION = "extraction"  #: one session is read
    CONSOLIDATION = "consolidation"  #: handbook and summary are written


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """Bounds of a run, whatever the model does."""

    #: Of one request: the prompt, and all that was said since.
    input_tokens: int
    #: Of one answer.
    max_output_tokens: int
    #: Of one request.
    timeout_seconds: float
    #: Requests of one consolidation.
    max_steps: int
    #: Of one consolidation as a whole.
    run_seconds: float = 3600.0


#: Reading asks for care, not for long thought; bringing many sessions together is worth more.
_EFFORTS: dict[Phase, Effort] = {Phase.EXTRACTION: "low", Phase.CONSOLIDATION: "medium"}


def effort_for(phase: Phase, setting: str) -> Effort:
    """The effort to ask for. A model that lacks it takes the nearest that it has, one that cannot reason takes none."""
    return _EFFORTS[phase] if setting == "auto" else msgspec.convert(setting, Effort)
