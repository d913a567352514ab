import inspect
import re

import pytest

from vademecum import errors
from vademecum.errors import VademecumError

TREE = [cls for _, cls in inspect.getmembers(errors, inspect.isclass) if issubclass(cls, VademecumError)]
EXIT_CODES = {1, 2, 3, 4}
#: The class's own line in the drawing: its indentation says whose child it is.
DRAWN = re.compile(r"^ {4}([│├└─ ]*)(\w+)(?: +exit (\d))?", re.MULTILINE)


def drawn_tree():
    """Class name -> (name of its parent, exit code where one is drawn), as the docstring shows it."""
    found = {}
    path = []
    for bars, name, code in DRAWN.findall(errors.__doc__):
        depth = len(bars) // 4
        path = [*path[:depth], name]
        found[name] = (path[depth - 1] if depth else None, int(code) if code else None)
    return found


@pytest.mark.parametrize("cls", TREE, ids=lambda cls: cls.__name__)
class TestEveryError:
    def test_it_has_an_exit_code_of_the_contract(self, cls):
        assert cls.exit_code in EXIT_CODES

    def test_it_says_what_is_intact_and_what_to_do_next(self, cls):
        error = cls("it happened")
        assert str(error) == "it happened"
        assert error.intact.endswith(".")
        assert error.next_step.endswith(".")

    def test_a_raise_can_say_it_better(self, cls):
        error = cls("it happened", intact="All.", next_step="Wait.", paths=("a",))
        assert (error.intact, error.next_step, error.paths) == ("All.", "Wait.", ("a",))

    def test_its_name_is_no_builtin_and_it_has_a_docstring(self, cls):
        assert inspect.getdoc(cls)


def test_every_class_has_a_code_of_its_own():
    codes = [cls.code for cls in TREE]
    assert sorted(codes) == sorted(set(codes))


def test_the_docstring_draws_the_real_tree():
    drawn = {name: parent for name, (parent, _) in drawn_tree().items()}
    real = {cls.__name__: cls.__base__.__name__ if cls is not VademecumError else None for cls in TREE}
    assert drawn == real


def test_the_docstring_draws_the_real_exit_codes():
    for name, (_, code) in drawn_tree().items():
        cls = getattr(errors, name)
        inherited = cls.exit_code == cls.__base__.__dict__.get("exit_code", VademecumError.exit_code)
        assert cls.exit_code == code or (code is None and inherited)


def test_what_helps_when_it_is_tried_again_is_said_to_be_retriable():
    assert {cls.__name__ for cls in TREE if cls.retriable} == {
        "BusyError",
        "HeadMoved",
        "LearnerUnavailable",
    }
