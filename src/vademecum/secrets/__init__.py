"""Find and mask secrets: one scanner for every border that text crosses.

scan(text)    where the secrets are (offsets and kinds, never the text)
mask(text)    the text with every secret replaced by `[secret:<kind>]`
masked(text)  the same, with counts per kind for the ledger
mask_within(value)  a value of texts, lists and objects with every text in it masked
mask_lines(text)  its lines, masked, each in its place
holds_mask(text)  whether something was masked in it before
"""

from vademecum.secrets.finding import Finding
from vademecum.secrets.marks import HIDDEN_NAME, MARK, holds_mask
from vademecum.secrets.masking import mask, mask_lines, mask_within, masked
from vademecum.secrets.scanner import scan

__all__ = ["HIDDEN_NAME", "MARK", "Finding", "holds_mask", "mask", "mask_lines", "mask_within", "masked", "scan"]
