"""The phrase language of the cue files."""

import pytest

from vademecum.errors import ConfigError
from vademecum.learners.extractive.cues import Cue, parse_cue_file
from vademecum.learners.extractive.phrases import PhraseCompiler
from vademecum.learners.extractive.reading import Language
from vademecum.learners.extractive.spelling import normalise

HEADER = '[language]\ncode = "xx"\nscript = "latin"\nspaced = true\nopeners = ["please"]\n'


def shows(phrase: str, text: str) -> bool:
    file = parse_cue_file(f'{HEADER}[words]\nact = ["run", "set up"]\n[cues]\nrule = [{phrase!r}]\n', "xx.toml")
    return Language(file).read(normalise(text)).shows(Cue.RULE)


@pytest.mark.parametrize(
    ("phrase", "text", "found"),
    [
        ("always <act>", "you should always run it", True),
        ("always <act>", "you should always set up it", True),
        ("always <act>", "always running", False),
        ("(never|do not) use", "do not use it", True),
        ("[please] stop ~ing", "stop adding", True),
        ("[please] stop ~ing", "please stop adding", True),
        ("keep ... short", "keep all of your answers short", True),
        ("keep ... short", "keep " + "x " * 80 + "short", False),
        ("^ never !(mind)", "never mind", False),
        ("^ never !(mind)", "please never push", True),
        ("^ never", "it never works", False),
        ("^ never", "when it breaks, never retry", True),
        ("^^ no", "oh no", False),
        ("^^ no", "no way", True),
        ("done $", "it is done.", True),
        ("done $", "it is done now", False),
        ("commit~", "commits", True),
        ("use _ here", "use tabs here", True),
        ("no , only", "no, only", True),
        ("no , only", "no only", False),
        ("no [,] only", "no only", True),
        ("rule (is|:) use", "the rule is use it", True),
        ("rule (is|:) use", "the rule: use it", True),
        ("rule (:|is) use", "the rule: use it", True),
        ("rule (is|:) use", "the rule use it", False),
        ("always", "the docs say 'always' here", False),
        ("always", 'write "always" here', False),
        ("always", "the `always` flag", False),
        ("always", "ALWAYS", True),
    ],
)
def test_what_a_phrase_matches(phrase: str, text: str, found: bool) -> None:
    """Each sign of the phrase language does what its description says."""
    assert shows(phrase, text) is found


@pytest.mark.parametrize("phrase", ["(a|b", "a)", "[a", "", "a | ", "()", "<missing> x", "!(a"])
def test_a_broken_phrase_is_refused(phrase: str) -> None:
    """A speaker is told which phrase is broken."""
    with pytest.raises(ConfigError):
        PhraseCompiler({}, {}).compile(phrase)


def test_a_list_may_not_contain_itself() -> None:
    """Lists that go round in a circle are refused."""
    with pytest.raises(ConfigError):
        PhraseCompiler({"a": ["<b> x"], "b": ["<a> y"]}, {})
