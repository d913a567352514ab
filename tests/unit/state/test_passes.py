from datetime import timedelta

from vademecum.state import LastPass, State


def test_the_newest_pass_takes_the_place_of_the_one_before_it(state: State, morning):
    assert state.passes.last() is None
    first = LastPass(at=morning, discovered=2, extracted=1, no_output=0, failed=1, skipped={"waiting": 1}, error="x")
    later = LastPass(
        at=morning + timedelta(hours=1), discovered=2, extracted=0, no_output=0, failed=0, skipped={"unchanged": 2}
    )
    for one in (first, later):
        state.passes.keep(one)
        assert state.passes.last() == one
