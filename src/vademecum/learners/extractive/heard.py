"""A sentence of a person as it was heard: with the way each language reads it."""

from dataclasses import dataclass

from vademecum.learners.extractive.cues import Cue
from vademecum.learners.extractive.judging import asks
from vademecum.learners.extractive.languages import readings_of
from vademecum.learners.extractive.reading import Reading
from vademecum.learners.extractive.sentences import Sentence
from vademecum.learners.extractive.spelling import normalise

__all__ = ["Heard"]

#: So much must stand beside "that's how we work here" for the sentence to say what; a letter of CJK says more.
_OWN_CONTENT_CHARS = 15
_OWN_CONTENT_CHARS_CJK = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Heard:
    """One sentence with its readings."""

    sentence: Sentence
    #: Normalised, without a tag question; places are those of the sentence.
    text: str
    readings: tuple[Reading, ...]

    @classmethod
    def of(cls, sentence: Sentence) -> "Heard":
        """Read a sentence."""
        text = normalise(sentence.text)
        readings = readings_of(text)
        # "never push to main, ok?" is an order; "..., right?" asks whether it is so, and stays a question.
        tags = [hit.start for reading in readings for hit in reading.find_all(Cue.TAG_QUESTION)] if "?" in text else []
        if tags:
            text = text[: min(tags)].rstrip(" ,")
            readings = readings_of(text)
        return cls(sentence=sentence, text=text, readings=readings)

    def shows(self, *cues: Cue) -> bool:
        """Whether any language hears any of these."""
        return any(reading.shows(*cues) for reading in self.readings)

    @property
    def asks(self) -> bool:
        """Is a question, with or without its mark."""
        return asks(self.readings)

    @property
    def inquires(self) -> bool:
        """Asks for information, and not for work to be done in some way."""
        return self.shows(Cue.INQUIRY) and not self.shows(Cue.ASIDE)

    @property
    def is_personal(self) -> bool:
        """Is on how the agent talks to the person, and names no project.

        Which of the two a word is, the language of the sentence says: "on" is French for "we", and names no project in
        "answer in German from now on". English words of the trade ("commit") count in every language.
        """
        return any(
            reading.shows(Cue.PERSONAL)
            and not any(
                other.shows(Cue.PROJECT) for other in self.readings if other is reading or other.language.code == "en"
            )
            for reading in self.readings
        )

    @property
    def points_back(self) -> bool:
        """Says that something is a rule, but not what: that stands in the sentence before."""
        if self.asks or self.shows(Cue.HYPOTHETICAL):
            return False
        if self.shows(Cue.WARNING):
            return not self.shows(Cue.REQUEST, Cue.RULE, Cue.FIRM, Cue.HABIT)
        hits = [hit for reading in self.readings if (hit := reading.find(Cue.ANAPHORIC))]
        if not hits:
            return False
        beside = max(hits[0].start, len(self.text) - hits[0].end)
        return beside < (_OWN_CONTENT_CHARS if self.text.isascii() else _OWN_CONTENT_CHARS_CJK)
