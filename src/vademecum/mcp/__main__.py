"""`python -I -m vademecum.mcp`: what hosts start."""

import os
import sys

from vademecum.mcp import run

if __name__ == "__main__":
    run(sys.argv[1:], os.environ)
