import errno

from vademecum.errors import UsageError
from vademecum.findings import Level, capped, fine, guarded, note, problem


def failing(error):
    yield fine("room", "one")
    raise error


def test_a_room_that_fails_is_a_finding_behind_what_it_had_said():
    said, failed = guarded("room", failing(UsageError("it broke", next_step="Mend it.")))
    assert said.level is Level.OK
    assert (failed.level, failed.what, failed.next) == (Level.PROBLEM, "it broke", "Mend it.")


def test_what_the_disk_refuses_is_a_finding_that_names_the_file():
    (_, failed) = guarded("room", failing(PermissionError(errno.EACCES, "Permission denied", "/srv/x")))
    assert (failed.level, failed.what) == (Level.PROBLEM, "/srv/x cannot be examined: Permission denied")


def test_of_a_thousand_findings_of_one_kind_ten_are_told_and_the_rest_counted():
    told = list(capped((problem("memory", f"file {n}", "x") for n in range(1000)), more=lambda left: f"{left} more"))
    assert [one.what for one in told] == [*(f"file {n}" for n in range(10)), "990 more"]
    assert {one.level for one in told} == {Level.PROBLEM}


def test_few_findings_are_told_as_they_are():
    few = [note("memory", f"file {n}") for n in range(10)]
    assert list(capped(few, more=str)) == few
