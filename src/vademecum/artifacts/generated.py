"""The files that every consolidation makes anew, of what sessions and notes say."""

from vademecum.artifacts.archive import ARCHIVE_PATH
from vademecum.artifacts.handbook import HANDBOOK_PATH
from vademecum.artifacts.summary import SUMMARY_PATH

__all__ = ["GENERATED", "RENDERED"]

#: What a learner renders; the handbook, which holds every bullet in full, comes first.
RENDERED = (HANDBOOK_PATH, SUMMARY_PATH)

#: All files that are made of bullets; the archive lists those that a person removed.
GENERATED = (*RENDERED, ARCHIVE_PATH)
