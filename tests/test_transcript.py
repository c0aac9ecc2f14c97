"""A search printed at the prompt, step by step."""

from __future__ import annotations

import pytest

from engine.__main__ import main
from engine.position import OTHER
from engine.trace import ALGORITHMS, Algorithm, Back, Cut, Enter, run
from tests.test_tree_page import CLASSIC, SMALL
from tests.textbook import winner


def test_the_prompt_prints_the_same_steps(capsys: pytest.CaptureFixture[str]) -> None:
    main(["O-XX--XOO", "--run=alpha-beta"])
    assert (
        capsys.readouterr().out
        == """\
X is MAX and takes the highest, O MIN, the lowest.

  1  alpha-beta: X to move, MAX
  2    X top centre: O to move, MIN
  3      O centre: O wins, -8
  4      O centre returns -8: MIN has -8, alpha -inf, beta -8
  5      O middle right: X to move, MAX
  6        X centre: X wins, 7
  7        X centre returns 7: MAX has 7, alpha 7, beta -8
  8      O middle right returns 7: MIN has -8, alpha -inf, beta -8
  9    X top centre returns -8: MAX has -8, alpha -8, beta inf
 10    X centre: X wins, 9
 11    X centre returns 9: MAX has 9, alpha 9, beta inf
 12    X middle right: O to move, MIN
 13      O top centre: X to move, MAX
 14        X centre: X wins, 7
 15        X centre returns 7: MAX has 7, alpha 9, beta inf
 16      O top centre returns 7: MIN has 7, alpha 9, beta 7
 17    cut: MIN has 7 here, MAX 9 already; not searched: centre
 18    X middle right returns at most 7: MAX has 9, alpha 9, beta inf
 19  alpha-beta returns 9: X plays centre

Alpha-beta: nodes 9, leaves 4, cuts 1.
"""
    )


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_the_prompt_prints_every_step_of_every_small_position(
    capsys: pytest.CaptureFixture[str], algorithm: Algorithm
) -> None:
    for root in SMALL[::9]:
        main(["--run" if algorithm == "minimax" else f"--run={algorithm}", str(root)])
        sides, _, *lines, _, counts = capsys.readouterr().out.splitlines()
        search = run(root, algorithm, "depth", "squares")
        assert sides.startswith(f"{root.turn} is MAX") and f"{OTHER[root.turn]} MIN" in sides
        assert len(lines) == len(search.steps)
        for number, (line, step) in enumerate(zip(lines, search.steps, strict=True), 1):
            assert line.startswith(f"{number:>3}  {'  ' * len(step.path)}")
            assert line.isascii() and len(line) < 100
            if isinstance(step, Enter) and step.value is not None:
                won = winner(str(root.after(step.path)))
                assert line.endswith(f": {f'{won} wins' if won else 'a draw'}, {step.value}")
            else:
                assert "wins" not in line and "a draw" not in line
            if isinstance(step, Cut):
                mine, other = ("MIN", "MAX") if len(step.path) % 2 else ("MAX", "MIN")
                assert f"cut: {mine} has {step.best} here, {other} {step.against} already" in line
            window = isinstance(step, Back) and algorithm == "alpha-beta"
            assert (", alpha " in line and ", beta " in line) == window
        assert counts.endswith("nodes {}, leaves {}, cuts {}.".format(*search.counts))


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["--run"], "from at most 4 empty squares, and here are 9"),
        (["--run", "XXXOO----"], "the game is over"),
        (["--run=negamax", CLASSIC], "invalid choice: 'negamax'"),
        (["--run", "--json", CLASSIC], "not allowed with argument"),
    ],
)
def test_the_prompt_says_why_it_prints_no_steps(
    capsys: pytest.CaptureFixture[str], arguments: list[str], reason: str
) -> None:
    with pytest.raises(SystemExit) as stop:
        main(arguments)
    printed = capsys.readouterr()
    assert (stop.value.code, printed.out) == (2, "")
    assert reason in printed.err
    assert printed.err.count("\n") == 1
