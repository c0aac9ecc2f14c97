"""`make audit`, with somebody in place of pip-audit who needs no network."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.serving import ROOT
from tools import audit

LOCKS = {
    "requirements.txt": "# made\nflask==3.1.3 \\\n    --hash=sha256:00\njinja2==3.1.6 \\\n",
    "requirements-dev.txt": "flask==3.1.3 \\\ncolorama==0.4.6 ; sys_platform == 'win32' \\\n"
    "soupsieve==2.10 ; a \\\nsoupsieve==4.1.2 ; b \\\n",
}
HOLE = {"id": "CVE-1", "fix_versions": ["4.0"]}


@pytest.mark.parametrize(
    ("known", "code", "said"),
    [
        ({}, 0, "No hole is known in any of 5 pins.\n"),
        ({"flask": {"vulns": [HOLE]}}, 1, "flask 3.1.3 has CVE-1, mended in 4.0.\n"),
        (
            {"colorama": {"vulns": [{"id": "CVE-2", "fix_versions": []}]}},
            1,
            "colorama 0.4.6 has CVE-2, mended in no version yet.\n",
        ),
        ({"jinja2": None}, 2, "No answer about 1 of 5 pins: jinja2 3.1.6.\n"),
        (
            {"soupsieve": {"vulns": [HOLE]}, "jinja2": None},
            1,
            "soupsieve 2.10 has CVE-1, mended in 4.0.\nsoupsieve 4.1.2 has CVE-1, mended in 4.0.\n"
            "No answer about 1 of 5 pins: jinja2 3.1.6.\n",
        ),
        (
            "no network",
            2,
            "no network\nno network\nNo answer about 5 of 5 pins: colorama 0.4.6, flask 3.1.3,"
            " jinja2 3.1.6, soupsieve 2.10, soupsieve 4.1.2.\n",
        ),
    ],
)
def test_a_hole_is_told_from_a_question_that_got_no_answer(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    known: object,
    code: int,
    said: str,
) -> None:
    for name, text in LOCKS.items():
        (tmp_path / name).write_text(text)
    answerer = tmp_path / "answerer.py"
    answerer.write_text(ANSWERER.replace("KNOWN", repr(known)))
    monkeypatch.setattr(audit, "AUDIT", [sys.executable, "-S", str(answerer)])
    assert audit.main(tmp_path) == code
    assert capsys.readouterr().out == said


# Answers as pip-audit does, in JSON; None stands for a package that its service does not know.
ANSWERER = """
import json, sys
known = KNOWN
if isinstance(known, str):
    sys.exit(f"a warning\\n{known}")
answers = []
for line in open(sys.argv[-1]):
    name, version = line.strip().split("==")
    assert name not in [answer["name"] for answer in answers], "twice in one list"
    found = known.get(name, {"vulns": []})
    skipped = {"name": name, "skip_reason": "not found"}
    answers.append({"name": name, "version": version, **found} if found else skipped)
print(json.dumps({"dependencies": answers, "fixes": []}))
sys.exit(any(answer.get("vulns") for answer in answers))
"""


def test_every_pin_of_every_lock_is_asked_about() -> None:
    for lock in ROOT.glob("requirements*.txt"):
        text = lock.read_text()
        assert len(audit.PIN.findall(text)) == text.count("==") - text.count(" == ")
