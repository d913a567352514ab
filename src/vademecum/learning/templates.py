"""The instructions of `prompts/`: loaded, filled, known by a fingerprint; and how text is put beside them."""

import hashlib
import re
from collections.abc import Mapping
from enum import StrEnum
from functools import cache
from importlib.resources import files

from vademecum.artifacts import fence_lines
from vademecum.learners import Learner, asks_model

__all__ = ["SETTINGS", "Template", "fenced", "fill", "fingerprint", "ledger_detail", "template_text"]

#: The entry of a run that tells by which settings its learner went (`Learner.setup`).
SETTINGS = "settings"
_PLACEHOLDER = re.compile(r"\{\{([a-z_]+)\}\}")


class Template(StrEnum):
    """The texts in `prompts/`."""

    EXTRACTION = "extraction"  #: one session in, one record out
    CONSOLIDATION = "consolidation"  #: records in, memory files out


@cache
def template_text(template: Template) -> str:
    """The text as it is written down, with its placeholders."""
    return files("vademecum.learning").joinpath("prompts", f"{template}.md").read_text("utf-8")


def fingerprint(template: Template) -> str:
    """Twelve hex digits of the text: which instructions a run went by."""
    return hashlib.sha256(template_text(template).encode()).hexdigest()[:12]


def ledger_detail(learner: Learner, template: Template) -> dict[str, int | str]:
    """What the ledger keeps of the instructions and settings of a run; nothing of a learner that reads none."""
    return {"prompt": fingerprint(template), SETTINGS: learner.setup} if asks_model(learner) else {}


def fill(template: Template, values: Mapping[str, object]) -> str:
    """The text with every placeholder replaced; what the values hold is never looked at again."""
    return _PLACEHOLDER.sub(lambda found: str(values[found[1]]), template_text(template))


def fenced(text: str) -> str:
    """The text between two lines that nothing in it can imitate."""
    opening, closing = fence_lines(text)
    return f"{opening}\n{text}\n{closing}"
