"""Headers that are YAML but not in our one-line grammar: read with PyYAML, so that a person's own style is not lost.

Importing this module imports PyYAML; `front_matter` does so only when it meets such a header.
"""

import re
from typing import Any, cast

import yaml

from vademecum.errors import FrontMatterInvalid
from vademecum.memfs.pages.text import encodable, is_shallow

__all__ = ["load_mapping"]

# The C parser where PyYAML was built with it, ten times faster.
_Base: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def load_mapping(header: str) -> dict[str, Any]:
    """Read the lines of a header. Text, dates and decimal numbers all come as text; see `front_matter`.

    Raises
    ------
    FrontMatterInvalid: it is not YAML, no mapping, or uses aliases or tags.
    """
    try:
        _refuse_indirections(header)
        loaded: object = yaml.load(header, Loader=_LOADER)  # noqa: S506 (a SafeLoader with fewer types)
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise FrontMatterInvalid(f"the header is not valid{_place(error)}") from error
    if loaded is None:
        return {}
    if not isinstance(loaded, dict):
        raise FrontMatterInvalid("the header is not a list of `key: value` lines")
    if not is_shallow(cast("dict[object, Any]", loaded)):
        raise FrontMatterInvalid("the header nests lists or maps too deeply")
    return {encodable(str(key)): encodable(value) for key, value in cast("dict[object, Any]", loaded).items()}


def _refuse_indirections(header: str) -> None:
    tokens = cast("list[object]", list(cast("Any", yaml).scan(header, Loader=_Base)))
    if any(isinstance(token, yaml.AliasToken) for token in tokens):
        raise FrontMatterInvalid("the header uses YAML aliases, which can grow without limit")
    if any(isinstance(token, yaml.TagToken) for token in tokens):
        raise FrontMatterInvalid("the header uses YAML tags, which make other things of a value than text")


def _place(error: Exception) -> str:
    if not isinstance(error, yaml.MarkedYAMLError) or error.problem_mark is None:
        return ""
    # The header's first line is the second of the file.
    return f" on line {error.problem_mark.line + 2}: {error.problem}"


def _build_loader() -> Any:  # noqa: ANN401 (PyYAML is untyped)
    loader = type("HeaderLoader", (_Base,), {"yaml_implicit_resolvers": {}})
    loader.add_implicit_resolver("tag:yaml.org,2002:bool", re.compile(r"(?:true|false)$"), list("tf"))
    integer = re.compile(r"-?(?:0|[1-9][0-9]{0,17})$")
    loader.add_implicit_resolver("tag:yaml.org,2002:int", integer, list("-0123456789"))
    return loader


_LOADER = _build_loader()
