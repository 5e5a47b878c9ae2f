"""`python -m api.cli` is the `deckproof` command, where that is not on the path."""

from api.cli import main

if __name__ == "__main__":
    main()
