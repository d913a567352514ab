"""Zstandard from the standard library where it has it (Python 3.14 on), else from its backport."""

import sys

__all__ = ["compress", "decompress"]

if sys.version_info >= (3, 14):
    from compression.zstd import compress, decompress
else:
    from backports.zstd import compress, decompress
