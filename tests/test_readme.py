"""What the README shows is what there is."""

import doctest
from pathlib import Path

from engine.__main__ import in_words
from engine.position import Position

README = Path(__file__).parent.parent / "README.md"


def test_the_session_in_the_readme_runs() -> None:
    failed, tried = doctest.testfile(str(README), module_relative=False)
    assert tried > 0
    assert failed == 0


def test_the_prompt_in_the_readme_prints_that() -> None:
    _, _, shown = README.read_text().partition("$ python -m engine X---O---X\n")
    assert shown.startswith(in_words(Position.parse("X---O---X")) + "\n```")
