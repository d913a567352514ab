"""Everything that is looked at, in one list, the most serious first."""

import os
from collections.abc import Mapping
from pathlib import Path

import msgspec

from vademecum.doctor.hook_files import hook_files
from vademecum.doctor.learning import budgets, failures, learner
from vademecum.doctor.plugged_in import AREA, AREAS, hosts
from vademecum.doctor.rooms import absence, home, locks, program, repository, search, state
from vademecum.engine import Memory
from vademecum.errors import ConfigError
from vademecum.findings import Finding, Level, guarded, problem
from vademecum.hosts import Places

__all__ = ["Diagnosis", "examine", "examine_identity"]

_RUN_DOCTOR = "Run `vade doctor`"
_ASK_GIT = "Copy the memory folder whole, then ask git itself: run `git fsck` and `git status` in it."
_ORDER = {level: rank for rank, level in enumerate(Level)}


class Diagnosis(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that was found, the most serious first."""

    findings: tuple[Finding, ...]

    @property
    def ok(self) -> bool:
        """Whether nothing is broken."""
        return all(found.level is not Level.PROBLEM for found in self.findings)

    @property
    def areas(self) -> tuple[str, ...]:
        """What was looked at: what needs a look most comes first, and all hosts stand together."""
        areas = tuple(dict.fromkeys(found.area for found in self.findings))
        of_hosts = tuple(sorted(set(areas) & set(AREAS), key=lambda area: (area != AREA, areas.index(area))))
        first = next((area for area in areas if area in of_hosts), None)
        placed = (of_hosts if area == first else (area,) for area in areas if area == first or area not in of_hosts)
        return tuple(area for together in placed for area in together)


def examine_identity(
    identity: str | None, *, home: Path | None = None, environ: Mapping[str, str] | None = None
) -> Diagnosis:
    """Examine an identity, else that of the present directory; settings that cannot be read are a finding.

    Raises UsageError for a bad name, UnknownIdentity.
    """
    places = Places.here(os.environ if environ is None else environ)
    try:
        return examine(Memory.open(identity, home=home, environ=environ, must_exist=True), places=places)
    except ConfigError as error:
        memory = Memory.open(identity, home=home, environ=environ, must_exist=True, with_defaults=True)
        what = f"{error}; the rest was examined with the defaults"
        return examine(memory, problem("settings", what, error.next_step), places=places)


def examine(memory: Memory, *known: Finding, places: Places | None = None) -> Diagnosis:
    """Examine one identity. `known`: what was found on the way to it. `places`: None leaves the hosts out."""
    found = [*known, *guarded("program", program()), *guarded("home", home(memory))]
    found += guarded("learner", learner(memory))
    if memory.folder.is_blank:
        found += guarded("memory", absence(memory))
    else:
        found += [*guarded("locks", locks(memory)), *guarded("state", state(memory))]
        found += [*guarded("search", search(memory)), *guarded("budgets", budgets(memory))]
        found += guarded("learner", failures(memory))
        found += [*repository(memory), *guarded("hooks", hook_files(memory))]
    if places:
        found += guarded(AREA, hosts(memory, places))
    return Diagnosis(findings=tuple(sorted(map(_without_itself, found), key=lambda one: _ORDER[one.level])))


def _without_itself(found: Finding) -> Finding:
    """Who runs this command gains nothing from being told to run it, as other commands tell."""
    sent_here = found.next is not None and found.next.startswith(_RUN_DOCTOR)
    return msgspec.structs.replace(found, next=_ASK_GIT) if sent_here else found
