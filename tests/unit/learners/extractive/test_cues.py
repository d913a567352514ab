"""Cue files are read strictly."""

import re

import pytest

from vademecum.errors import ConfigError
from vademecum.learners.extractive.cues import Cue, parse_cue_file, shipped_cue_files

HEADER = '[language]\ncode = "xx"\nscript = "latin"\nspaced = true\n'


@pytest.mark.parametrize(
    "text",
    ["", "[language]\ncode = 1", HEADER + "[nonsense]\n", HEADER + '[cues]\nsarcasm = ["oh sure"]\n', "no toml ["],
)
def test_a_broken_cue_file_is_refused(text: str) -> None:
    """Unknown sections and cues, and a missing header, are errors."""
    with pytest.raises(ConfigError):
        parse_cue_file(text, "xx.toml")


@pytest.mark.parametrize(("name", "text"), shipped_cue_files().items())
def test_every_shipped_cue_file_compiles(name: str, text: str) -> None:
    """No shipped phrase is broken, and none repeats without a bound except over marks and word letters."""
    file = parse_cue_file(text, name)
    for cue in Cue:
        for phrase in file.phrases(cue):
            re.compile(phrase.pattern)
            assert not re.search(r"\.[*+]", phrase.pattern)
