"""In which order areas are told."""

import pytest

from vademecum.doctor import Diagnosis
from vademecum.findings import Finding, Level
from vademecum.hosts import HOSTS

FIRST, SECOND, THIRD, *_ = (host.name for host in HOSTS)


@pytest.mark.parametrize(
    ("found", "told"),
    [
        (("home", "state"), ("home", "state")),
        (("home", FIRST, "state", SECOND, "home"), ("home", FIRST, SECOND, "state")),
        ((THIRD, "home", "hosts", FIRST), ("hosts", THIRD, FIRST, "home")),
    ],
)
def test_hosts_stand_together_where_the_one_stands_that_needs_a_look_most(found, told):
    findings = tuple(Finding(level=Level.NOTE, area=area, what="x", next=None) for area in found)
    assert Diagnosis(findings=findings).areas == told
