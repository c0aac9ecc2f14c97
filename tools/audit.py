"""Ask about every pin of the locks, those of other systems too, whether a hole in it is known.

Exits with 0 where none is known, 1 where any is, and 2 where there was no answer about some. As
make ends with 2 in either case, `python -m tools.audit` is for scripts.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections import Counter, defaultdict
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any

AUDIT = [sys.executable, "-m", "uv", "tool", "run", "--quiet", "pip-audit"]
AUDIT += ["--format", "json", "--progress-spinner", "off", "--disable-pip", "--no-deps"]
PIN = re.compile(r"^([\w.-]+)==([\w.+!-]+)", re.MULTILINE)


def main(folder: Path = Path(__file__).parents[1]) -> int:
    """Ask about the locks in `folder`, print the answers, and return the exit code."""
    locks = [lock.read_text() for lock in folder.glob("requirements*.txt")]
    pins = sorted({pin for lock in locks for pin in PIN.findall(lock)})
    # No question may name a package twice, so the second of its versions goes into a second one.
    questions: defaultdict[int, str] = defaultdict(str)
    seen: Counter[str] = Counter()
    for name, version in pins:
        questions[seen[name]] += f"{name}=={version}\n"
        seen[name] += 1
    answers = [answer for question in questions.values() for answer in ask(question)]
    holes = [(answer, hole) for answer in answers for hole in answer["vulns"]]
    for answer, hole in holes:
        mended = ", ".join(hole["fix_versions"]) or "no version yet"
        print(f"{answer['name']} {answer['version']} has {hole['id']}, mended in {mended}.")
    answered = {(answer["name"], answer["version"]) for answer in answers}
    if unknown := [
        f"{name} {version}" for name, version in pins if (name, version) not in answered
    ]:
        print(f"No answer about {len(unknown)} of {len(pins)} pins: {', '.join(unknown)}.")
    if not holes and not unknown:
        print(f"No hole is known in any of {len(pins)} pins.")
    return 1 if holes else 2 if unknown else 0


def ask(question: str) -> list[dict[str, Any]]:
    """Return the answers about a list of pins; without any, print what went wrong."""
    with NamedTemporaryFile("w", suffix=".txt") as file:
        file.write(question)
        file.flush()
        command = [*AUDIT, "--requirement", file.name]
        done = subprocess.run(command, capture_output=True, text=True)
    try:
        answers = json.loads(done.stdout)["dependencies"]
    except ValueError:
        print(*done.stderr.splitlines()[-1:], sep="")
        return []
    return [answer for answer in answers if "vulns" in answer]


if __name__ == "__main__":
    sys.exit(main())
