"""Words as the index sees them: parts of identifiers, bigrams of scripts that write no blanks, stop words.

SQLite's `unicode61` already splits at everything but letters and digits, so `snake_case`, `kebab-case` and paths are
words and phrases without help. What it cannot see is added as extra words in a column of its own.
"""

import re
import unicodedata

__all__ = ["STOP_WORDS", "fts_expression", "index_text", "query_words"]

_STOP = """
a about an and any are as at be because been being but by can could did do does doing for from had has have having
he her hers him his how i if in into is it its just me my of on or our ours she should so some than that the their
theirs them then there these they this those to too us was we were what when where which while who whom whose why
will with would you your yours
"""
#: English words that say nothing about what a question is about.
STOP_WORDS = frozenset(_STOP.split())

#: Longest word that is looked into: beyond it stand hashes and base64, not identifiers.
_MAX_IDENTIFIER_CHARS = 64
#: Han, kana, Hangul and their compatibility forms.
_UNSPACED = (
    "\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff"
)
_UNSPACED_RUN = re.compile(f"([{_UNSPACED}]+)")
_WORD = re.compile(r"[^\W_]+")
#: Without this, "Anna's" would be the phrase "anna s" and miss "Anna".
_POSSESSIVE = re.compile(r"(?<=\w)['\u2019]s\b")
_HUMP = re.compile(r"[a-z0-9][A-Z]|[A-Z]{2}[a-z]")
_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")


def index_text(text: str) -> str:
    """The words to index beside the text itself, in reading order; often none.

    `parseTree` gives `parse Tree`; a run of Han, kana or Hangul gives its bigrams and its last sign, so that every
    part of the run, a single sign included, can be found.
    """
    if text.isascii():
        return " ".join(_identifier_parts(text))
    plain = unicodedata.normalize("NFKC", text)
    changed = [] if plain == text else _changed_words(text, plain)
    return " ".join([*_identifier_parts(plain), *_unspaced_parts(plain), *changed])


def query_words(text: str) -> list[str]:
    """The terms of what a person typed without quotes, in order: words at blanks, long unspaced runs in bigrams."""
    terms: list[str] = []
    for word in _POSSESSIVE.sub("", unicodedata.normalize("NFKC", text)).split():
        for piece in _UNSPACED_RUN.split(word):
            if _UNSPACED_RUN.fullmatch(piece) and len(piece) > 3:
                terms += _bigrams(piece)[:-1]
            elif _WORD.search(piece):
                terms.append(piece)
    return terms


def fts_expression(term: str) -> str | None:
    """The FTS5 expression that finds a term or phrase, whatever signs it holds; None where it holds no word.

    Words that stand in one term are a phrase: `src/app.py` finds `src app py`, `parseTree` also `parse_tree`.
    """
    plain = unicodedata.normalize("NFKC", term)
    if _WORD.search(plain) is None:
        return None
    if _UNSPACED_RUN.search(plain) is None:
        humps = " ".join(_PART.findall(plain)) if _HUMP.search(plain) and plain.isascii() else ""
        return f"({_quoted(plain)} OR {_quoted(humps)})" if humps else _quoted(plain)
    pieces = (piece for piece in _UNSPACED_RUN.split(plain) if _WORD.search(piece))
    return "(" + " AND ".join(_piece_expression(piece) for piece in pieces) + ")"


def _piece_expression(piece: str) -> str:
    if _UNSPACED_RUN.fullmatch(piece) is None:
        return _quoted(piece)
    if len(piece) == 1:
        # Every sign begins a bigram or stands alone at the end of its run.
        return f"{_quoted(piece)} *"
    return _quoted(" ".join(_bigrams(piece)[:-1]))


def _quoted(text: str) -> str:
    words = " ".join(_WORD.findall(text)).encode("utf-8", "ignore").decode()
    return f'"{words}"'


def _identifier_parts(text: str) -> list[str]:
    if _HUMP.search(text) is None:
        return []
    return [part for word in _WORD.findall(text) if _has_hump(word) for part in _PART.findall(word)]


def _has_hump(word: str) -> bool:
    # The first tests are there for speed: they settle nearly every word of ordinary text.
    if word.islower() or word[1:].islower() or word.isupper() or len(word) > _MAX_IDENTIFIER_CHARS:
        return False
    return word.isascii() and _HUMP.search(word) is not None


def _unspaced_parts(text: str) -> list[str]:
    parts: list[str] = []
    for word in _WORD.findall(text):
        if word.isascii() or _UNSPACED_RUN.search(word) is None:
            continue
        for piece in filter(None, _UNSPACED_RUN.split(word)):
            parts += _bigrams(piece) if _UNSPACED_RUN.fullmatch(piece) else [piece]
    return parts


def _bigrams(run: str) -> list[str]:
    """`ABC` -> `AB`, `BC`, `C`."""
    return [run[index : index + 2] for index in range(len(run))]


def _changed_words(text: str, plain: str) -> list[str]:
    """Words that only exist after normalisation: full-width letters, ligatures, composed accents."""
    known = set(_WORD.findall(text))
    return [word for word in _WORD.findall(plain) if word not in known and _UNSPACED_RUN.search(word) is None]
