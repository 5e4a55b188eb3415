"""The `city` command."""

from __future__ import annotations

import sys

from zhixing.faces.cli.__main__ import process


def main() -> None:
    """Run the command line of this process and end it with the right exit code."""
    sys.exit(process("zhixing.faces.city.run", "已中断。"))


if __name__ == "__main__":
    main()
