"""The judge's old address: `python -m teach.check` says where it lives now, and goes on there."""

import os
import sys

if __name__ == "__main__":
    print("This is `python -m judge` now.", file=sys.stderr, flush=True)
    os.execv(sys.executable, [sys.executable, "-m", "judge", *sys.argv[1:]])
