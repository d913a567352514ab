"""Files and flat JSON. `json` imports `re`, and so is not for a hook: its scanner is, by itself."""
# pyright: basic
# (strict types would need `typing`, whose import costs a hook more than its work)

import os
from _thread import get_ident

__all__ = ["append_line", "decoded", "digest", "encoded", "read_file", "read_own_file", "replace_file", "write_all"]

_MOST_BYTES = 16 * 1024 * 1024
_TO_READ = os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC
_TO_PASS = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC


class _Json:
    """What the scanner of the standard library asks its decoder for."""

    strict, memo = False, {}
    object_hook = object_pairs_hook = None
    parse_float, parse_int, parse_constant = float, int, float


def decoded(data: bytes) -> dict:
    """The object of a JSON text. Raises ValueError for anything else."""
    try:
        value = _scan(data.decode("utf-8", "replace").strip())
    except (StopIteration, RecursionError, SystemError) as error:
        # Python 3.11 cannot name what is wrong while `json` is not imported, and has a SystemError for it.
        raise ValueError from error
    if not isinstance(value, dict):
        raise ValueError  # noqa: TRY004  it is the text that is wrong
    return value


def _scan(text: str) -> object:
    try:
        from _json import make_scanner
    except ImportError:  # a Python that has it elsewhere: slower, and right
        from json import loads

        return loads(text)
    value, end = make_scanner(_Json)(text, 0)  # pyright: ignore[reportArgumentType]
    if end != len(text):
        raise ValueError
    return value


def encoded(flat: dict) -> bytes:
    """The JSON of an object of texts, numbers and truths, in ASCII: a path need not be Unicode."""
    try:
        from _json import encode_basestring_ascii as quoted
    except ImportError:
        from json import dumps as quoted
    pairs = (
        quoted(key) + ": " + (quoted(value) if isinstance(value, str) else str(value).lower())
        for key, value in flat.items()
    )
    return ("{" + ", ".join(pairs) + "}").encode("ascii")


def read_file(path: str, most_bytes: int = _MOST_BYTES) -> bytes:
    """A regular file. Raises OSError, and ValueError for a pipe or a folder in its place, which is not waited for."""
    return _content(os.open(path, _TO_READ), most_bytes)


def read_own_file(path: str, folders: int) -> bytes:
    """As `read_file`, of a file that is ours, as are so many folders above it: a link in their place is an OSError.

    Each is opened from the one above it, so that nobody can put a link there between a look and the opening.
    """
    root, *own, name = path.rsplit("/", folders + 1)
    place = os.open(root, _TO_PASS)
    try:
        for folder in own:
            inner = os.open(folder, _TO_PASS | os.O_NOFOLLOW, dir_fd=place)
            os.close(place)
            place = inner
        return _content(os.open(name, _TO_READ | os.O_NOFOLLOW, dir_fd=place), _MOST_BYTES)
    finally:
        os.close(place)


def _content(descriptor: int, most_bytes: int) -> bytes:
    """What can be read at a descriptor, which is closed."""
    try:
        if os.fstat(descriptor).st_mode & 0o170000 != 0o100000:
            raise ValueError
        pieces = []
        while most_bytes > 0 and (piece := os.read(descriptor, most_bytes)):
            pieces.append(piece)
            most_bytes -= len(piece)
        return b"".join(pieces)
    finally:
        os.close(descriptor)


def write_all(descriptor: int, data: bytes) -> None:
    """A pipe may take less at once."""
    while data:
        data = data[os.write(descriptor, data) :]


def replace_file(path: str, data: bytes, folders: int) -> None:
    """Write a file whole, in the place of the one before: of two that write at once, each is whole.

    `folders`: how many above it are ours. Raises OSError where a link stands in the place of one.
    """
    fresh = path + "." + str(os.getpid()) + "-" + str(get_ident()) + ".new"
    _make_own_folder(os.path.dirname(path), folders)
    descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    try:
        write_all(descriptor, data)
        os.replace(fresh, path)
    except OSError:
        os.unlink(fresh)
        raise
    finally:
        os.close(descriptor)


def _make_own_folder(folder: str, folders: int) -> None:
    """A folder of ours, as so many are, it included. Raises OSError where somebody put a link in the place of one."""
    own = folder
    for _ in range(folders):
        if os.path.islink(own):
            raise NotADirectoryError(own)
        own = os.path.dirname(own)
    _make_folder(folder)


def _make_folder(folder: str) -> None:
    """Make it and those missing above it, the user's alone; `os.makedirs` gives that mode to the last one only."""
    if not os.path.isdir(folder):
        _make_folder(os.path.dirname(folder))
        try:
            os.mkdir(folder, 0o700)
        except FileExistsError:
            return  # another hook was faster


def append_line(path: str, line: bytes, most_bytes: int, folders: int) -> None:
    """Write behind what is there; a file that has grown to its bound begins anew. `folders`: as for `replace_file`.

    One that has a second name, under which it may be somebody else's, is left to that name: another one begins here.
    """
    _make_own_folder(os.path.dirname(path), folders)
    flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
    descriptor = os.open(path, flags, 0o600)
    try:
        status = os.fstat(descriptor)
        is_shared = status.st_nlink > 1
        if not is_shared:
            if status.st_size + len(line) > most_bytes:
                os.ftruncate(descriptor, 0)
            write_all(descriptor, line)
    finally:
        os.close(descriptor)
    if is_shared:
        replace_file(path, line, folders)


def digest(text: str) -> str:
    """SHA-256 of a text in NFC, in hexadecimal digits."""
    if not text.isascii():
        from unicodedata import normalize

        text = normalize("NFC", text)
    try:
        from _sha2 import sha256  # pyright: ignore[reportMissingImports]
    except ImportError:
        try:
            from _sha256 import sha256  # pyright: ignore[reportMissingImports]
        except ImportError:  # neither Python 3.11 nor a later one as we know them
            from hashlib import sha256
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
