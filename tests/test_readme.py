"""What the README shows is what there is."""

import doctest
from pathlib import Path

README = Path(__file__).parent.parent / "README.md"


def test_the_session_in_the_readme_runs() -> None:
    failed, tried = doctest.testfile(str(README), module_relative=False)
    assert tried > 0
    assert failed == 0
