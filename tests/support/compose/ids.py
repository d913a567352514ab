"""Ids in the forms of the four hosts, from a seed."""

import random
import string
import uuid
from datetime import datetime

from support.compose.script import Script, milliseconds

__all__ = ["Ids"]

_BASE62 = string.digits + string.ascii_uppercase + string.ascii_lowercase
_MASK_48_BITS = (1 << 48) - 1


class Ids:
    """An endless supply of ids; the same script gives the same row of ids."""

    def __init__(self, host: str, script: Script, part: str = "") -> None:
        self._random = random.Random(f"{host}/{script.seed}/{script.label}/{part}")
        self._counter = 0

    def hex(self, digits: int) -> str:
        return f"{self._random.getrandbits(4 * digits):0{digits}x}"

    def uuid4(self) -> str:
        return str(uuid.UUID(int=self._random.getrandbits(128), version=4))

    def uuid7(self, moment: datetime) -> str:
        tail = self._random.getrandbits(80)
        value = (milliseconds(moment) << 80) | tail
        value = value & ~(0xF000 << 64) | (0x7000 << 64)
        value = value & ~(0xC000 << 48) | (0x8000 << 48)
        return str(uuid.UUID(int=value))

    def ascending(self, prefix: str, moment: datetime) -> str:
        """`msg_22c0533be001...`: sorts by time."""
        return f"{prefix}_{self._time_bits(moment):012x}{self._base62(14)}"

    def descending(self, prefix: str, moment: datetime) -> str:
        """`ses_dd3face4bffe...`: newest first."""
        return f"{prefix}_{~self._time_bits(moment) & _MASK_48_BITS:012x}{self._base62(14)}"

    def _time_bits(self, moment: datetime) -> int:
        self._counter += 1
        return (milliseconds(moment) * 0x1000 + self._counter) & _MASK_48_BITS

    def _base62(self, length: int) -> str:
        return "".join(self._random.choices(_BASE62, k=length))
