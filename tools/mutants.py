"""Mutation testing: change the code in one place at a time and see that a test fails.

    python tools/mutants.py [FILE ...]

Works on a copy of the tree, so that no mutant gets into the checkout. Prints each one that
survives, and exits with 1 if there is any but those known to be EQUIVALENT.
"""

from __future__ import annotations

import ast
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parent.parent
SECONDS = 120  # for the tests of one file: a mutant that takes longer goes on for ever

# The tests that should notice a change. What survives them meets all the others, too.
TESTS = {
    **{f"engine/{name}.py": name for name in "position symmetry search players game".split()},
    **{f"engine/{name}.py": name for name in "explain tree proof".split()},
    **{"engine/__main__.py": "prompt", "reading.py": "app", "sessions.py": "sessions"},
}

# (file, line, change): why no test can notice.
EQUIVALENT: dict[tuple[str, str, str], str] = {
    (file, line, change): why
    for file, line, why, changes in (
        (
            "engine/position.py",
            "tuple(square for square in range(9) if board >> square & 1)"
            " for board in range(FULL + 1)",
            "no board has a tenth square or a higher number, so the rest is never looked up",
            "FULL + 1 -> FULL + 2 | range(9) -> range(10)",
        ),
        (
            "engine/search.py",
            "return -reply + (reply > 0) - (reply < 0)",
            "no score is 1 or -1: nobody can force a win on the ninth turn",
            "reply > 0 -> reply > 1 | reply < 0 -> reply < -1",
        ),
        (
            "engine/search.py",
            "if len(top) == 1 or score(position) > 0:  # a forced win is a win against any replies",
            "a short cut: what it leaves out finds the same moves",
            "if len(top) == 1 or score(position) > 0: -> if False:"
            " | len(top) == 1 or score(position) > 0 -> score(position) > 0"
            " | len(top) == 1 or score(position) > 0 -> len(top) == 1"
            " | len(top) == 1 or score(position) > 0 -> len(top) == 1 and score(position) > 0"
            " | score(position) > 0 -> score(position) > 1 | len(top) == 1 -> len(top) == 0",
        ),
        (
            "engine/search.py",
            "highest = max(values.values(), default=0)",
            "where there are no values, none is compared with the default",
            "max(values.values(), default=0) -> max(values.values(), default=1)"
            " | max(values.values(), default=0) -> max(values.values(), default=-1)",
        ),
        (
            "engine/search.py",
            "if score(position) > 0:",
            "a short cut: following a forced win counts all the ways, too",
            "if score(position) > 0: -> if False: | score(position) > 0 -> score(position) > 1",
        ),
        (
            "engine/search.py",
            "return _wins_after(canonical(position.children()[moves[0]])) if moves else 0",
            "the best moves all win equally often",
            "moves[0] -> moves[-1]",
        ),
        (
            "engine/search.py",
            "return empty * _ways(empty - 2) if empty > 0 else 1",
            "of one square there is one way; twice as many of all ways leaves each chance as it is",
            "empty > 0 -> empty > 1 | empty * _ways(empty - 2) if empty > 0 else 1"
            " -> empty * _ways(empty - 2) if empty > 0 else 2",
        ),
        (
            "engine/explain.py",
            "return Result(mover, WIN - value) if value > 0 else Result(OTHER[mover], WIN + value)",
            "a value of 0 does not get there, and no score is 1",
            "value > 0 -> value >= 0 | value > 0 -> value > -1 | value > 0 -> value > 1",
        ),
        (
            "engine/explain.py",
            "for square in range(9)",
            "square 9 lies on no line",
            "range(9) -> range(10)",
        ),
        (
            "engine/explain.py",
            'return "slower win" if value > 0 else "quicker loss"',
            "no score is 1, and a draw that is not the best is lower in result",
            "value > 0 -> value > 1 | value > 0 -> value >= 0 | value > 0 -> value > -1",
        ),
        (
            "engine/explain.py",
            'return "blunder" if value < 0 else "missed win"',
            "no score is -1",
            "value < 0 -> value < -1",
        ),
        (
            "engine/explain.py",
            "safe = [s for s in scores if scores[s] >= 0]",
            "no score is -1",
            "scores[s] >= 0 -> scores[s] >= -1",
        ),
        (
            "engine/explain.py",
            'reason = "wins" if top > 0 else "resists" if top < 0 else "draws"',
            "no score is 1 or -1",
            "top > 0 -> top > 1 | top < 0 -> top < -1",
        ),
        (
            "engine/explain.py",
            "chance(position, best[0]),",
            "the best moves all win equally often",
            "best[0] -> best[-1]",
        ),
        (
            "engine/explain.py",
            "return (value > 0) - (value < 0)",
            "no score is 1 or -1",
            "value > 0 -> value > 1 | value < 0 -> value < -1",
        ),
        (
            "engine/tree.py",
            "sign = (own > 0) - (own < 0)",
            "no score is 1 or -1",
            "own > 0 -> own > 1 | own < 0 -> own < -1",
        ),
        (
            "engine/tree.py",
            "return Met(first, symmetry) if symmetry and first != path else None",
            "what the view takes for the same is related; this is for the type",
            "symmetry and first != path -> first != path",
        ),
        (
            "engine/tree.py",
            "level = {path: at for path, at in below.items() if first[_same(at, view)] == path}",
            "a short cut, as the comment above it says",
            "{path: at for path, at in below.items() if first[_same(at, view)] == path}"
            " -> {path: at for path, at in below.items()}",
        ),
        (
            "engine/tree.py",
            'return Choices(_highest(position, "flat"), _highest(position, "depth"))',
            "any scoring but depth counts no turns",
            "_highest(position, 'flat') -> _highest(position, '')",
        ),
        (
            "engine/tree.py",
            '_memoised_nodes(canonical(position), "all"),',
            "any view but merged tells mirror images apart",
            "_memoised_nodes(canonical(position), 'all')"
            " -> _memoised_nodes(canonical(position), '')",
        ),
        (
            "engine/tree.py",
            "replies = [-_memoised(child, view, memo) for child in position.children().values()]",
            "the memo is only counted",
            "-_memoised(child, view, memo) -> _memoised(child, view, memo)",
        ),
        (
            "engine/tree.py",
            'memo[position] = max(replies) if replies else _end(position, "flat")',
            "the memo is only counted",
            "max(replies) -> min(replies) | _end(position, 'flat') -> _end(position, '')",
        ),
        (
            "engine/__main__.py",
            """return fill(f"{text}.", 79, subsequent_indent="      ")""",
            "one column of width",
            "fill(f'{text}.', 79, subsequent_indent='      ')"
            " -> fill(f'{text}.', 78, subsequent_indent='      ')",
        ),
        (
            "sessions.py",
            'cookie = parse_cookie(request.environ).get(self.get_cookie_name(app), "")',
            "neither was signed by anybody",
            "parse_cookie(request.environ).get(self.get_cookie_name(app), '')"
            " -> parse_cookie(request.environ).get(self.get_cookie_name(app), '?')",
        ),
        (
            "reading.py",
            "return given[0] if given else None",
            "there is only one by then",
            "given[0] -> given[-1]",
        ),
    )
    for change in changes.split(" | ")
}

SWAPS = (
    "Eq:NotEq NotEq:Eq Is:IsNot IsNot:Is In:NotIn NotIn:In Lt:LtE Lt:GtE LtE:Lt LtE:Gt Gt:GtE"
    " Gt:LtE GtE:Gt GtE:Lt Add:Sub Sub:Add Mult:Add FloorDiv:Mult Mod:Mult BitAnd:BitOr"
    " BitOr:BitAnd BitXor:BitAnd LShift:RShift RShift:LShift And:Or Or:And"
    " min:max max:min any:all all:any X:O O:X"
)


class Mutant(NamedTuple):
    line: int
    change: str
    source: str


def replacements(node: ast.AST) -> Iterator[ast.AST]:
    """Yield what to put in the place of a node, one at a time."""
    name = node.id if isinstance(node, ast.Name) else type(node).__name__
    for swap in SWAPS.split():
        if swap.startswith(f"{name}:"):
            other = swap.partition(":")[2]
            yield ast.Name(other) if isinstance(node, ast.Name) else getattr(ast, other)()
    match node:
        case ast.Constant(bool(value)):
            yield ast.Constant(not value)
        case ast.Constant(int(value)):
            yield from (ast.Constant(value + 1), ast.Constant(value - 1))
        case ast.Constant(str(value)):
            yield ast.Constant("" if value else "?")
        case ast.BoolOp(operator, values):
            for left_out in values:
                yield ast.BoolOp(operator, [one for one in values if one is not left_out])
        case ast.UnaryOp(ast.Not() | ast.USub(), operand):
            yield operand
        case ast.Call(function, arguments, keywords):
            for keyword in keywords:
                yield ast.Call(function, arguments, [k for k in keywords if k is not keyword])
            if ast.unparse(function) in ("sorted", "reversed", "abs", "tuple"):
                yield arguments[0]
        case ast.IfExp(test, then, otherwise):
            yield ast.IfExp(ast.UnaryOp(ast.Not(), test), then, otherwise)
        case ast.If(test, body, rest):
            yield ast.If(ast.UnaryOp(ast.Not(), test), body, rest)
            yield ast.If(ast.Constant(False), body, rest)
        case ast.comprehension(target, iterable, [_], asynchronous):
            yield ast.comprehension(target, iterable, [], asynchronous)
        case ast.Return(ast.expr()):
            yield ast.Return(ast.Constant(None))
        case ast.Expr() | ast.Raise() | ast.AugAssign() | ast.Assign([ast.Subscript()]):
            yield ast.Pass()


def is_kept(node: object) -> bool:
    """Tell docstrings, types, assertions and the call of `main` from what tests can notice."""
    match node:
        case ast.Expr(ast.Constant()) | ast.Assert() | ast.If(ast.Compare(ast.Name("__name__"))):
            return True
        case ast.Name(_, ast.Store()):
            return True
        case ast.Assign(_, ast.Subscript(ast.Name("Literal" | "tuple" | "Callable"))):
            return True
        case ast.Assign(_, ast.Call(ast.Name("TypeVar"))):
            return True
    return not isinstance(node, ast.AST)


def mutants(tree: ast.Module, node: ast.AST, around: Any = None) -> Iterator[Mutant]:
    """Yield each mutant of `tree` inside `node`, which is part of the expression `around`."""
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "returns", "decorator_list"):
            continue
        holder: Any = value if isinstance(value, list) else vars(node)
        for key in range(len(value)) if isinstance(value, list) else [name]:
            child: Any = holder[key]
            if is_kept(child):
                continue
            whole = isinstance(child, ast.expr | ast.stmt)
            # A constant, a name or an operator says little by itself.
            by_itself = whole and not isinstance(child, ast.Constant | ast.Name)
            shown = child if by_itself else around
            before = first_line(shown)
            for changed in replacements(child):
                holder[key] = changed
                after = first_line(changed if by_itself else shown)
                if after != before:
                    yield Mutant(shown.lineno, f"{before} -> {after}", ast.unparse(tree))
            holder[key] = child
            yield from mutants(tree, child, child if whole else around)


def first_line(node: ast.AST) -> str:
    return ast.unparse(node).partition("\n")[0]


def passes(tree: Path, tests: str, seconds: int) -> bool:
    command = [sys.executable, "-B", "-m", "pytest", "-x", "-q", "--failed-first", tests]
    try:
        return not subprocess.run(
            command, cwd=tree, capture_output=True, timeout=seconds
        ).returncode
    except subprocess.TimeoutExpired:
        return False


def main(files: list[str]) -> bool:
    """Try every mutant of the files and print what survives; say whether nothing did."""
    met: list[tuple[str, str, str]] = []
    survivors = []
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder, "tree")
        shutil.copytree(ROOT, copy, ignore=shutil.ignore_patterns(".*", "__pycache__"))
        for file in files:
            source, tests = (ROOT / file).read_text(), f"tests/test_{TESTS[file]}.py"
            assert passes(copy, tests, SECONDS), f"{tests} fails as it is"
            tree = ast.parse(source)
            for mutant in mutants(tree, tree):
                met.append((file, source.splitlines()[mutant.line - 1].strip(), mutant.change))
                (copy / file).write_text(mutant.source)
                if met[-1] in EQUIVALENT or not passes(copy, tests, SECONDS):
                    continue
                if passes(copy, "--ignore=tests/browser", 10 * SECONDS):
                    survivors.append(mutant)
                    print(f"{file}:{mutant.line}: {mutant.change}", flush=True)
            (copy / file).write_text(source)
    known = sum(key in EQUIVALENT for key in met)
    killed = len(met) - known - len(survivors)
    print(f"{killed} killed, {len(survivors)} survived, {known} equivalent, {len(met)} in all")
    return not survivors


if __name__ == "__main__":
    sys.exit(not main(sys.argv[1:] or list(TESTS)))
