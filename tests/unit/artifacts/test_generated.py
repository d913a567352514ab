from vademecum.artifacts import GENERATED, HANDBOOK_PATH, RENDERED, SUMMARY_PATH


def test_whatever_is_rendered_is_generated():
    assert set(RENDERED) < set(GENERATED)


def test_the_handbook_comes_before_the_summary():
    """Whoever needs the full wording of a bullet takes the first that holds it."""
    assert RENDERED.index(HANDBOOK_PATH) < RENDERED.index(SUMMARY_PATH)
