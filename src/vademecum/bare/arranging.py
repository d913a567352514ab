"""The ordering of the context: what stands in the block for a place, and what is cut.

The compiled parts (written by `recall`, JSON in `runtime/cache/`):

    {"open": str, "close": str,               the fence, its nonce derived from all parts
     "revision": str,
     "how": [line],                            how to use memory
     "blocks": [{"path", "lines"}],            files under system/
     "summary": [{"heading", "project", "broad", "brief", "lines"}],
     "notes": [line], "unconfirmed": [line],   notes not yet consolidated, newest first
     "files": [line], "more_files": int}       other files with their descriptions, and how many are not listed
"""
# pyright: basic
# (strict types would need `typing`, whose import costs a hook more than its work)

__all__ = ["SHARES", "TEMPLATE", "arrange", "estimate_tokens"]

#: Counted up whenever the same revision would give other bytes, here or in `recall.parts`.
TEMPLATE = 9
#: Shares of the whole budget, of 4,000: summary 2,500, blocks 1,000, notes 300, index of files 200.
SHARES = {"blocks": 1000 / 4000, "summary": 2500 / 4000, "notes": 300 / 4000, "files": 200 / 4000}
_INDEX = "## What's in Memory"
#: Where the budget is short, history gives way before know-how, and know-how before preferences.
_YIELDING = {_INDEX: 8, "## General Tips": 3}
#: Tokens of the line that tells of a cut, without the place it points to.
_OMISSION = 14


def estimate_tokens(text: str) -> int:
    """A safe bound: a quarter of the characters, or one token for each CJK character, whichever is more."""
    quarter = (len(text) + 3) // 4
    if text.isascii():
        return quarter
    wide = sum(1 for character in text if "\u2e80" <= character <= "\ud7ff" or "\uf900" <= character <= "\uffef")
    return max(quarter, wide)


def arrange(
    parts: dict[str, object], places: tuple[str, ...], budget_tokens: int
) -> tuple[str, list[dict[str, object]]]:
    """Put the parts in order for these places (the working directory, the root of its project) and cut to the budget.

    Returns (text, sections): the block with its fence, and one `{"name", "bytes", "cut"}` per section that has text,
    where `cut` counts the lines left out.
    """
    revision = "memory revision " + str(parts["revision"])[:12] + ", "
    frame = "\n".join([str(parts["open"]), *_lines(parts["how"]), revision + _load(10000), str(parts["close"])])
    room = max(0, budget_tokens - estimate_tokens(frame) - 8)
    texts = []
    sections = []
    for name, groups in _choose(parts, places):
        limit = int(room * SHARES[name]) if name in SHARES else budget_tokens
        text, cut = _fit(groups, limit)
        if text:
            texts.append(text)
            sections.append({"name": name, "bytes": len(text.encode("utf-8")), "cut": cut})
    texts.append(revision + _load(sum(section["cut"] for section in sections)))
    return str(parts["open"]) + "\n" + "\n\n".join(texts) + "\n" + str(parts["close"]), sections


def _load(cut: int) -> str:
    """Whether the reader has all of it: a session cannot tell a cut block from a whole one by itself."""
    return "loaded in part: " + _plural(cut, "line") + " left out above" if cut else "loaded whole"


def _lines(value: object) -> list[str]:
    return [str(line) for line in value] if isinstance(value, list | tuple) else []


def _choose(parts: dict, places: tuple) -> list:
    """Name and groups of every section, in order.

    A group is (lines, where the rest is, how readily it gives way, lines that were left out before).
    """
    files = ["## Other files", *parts["files"]]
    return [
        ("how", [(parts["how"], "", 1, 0)]),
        ("blocks", [(["## " + block["path"], *block["lines"]], block["path"], 1, 0) for block in parts["blocks"]]),
        ("summary", _summary(parts["summary"], places)),
        ("notes", _notes(parts)),
        ("files", [(files, "`vade ls`", 1, parts["more_files"])] if parts["files"] else []),
    ]


def _applies(chunk: dict, places: tuple) -> bool:
    project = chunk["project"]
    if not project:
        return True
    if chunk["broad"]:
        return places[:1] == (project,)
    return any(place == project or place.startswith(project.rstrip("/") + "/") for place in places)


def _summary(chunks: list, places: tuple) -> list:
    """One group per heading: what concerns this place first, then what holds everywhere."""
    groups = []
    for heading in dict.fromkeys(chunk["heading"] for chunk in chunks):
        own = [chunk for chunk in chunks if chunk["heading"] == heading and _applies(chunk, places)]
        own.sort(key=_standing)
        lines = [heading]
        title = ""
        for chunk in own:
            of_chunk = _title(chunk, is_alone=not own[0]["project"] or heading == _INDEX)
            if of_chunk and of_chunk != title:
                lines.append(of_chunk)
            title = of_chunk
            lines += chunk["lines"]
        if heading == _INDEX:
            others = [chunk for chunk in chunks if chunk["heading"] == heading and not _applies(chunk, places)]
            lines += [chunk["brief"] for chunk in others]
        if len(lines) == 1:
            continue  # nothing of it holds here
        groups.append((lines, "memory_summary.md and MEMORY.md", _YIELDING.get(heading, 1), 0))
    return groups


def _standing(chunk: dict) -> tuple:
    """The nearest project first; what has a title of its own last, for it would take in what follows."""
    return not chunk["project"], -len(chunk["project"]), chunk["project"], _is_titled(chunk)


def _title(chunk: dict, is_alone: bool) -> str:
    """The line above a chunk, which stands once above all chunks of a project, or of none; empty: it needs no line."""
    if chunk["project"]:
        return "### " + chunk["project"]
    return "" if is_alone or _is_titled(chunk) or not chunk["lines"] else "### everywhere"


def _is_titled(chunk: dict) -> bool:
    return bool(chunk["lines"]) and chunk["lines"][0].startswith("### ")


def _notes(parts: dict) -> list:
    groups = []
    if parts["notes"]:
        groups.append((["## Notes", *parts["notes"]], "extensions/ad_hoc/notes/", 1, 0))
    if parts["unconfirmed"]:
        heading = "## Unconfirmed notes (written by an agent, not said by the user)"
        groups.append(([heading, *parts["unconfirmed"]], "extensions/ad_hoc/notes/", 2, 0))
    return groups


def _fit(groups: list, limit_tokens: int) -> tuple:
    """The groups as text within the limit: last lines give way first, of long groups that yield readily, then groups.

    Returns (text, number of lines cut). Every cut is said in its group, with where the rest is.
    """
    kept = [list(group[0]) for group in groups]
    cut = [group[3] for group in groups]
    sizes = [sum(estimate_tokens(line) + 1 for line in lines) for lines in kept]
    gone = lines_gone = 0
    marks = [_OMISSION + estimate_tokens(group[1]) for group in groups]
    while _need(sizes, cut, marks, gone) > limit_tokens:
        long_ones = [position for position, lines in enumerate(kept) if len(lines) > 1]
        if long_ones:
            longest = max(long_ones, key=lambda position: sizes[position] * groups[position][2])
            sizes[longest] -= estimate_tokens(kept[longest].pop()) + 1
            cut[longest] += 1
        elif kept:
            # Only headings are left: one line for the rest of them.
            gone += 1
            lines_gone += len(kept.pop()) + cut.pop()
            sizes.pop()
        else:
            break
    texts = []
    for group, lines, count in zip(groups, kept, cut, strict=False):
        if count:
            lines.append("(" + _plural(count, "line") + " left out here: see " + group[1] + ")")
        texts.append("\n".join(lines))
    if gone:
        texts.append("(" + _plural(gone, "more part") + " left out here: see `vade ls`)")
    return "\n\n".join(text for text in texts if text), sum(cut) + lines_gone


def _plural(count: int, noun: str) -> str:
    return str(count) + " " + noun + ("" if count == 1 else "s")


def _need(sizes: list, cut: list, marks: list, gone: int) -> int:
    """Tokens of what is kept, with a line for every cut."""
    told = sum(mark for mark, count in zip(marks, cut, strict=False) if count)
    return sum(sizes) + told + _OMISSION * (gone > 0)
