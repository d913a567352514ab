from vademecum.state import SeenInput


def test_the_newest_input_takes_the_place_of_the_one_before(state):
    assert state.inputs.last() is None
    for tree in ("a", "b"):
        state.inputs.keep(SeenInput(tree=tree, records="r"))
    assert state.inputs.last() == SeenInput(tree="b", records="r")
