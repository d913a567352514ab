"""A message's sentences as their words are compared, without what its writer only shows."""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

from vademecum.artifacts.lead_in_words import REJECTING_SIGNS
from vademecum.artifacts.lead_ins import SHOWN

__all__ = ["Sentence", "sentences_of", "without_shown", "words_of"]

#: Where a sentence ends: a stop before a blank or the end, any line, or the stops of scripts without blanks. A
#: semicolon and dots that trail off join clauses of one statement.
_ENDS = re.compile(r"(?<!\.)[.](?=\s|$)|[!?]+(?=\s|$)|[\u3002\uff01\uff1f]+|\n+")
_ABBREVIATION = re.compile(
    r"(?:\b\w\.\s?\w"
    r"|\b(?:vs|cf|etc|approx|incl|excl|mr|ms|dr|bzw|bspw|usw|ggf|ca|evtl|vgl|sog|ej|ex|nr))$",
    re.IGNORECASE,
)
_WORD = re.compile(
    rf"\w+(?:[.\-/'\u2019:@+]\w+)*|(?<![<>=+%$\u20ac/^~!-])[<>=+%$\u20ac/^~!-]+(?=\w)|~~|[{REJECTING_SIGNS}]"
)
#: Words in which a request to remember is dressed; they say nothing of what is to be remembered.
_REQUEST = re.compile(
    r"^(?:(?:ok|okay|hey|hi|so|and|also|btw|please|pls|can you|could you|bitte|und|s'il te plait|por favor) )*"
    r"(?:(?:remember|note down|note|keep in mind|memorize|make a note|save to memory|add to memory|don't forget"
    r"|do not forget|never forget|fyi|merk dir|merke dir|notiere|notier|denk daran|vergiss nicht"
    r"|retiens|souviens-toi|n'oublie pas|recuerda|anota|no olvides"
    r"|请记住|記住|记住|别忘了|覚えておいてください|覚えておいて|覚えて|기억해 주세요|기억해줘|기억해)"
    r"(?: (?:this|that|it|dass|das|que|qu'|for me|fur mich))*"
    r" )"
)
_DRESSING = re.compile(
    r"^(?:(?:ok|okay|hey|hi|so|and|also|btw|please|pls|can you|could you|bitte|und|s'il te plait|por favor) )+"
)
_QUOTED = re.compile(
    r"(?<!\w)\"[^\"]*(?:\"|\Z)|[\u201c\u201e][^\u201c\u201d]*(?:[\u201c\u201d]|\Z)|\u00ab[^\u00bb]*(?:\u00bb|\Z)"
    r"|\u00bb[^\u00ab]*\u00ab|\u300c[^\u300d]*(?:\u300d|\Z)|\u300e[^\u300f]*(?:\u300f|\Z)"
    r"|(?<!\w)['\u2018](?=\S)[^'\u2018\u2019\n]*(?:\w['\u2019]\w[^'\u2018\u2019\n]*)*['\u2019](?!\w)|`[^`\n]*`"
)
_FENCED = re.compile(r"^[ \t>]*(```+|~~~+).*?(?:^[ \t>]*\1[`~]*[ \t]*$|\Z)", re.MULTILINE | re.DOTALL)
#: As markdown has it, a line right below the words of a quotation goes on with it, unless it begins something itself.
_QUOTED_LINE = re.compile(
    r"^[ \t]*>(?:[ \t>]*$|.*(?:\n(?![ \t]*(?:$|[>#|]|(?:[-*+\u2022]|\(?\d{1,3}[.)]|\[[ x]\])[ \t])).*)*)", re.MULTILINE
)
#: Stands for what a quotation holds where a sentence would end.
_KEPT_TOGETHER = "\ue000"
_FRAGMENT_WORDS = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Sentence:
    """One sentence."""

    #: As written.
    text: str
    #: As it is compared, without what asks to remember it.
    words: str
    #: It asks to remember what it says.
    is_request: bool
    asks: bool
    #: All of it stands in quotation marks.
    is_quoted: bool

    @property
    def is_statement(self) -> bool:
        """It is neither a question nor a quotation: "can you remember that ...?" is none."""
        return not self.is_quoted and (self.is_request or not self.asks)

    @property
    def is_fragment(self) -> bool:
        """Too short to be more than a part of the next."""
        return len(self.words.split()) <= _FRAGMENT_WORDS


def without_shown(message: str) -> str:
    """Without fenced blocks and quoted lines: they are shown, not said; what stands in quotes becomes one line."""
    own = _QUOTED_LINE.sub(SHOWN, _FENCED.sub(SHOWN, message))
    return _QUOTED.sub(lambda match: re.sub(r"\s+", " ", match[0]), own)


def sentences_of(text: str) -> list[Sentence]:
    """The sentences of a text. One that ends inside a quotation goes on to the end of what quotes it."""
    spans = [match.span() for match in _QUOTED.finditer(text)]
    found = (_sentence(text[start:end], stop) for start, end, stop in _split(text, spans))
    return [sentence for sentence in found if sentence.words]


def _split(text: str, quoted: list[tuple[int, int]]) -> Iterator[tuple[int, int, str]]:
    shielded = list(text)
    for start, end in quoted:
        shielded[start:end] = [_KEPT_TOGETHER] * (end - start)
    start = 0
    for match in _ENDS.finditer("".join(shielded)):
        if not _ABBREVIATION.search(text, start, match.start()):
            yield start, match.start(), match[0]
            start = match.end()
    yield start, len(text), ""


def _sentence(text: str, stop: str) -> Sentence:
    words = " ".join(_WORD.findall(_folded(text)))
    bare = _REQUEST.sub("", words + " ", count=1).strip()
    is_request = bool(bare) and bare != words
    plain = bare if is_request else _DRESSING.sub("", words + " ", count=1).strip()
    quotation = _QUOTED.fullmatch(text.strip(" \t*_.!?,;:()-–—"))
    return Sentence(
        text=text,
        words=plain or words,
        is_request=is_request,
        asks="?" in unicodedata.normalize("NFKC", stop),
        is_quoted=quotation is not None,
    )


def words_of(text: str) -> str:
    """All of a text as it is compared, sentence after sentence."""
    return " ".join(sentence.words for sentence in sentences_of(text))


def _folded(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold().replace("\u2019", "'")
