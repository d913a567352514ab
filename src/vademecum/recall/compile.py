"""The context compiler: a pure function of revision, template, place and budget; its parts are cached per revision."""

from contextlib import suppress
from pathlib import Path

import msgspec

from vademecum.bare import SHARES, TEMPLATE, arrange, estimate_tokens
from vademecum.errors import StorageError
from vademecum.memfs import Tree
from vademecum.private import make_private_folders, read_plain_file, replace_private_file
from vademecum.recall.parts import Parts, build_parts

__all__ = ["Context", "ContextSection", "compile_context", "fill_of_blocks", "is_fresh", "refresh"]

#: As much as a hook reads.
_MOST_BYTES = 16 * 1024 * 1024


class ContextSection(msgspec.Struct, frozen=True, kw_only=True):
    """One part of the block."""

    name: str
    bytes: int
    #: Lines left out for want of room.
    cut: int


class Context(msgspec.Struct, frozen=True, kw_only=True):
    """The block for one place."""

    revision: str
    text: str
    #: An estimate that is safe for every model we know: see `vademecum.bare.estimate_tokens`.
    tokens: int
    bytes: int
    sections: tuple[ContextSection, ...]
    #: Files that cannot be read, and the like.
    warnings: tuple[str, ...]


class _Cached(msgspec.Struct, frozen=True, kw_only=True):
    template: int
    revision: str
    parts: Parts


_decoder = msgspec.json.Decoder(_Cached)


def compile_context(tree: Tree, *, places: tuple[str, ...], budget_tokens: int, cache: Path | None = None) -> Context:
    """The block for a working directory (`places`: itself, and the root of its project).

    `cache`: folder in which the parts of the newest revision are kept; None compiles afresh and writes nothing.
    """
    parts = _parts(tree, cache)
    text, sections = arrange(msgspec.to_builtins(parts.data), places, budget_tokens)
    return Context(
        revision=tree.revision,
        text=text,
        tokens=estimate_tokens(text),
        bytes=len(text.encode()),
        sections=msgspec.convert(sections, tuple[ContextSection, ...]),
        warnings=parts.warnings,
    )


def fill_of_blocks(tree: Tree, *, budget_tokens: int) -> float:
    """How full the part of the context is that the blocks under `system/` have: 1.0 is all of it."""
    blocks = build_parts(tree).data.blocks
    lines = (line for block in blocks for line in (f"## {block.path}", *block.lines))
    return sum(estimate_tokens(line) + 1 for line in lines) / (SHARES["blocks"] * budget_tokens)


def is_fresh(tree: Tree, cache: Path) -> bool:
    """Whether the cache holds the parts of this revision, for hooks."""
    return _cached(tree, cache) is not None


def refresh(tree: Tree, cache: Path) -> None:
    """Have the parts of this revision in the cache, for hooks and for the next call.

    A cache that cannot be written costs the next reader time and nothing else: it never fails the write before it.
    """
    if is_fresh(tree, cache):
        return
    try:
        _store(tree, build_parts(tree), cache)
    except StorageError:
        # What is not of this revision must not reach a session: it may say what was just forgotten.
        with suppress(OSError):
            (cache / "context.json").unlink()


def _parts(tree: Tree, cache: Path | None) -> Parts:
    if cache is None:
        return build_parts(tree)
    cached = _cached(tree, cache)
    if cached is not None:
        return cached
    parts = build_parts(tree)
    try:
        _store(tree, parts, cache)
    except StorageError:
        return parts  # a read-only home still gives its context; the next writer fills the cache
    return parts


def _cached(tree: Tree, cache: Path) -> Parts | None:
    """The parts of exactly this revision, by exactly this template; None where they are to be compiled."""
    try:
        cached = _decoder.decode(read_plain_file(cache / "context.json", most_bytes=_MOST_BYTES))
    except (OSError, msgspec.MsgspecError):
        return None  # absent, or written by another version
    return cached.parts if cached.revision == tree.revision and cached.template == TEMPLATE else None


def _store(tree: Tree, parts: Parts, cache: Path) -> None:
    data = msgspec.json.encode(_Cached(template=TEMPLATE, revision=tree.revision, parts=parts))
    try:
        make_private_folders(cache)
        replace_private_file(cache / "context.json", data)
    except OSError as error:
        raise StorageError(f"the context cache cannot be written: {error.strerror}", paths=(str(cache),)) from error
