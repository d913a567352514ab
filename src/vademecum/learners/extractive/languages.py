"""Which languages there are, and in which of them a sentence is read."""

import re
from functools import cache, lru_cache

from vademecum.learners.extractive.cues import parse_cue_file, shipped_cue_files
from vademecum.learners.extractive.phrases import words_of
from vademecum.learners.extractive.reading import Language, Reading

__all__ = ["load_languages", "readings_of"]

#: Sentences whose readings are kept: a session asks for the same ones from several sides.
_KEPT_READINGS = 4096


@cache
def load_languages() -> tuple[Language, ...]:
    """All languages that ship with the package, English last: it is read along with every other one."""
    found = [Language(parse_cue_file(text, name)) for name, text in shipped_cue_files().items()]
    return tuple(sorted(found, key=lambda language: (language.code == "en", language.code)))


_SCRIPTS = (
    ("kana", re.compile(r"[\u3040-\u30ff]")),
    ("hangul", re.compile(r"[\uac00-\ud7af]")),
    ("han", re.compile(r"[\u3400-\u9fff]")),
)


@lru_cache(maxsize=_KEPT_READINGS)
def readings_of(text: str) -> tuple[Reading, ...]:
    """The normalised text in each language that it may be in, by its letters and its small words.

    Text in another script is read in Latin languages too, for the trade mixes them.
    """
    script = "latin" if text.isascii() else next((name for name, seen in _SCRIPTS if seen.search(text)), "latin")
    words = words_of(text)
    return tuple(
        language.read(text)
        for language in load_languages()
        if language.script in {script, "latin"} and (not language.signs or language.signs & words)
    )
