"""Settings files as people write them: every style of JSON with comments, and of TOML, for property tests."""

import json

import tomlkit
from hypothesis import strategies as st

__all__ = ["is_subsequence", "jsonc_objects", "toml_texts"]

_KEYS = st.text(alphabet=st.sampled_from('abAB09_-. "\\/é漢'), min_size=1, max_size=6)
_SCALARS = st.one_of(
    st.none(), st.booleans(), st.integers(-(10**9), 10**9), st.text(alphabet='ab"\\/*,{}[]:#é\n', max_size=6)
)
_VALUES = st.recursive(
    _SCALARS,
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(_KEYS, inner, max_size=3)),
    max_leaves=8,
)
_COMMENTS = ("", "", "", "// a note", '/* two\n lines, { " */', "/**/", '// } ] , "')


@st.composite
def jsonc_objects(draw):
    """The text of an object, with its value; any layout, comments and trailing commas where they may stand."""
    value = draw(st.dictionaries(_KEYS, _VALUES, max_size=4))
    # One draw for the whole layout: hundreds of them would take a test its time.
    chance = draw(st.randoms(use_true_random=True))
    text = _gap(chance) + _rendered(chance, value) + _gap(chance)
    return text.replace("\n", chance.choice(["\n", "\r\n"])), value


def _gap(chance):
    comment = chance.choice(_COMMENTS)
    end = "\n" if comment.startswith("//") else ""
    return chance.choice(["", " ", "\n", "\n  ", "\t"]) + comment + end + chance.choice(["", " ", "\n    "])


def _rendered(chance, value):
    if isinstance(value, dict):
        parts = [
            _quoted(chance, key) + _gap(chance) + ":" + _gap(chance) + _rendered(chance, below)
            for key, below in value.items()
        ]
        return "{" + _joined(chance, parts) + "}"
    if isinstance(value, list):
        return "[" + _joined(chance, [_rendered(chance, below) for below in value]) + "]"
    return json.dumps(value)


def _quoted(chance, key):
    return json.dumps(key, ensure_ascii=chance.random() < 0.5)


def _joined(chance, parts):
    text = ""
    for place, part in enumerate(parts):
        comma = "," if place < len(parts) - 1 or chance.random() < 0.5 else ""
        text += _gap(chance) + part + _gap(chance) + comma
    return text + _gap(chance)


_TOML_SCALARS = st.one_of(
    st.booleans(), st.integers(-(10**9), 10**9), st.text(alphabet='ab"\\#[]=\né', max_size=8), st.just(float("nan"))
)
_TOML_VALUES = st.one_of(_TOML_SCALARS, st.lists(_TOML_SCALARS, max_size=3))
_TOML_KEYS = st.text(alphabet="abcxyz_-. é", min_size=1, max_size=5)
_BODIES = st.dictionaries(_TOML_KEYS, _TOML_VALUES, max_size=3)


@st.composite
def toml_texts(draw):
    """A TOML text: top-level keys, tables, dotted keys, arrays of tables, values over several lines, comments."""
    chance = draw(st.randoms(use_true_random=True))
    lines = _entries(chance, draw(_BODIES))
    names = draw(st.lists(_TOML_KEYS, max_size=4, unique=True))
    for name in names:
        quoted = json.dumps(name, ensure_ascii=False)
        header = chance.choice([f"[t.{quoted}]", f"[[l.{quoted}]]", f"[mcp_servers.{quoted}]"])
        lines += ["", header + chance.choice(["", "  # a note"]), *_entries(chance, draw(_BODIES))]
    text = "\n".join(lines) + chance.choice(["", "\n", "\n\n", "\n# the end"])
    return text.replace("\n", "\r\n") if chance.random() < 0.5 else text


def _entries(chance, body):
    lines = []
    for key, value in body.items():
        lines += chance.choice([[], ["# a note [x] = 1"], [""]])
        text = tomlkit.item(value).as_string()
        if isinstance(value, list) and chance.random() < 0.5:
            text = "[ # many\n" + "".join(f"  {tomlkit.item(one).as_string()},\n" for one in value) + "]"
        elif isinstance(value, str) and chance.random() < 0.5:
            text = '"""\n[not.a.table]\n' + value.replace("\\", "\\\\").replace('"', '\\"') + '"""'
        lines.append(f"{json.dumps(key, ensure_ascii=False)} = {text}{chance.choice(['', ' # = [a]'])}")
    return lines


def is_subsequence(short, long):
    """Whether one text is the other with something taken out."""
    rest = iter(long)
    return all(character in rest for character in short)
