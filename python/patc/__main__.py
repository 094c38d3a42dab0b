"""The command patc, as `python3 -m patc` and as the script that an install of the package leaves."""
import os
import sys

from patc import compiler


def main() -> None:
    path = compiler()
    os.execv(path, ["patc", *sys.argv[1:]])


if __name__ == "__main__":
    main()
