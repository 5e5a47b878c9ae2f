"""The `deckproof` command, also as `python -m deckproof`."""

import sys

from deckproof import installation


def main() -> int:
    """Run the command line, which exits by itself. Return 2 if an installed package is not deckproof's.

    In that case only the problem is printed, on standard error.
    """
    if problem := installation.find_problem():
        print(f"deckproof: {problem}", file=sys.stderr)
        return 2
    from api.cli import main as run_command  # only after the check

    run_command()


if __name__ == "__main__":
    sys.exit(main())
