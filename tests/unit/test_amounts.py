from vademecum.amounts import plural


def test_one_is_singular():
    assert (plural(1, "session"), plural(0, "session"), plural(2, "session")) == (
        "1 session",
        "0 sessions",
        "2 sessions",
    )
