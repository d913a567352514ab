"""What a person pasted into a message is not what they said: it is taken out here, once, for everything that follows.

Pasted text is fenced and indented code, quoted lines, logs, stack traces, diffs, shell prompts, data, mark-up, long
documents, mails and chats of others, and tags that a host put into the message.
"""

import re
from collections.abc import Iterable, Iterator, Sequence

from vademecum.artifacts import LIST_ITEM, SHOWN

__all__ = ["MARKDOWN_HEADING", "own_lines"]

#: From this many lines on, a structured message is a document that was pasted.
DOCUMENT_LINES = 25

_FENCE = re.compile(r"^[ \t>\u00a0]{0,8}(?:(?:[-*+]|\d{1,3}[.)])[ \t]+)?(```+|~~~+|\uff40{3,})")
_TAG_BLOCK = re.compile(r"<([A-Za-z][\w-]{1,40})(?:\s[^<>]{0,200})?>")
_PASTED_LINE = re.compile(
    r"""
      \s*[>\u203a\u00bb\u2502\u2503\u258f]                        # quoted
    | \s*(?:\u23fa|\|\s)                                        # what an agent said; a column of a table
    | \s*(?:\$|%|❯|PS\s[A-Z]:\\[^>]{0,80}>|>>>|\.\.\.)\s\S      # shell and interpreter prompts
    | [\w.-]{1,40}@[\w.-]{1,60}[:\s][^\s]{0,80}\s?[$\#%]\s       # user@host:~$
    | \s*\[?\d{4}-\d\d-\d\d[T\s]\d\d:\d\d                       # log lines
    | \s*\[?\d\d:\d\d:\d\d[\].,\s]
    | \s*\[(?:ERROR|WARN|WARNING|INFO|DEBUG|TRACE|FATAL|error|warn|info|debug)\]
    | \s*(?:ERROR|WARN|WARNING|INFO|DEBUG|FATAL|CRITICAL|PASS|FAIL|FAILED|E)(?:[:\]]|\s{2,}|\s[\w./-]+:\d)
    | \s*(?:npm|pnpm|yarn)\s(?:ERR|WARN|error|warn)\b
    | Traceback\s\(most
    | \s+at\s\S+\s?\(?\S*:\d+                                   # stack frames
    | \s+File\s"[^"]{1,200}",\sline\s\d
    | (?:[A-Z]\w{0,60}\.?){1,6}(?:Error|Exception|Warning):\s
    | \s*(?:error|warning|fatal|note)(?:\[\w{1,12}\]|\s\w{1,4}\d{2,6})?:\s
    | (?:diff\s--git|index\s[0-9a-f]{6,}|@@\s-\d|\+\+\+\s|---\s[ab]/|[+-]\s{2,}\S|[+-][^\s+-])  # diffs
    | \s*[\]\[{}()"',;]{1,4}\s*$                                # lone brackets
    | \s*"[^"]{1,80}"\s*:\s                                      # JSON members
    | \s*</?[\w!-]+[^<>]{0,300}>\s*$                             # mark-up alone on its line
    | \s*\|.*\|\s*$                                             # tables
    | \s*(?:import|from|export|const|let|var|def|class|return|public|private|func|function|async|static|fn|package
      |using|\#include)\s[^.!?]{0,200}[;{(:=]\s*$
    | \s*(?:SELECT|INSERT|CREATE|ALTER)\s[^.!?]{0,200}[;(]\s*$
    | \s*[\w.\[\]"']{1,60}\s?(?:=|:=|\+=|=>)\s?\S                 # assignments
    | \s*[\w./-]{1,80}:\d{1,6}(?::\d{1,6})?[:\s]                 # file:line:column
    | \s*(?://|/\*|\*/|<!--)                                    # comments
    | \s*(?:export|set|ENV)\s\w{1,60}=                           # environments
    """,
    re.VERBOSE,
)
#: What is a comment in some languages, and a heading or a list item elsewhere.
_MAYBE_COMMENT = re.compile(r"\s*(?:#(?!#)|--|\*|;)\s?\S")
#: The head of a mail.
_MAIL_HEAD = re.compile(
    r"\s*(?:from|to|cc|sent|date|subject|von|an|gesendet|betreff|de|objet|asunto):\s\S", re.IGNORECASE
)
#: Who wrote a message of a chat, and when.
_CHAT_STAMP = re.compile(
    r"\s*(?:\[[^\]]{0,30}\d{1,2}:\d\d[^\]]{0,10}\]\s*[\w .'-]{1,40}:?"
    r"|[\w.'-]{1,30}(?: [\w.'-]{1,30}){0,2}"
    r"(?:,\s+\d{1,2}:\d\d|\s+\[\d{1,2}:\d\d(?:\s?[ap]m)?\]|\s+\d{1,2}:\d\d\s?[ap]m))\s*$",
    re.IGNORECASE,
)
#: Where something that was forwarded or cut out begins or ends.
_CUT = re.compile(
    r"\s*(?:[-=_*~]{3,}\s*(?:\w+ )?"
    r"(?:forwarded|original|begin|end|start|snip|cut|quoted?|weitergeleitete|urspr\u00fcngliche)"
    r"(?: \w+){0,3}\s*[-=_*~]{3,}|[8%]<\s*[-=]{2,}|>[8%]\s*[-=]{2,}|\#\+(?:begin|end)_\w+)\s*$",
    re.IGNORECASE,
)
_INDENTED = re.compile(r"^(?: {4,}|\t+)\S")
MARKDOWN_HEADING = re.compile(r"^\s{0,3}#{1,6}\s+\S")
_YAML_LINE = re.compile(r"^\s*(?:- )?[\w.-]{1,40}:(?:\s\S{0,80})?\s*$")


def own_lines(message: str) -> list[str]:
    """The message's lines, with a mark for each that was pasted. Linear in its length."""
    written = _without_tags(message).splitlines()
    lines = list(_without_others_words(_without_fences(written)))
    lines = list(_without_indented_code(lines))
    lines = list(_without_pasted_lines(lines))
    own = _without_document(_without_yaml(lines))
    return [SHOWN if before.strip() and not line.strip() else line for before, line in zip(written, own, strict=True)]


def _without_tags(message: str) -> str:
    """Cut `<tag>...</tag>` blocks; a tag that nobody closes swallows nothing."""
    out: list[str] = []
    position = 0
    closed_at: dict[str, int] = {}
    for match in _TAG_BLOCK.finditer(message):
        if match.start() < position:
            continue
        tag = match[1]
        # The last closing tag is looked up once per name: a row of opening tags must not cost a search each.
        last = closed_at.setdefault(tag, message.rfind(f"</{tag}>"))
        if last < match.end():
            continue
        end = message.find(f"</{tag}>", match.end())
        out.append(message[position : match.start()])
        position = end + len(tag) + 3
    out.append(message[position:])
    return "\n".join(out)


def _without_fences(lines: Iterable[str]) -> Iterator[str]:
    """Fenced blocks go, also one that nobody closed."""
    fence = ""
    for line in lines:
        match = _FENCE.match(line)
        if fence:
            if match and match[1].startswith(fence):
                fence = ""
            yield ""
        elif match:
            fence = match[1]
            yield ""
        else:
            yield line


def _without_others_words(lines: Iterable[str]) -> Iterator[str]:
    """What was cut out goes to where it ends; a mail or a chat goes to the end: nothing says where one stops."""
    in_cut = in_talk = was_head = False
    for line in lines:
        is_head, is_mark = bool(_MAIL_HEAD.match(line)), bool(_CUT.match(line))
        in_talk = in_talk or (is_head and was_head) or bool(_CHAT_STAMP.match(line))
        in_cut = in_cut != is_mark
        was_head = is_head
        yield "" if in_talk or in_cut or is_mark else line


def _without_indented_code(lines: Sequence[str]) -> Iterator[str]:
    """Indented lines after an empty line are code, unless they continue a list."""
    in_list = False
    in_code = False
    blank = True
    for line in lines:
        if not line.strip():
            blank = True
            yield line
            continue
        item = bool(LIST_ITEM.match(line))
        indented = bool(_INDENTED.match(line))
        in_code = indented and not item and not in_list and (blank or in_code)
        in_list = item or (in_list and (indented or not blank))
        blank = False
        yield "" if in_code else line


def _without_pasted_lines(lines: Sequence[str]) -> Iterator[str]:
    """Lines that look pasted, and comments right above or below one."""
    pasted = [bool(_PASTED_LINE.match(line)) for line in lines]
    for at, line in enumerate(lines):
        beside_code = pasted[at - 1 : at] == [True] or pasted[at + 1 : at + 2] == [True]
        yield "" if pasted[at] or (beside_code and _MAYBE_COMMENT.match(line)) else line


def _without_yaml(lines: Sequence[str]) -> list[str]:
    """Three or more `key: value` lines in a row are data."""
    out = list(lines)
    start = 0
    for position in range(len(lines) + 1):
        if position < len(lines) and _YAML_LINE.match(lines[position]):
            continue
        if position - start >= 3:
            out[start:position] = [""] * (position - start)
        start = position + 1
    return out


def _without_document(lines: list[str]) -> list[str]:
    """Of a long, structured message only what stands before and after the document."""
    filled = [number for number, line in enumerate(lines) if line.strip()]
    if len(filled) < DOCUMENT_LINES:
        return lines
    structured = [number for number in filled if MARKDOWN_HEADING.match(lines[number])]
    if len(structured) < 2:
        structured = [number for number in filled if LIST_ITEM.match(lines[number])]
        if len(structured) * 2 < len(filled):
            return lines if len(filled) < 3 * DOCUMENT_LINES else _edges(lines, filled[0], filled[-1])
    return _edges(lines, structured[0], structured[-1])


def _edges(lines: list[str], first: int, last: int) -> list[str]:
    """Empty the lines from `first` to the end of the paragraph that holds `last`."""
    end = next((number for number in range(last, len(lines)) if not lines[number].strip()), len(lines))
    return [*lines[:first], *[""] * (end - first), *lines[end:]]
