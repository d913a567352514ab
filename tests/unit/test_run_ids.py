"""One rule for the ids of runs and proposals: a beginning will do where it means one."""

import pytest

from vademecum.errors import UsageError
from vademecum.run_ids import find_run_id

IDS = ["20261102T100000-3fa91c07", "20261102T100000-77aa0000", "20261103T110000-3fb00000"]


@pytest.mark.parametrize("name", [IDS[0], "20261102T100000-3", "3fa", "3fa91c07"])
def test_a_beginning_of_the_id_or_of_its_last_part_means_it(name):
    assert find_run_id(name, IDS, what="runs") == IDS[0]


@pytest.mark.parametrize("name", ["", "a91c", "20270101"])
def test_what_no_id_begins_with_means_none(name):
    assert find_run_id(name, IDS, what="runs") is None


def test_what_several_begin_with_is_an_error_that_names_them():
    with pytest.raises(UsageError, match="3 runs begin with '2026': 2026"):
        find_run_id("2026", IDS, what="runs")


def test_a_whole_id_means_itself_though_another_begins_with_it():
    assert find_run_id("run-1", ["run-10", "run-1"], what="runs") == "run-1"
