"""Arguments that leaked into another one: a model closed an argument with its own name and went on inside it.

    description: "How we deploy</description>\\n<parameter name=\\"file_text\\">Run make release."

Only the case that means one thing is repaired: the tag that closes is the name of the argument it stands in, and stands
there once; what opens next is a text argument of the same call that was not given. Everything else stays as it is.
"""

import re
from collections.abc import Collection, Mapping

__all__ = ["repair_leaks"]

_PREFIX = "(?:antml:)?"
_OPENED = re.compile(rf'\s*<{_PREFIX}(?:parameter name="(?P<quoted>\w+)"|(?P<plain>\w+))>(?P<rest>.*)', re.DOTALL)


def repair_leaks(
    arguments: Mapping[str, object], text_fields: Collection[str]
) -> tuple[dict[str, object], tuple[str, ...]]:
    """Return the arguments with every leaked one in its place, and a line about each repair.

    Parameters
    ----------
    text_fields: the text arguments that this call may have.
    """
    repaired = dict(arguments)
    told: list[str] = []
    while (leak := _find(repaired, text_fields)) is not None:
        name, own, leaked, value = leak
        repaired |= {name: own, leaked: value}
        told.append(f"The argument {leaked} stood inside of {name}; it was taken from there.")
    return repaired, tuple(told)


def _find(arguments: Mapping[str, object], text_fields: Collection[str]) -> tuple[str, str, str, str] | None:
    """The first leak: the argument, its own text, the leaked argument, and that one's text."""
    for name, value in arguments.items():
        parts = re.split(rf"</{_PREFIX}{re.escape(name)}>", value) if isinstance(value, str) else []
        opened = _OPENED.fullmatch(parts[1]) if len(parts) == 2 else None
        if opened is None:
            continue
        leaked = opened["quoted"] or opened["plain"]
        if leaked in text_fields and arguments.get(leaked) is None:
            return name, parts[0], leaked, _without_end(opened["rest"], leaked)
    return None


def _without_end(text: str, name: str) -> str:
    """The text without the tag that closes it, where that is the last thing in it."""
    return re.sub(rf"</{_PREFIX}(?:parameter|{re.escape(name)})>\s*\Z", "", text)
