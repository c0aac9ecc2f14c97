"""The imports of packages and templates: no cycles, and only from the same or an earlier layer."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

ROOT = Path(__file__).parent.parent
LAYERS = ("engine", "teach", "judge", "web")  # each imports only itself and those before it
TEMPLATE_IMPORT = re.compile(r"""\{% (?:extends|import|include|from) "(\w+)/""")


def imported_names(source: str) -> Iterator[str]:
    """Yield each module that a source imports, and each name from there."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def package_of(module: str) -> str:
    """Return the package of a module, such as `web.play`, or a module such as `teach.trees`."""
    return ".".join(module.split(".")[:2])


@cache
def imports() -> Mapping[str, set[str]]:
    """Return the packages that each package imports, through its templates as well."""
    imports_of = defaultdict[str, set[str]](set)
    for path in (path for layer in LAYERS for path in (ROOT / layer).rglob("*.py")):
        if "tests" in path.relative_to(ROOT).parts:
            continue
        package = package_of(".".join(path.relative_to(ROOT).with_suffix("").parts))
        imports_of[package] |= {package_of(name) for name in imported_names(path.read_text())} - {
            package
        }
    for path in (ROOT / "templates").rglob("*.html"):
        package = f"web.{path.parent.name}"
        imports_of[package] |= {
            f"web.{name}" for name in TEMPLATE_IMPORT.findall(path.read_text())
        } - {package}
    return {
        package: {to for to in imported if to in imports_of}
        for package, imported in imports_of.items()
    }


def test_packages_do_not_import_each_other() -> None:
    TopologicalSorter(imports()).prepare()  # raises CycleError with the cycle


def test_imports_between_layers_run_one_way() -> None:
    for package, imported in imports().items():
        own_index = LAYERS.index(package.partition(".")[0])
        assert all(LAYERS.index(to.partition(".")[0]) <= own_index for to in imported), package


def test_shared_code_imports_no_page() -> None:
    for package, may_import in (("web.http", set()), ("web.view", {"web.http"})):
        assert {to for to in imports()[package] if to.startswith("web.")} <= may_import, package


def test_the_judge_imports_only_the_engine_and_nothing_imports_it() -> None:
    imported = {
        to for package, names in imports().items() if package.startswith("judge.") for to in names
    }
    assert all(to.startswith(("engine.", "judge.")) for to in imported)
    importing = {
        package
        for package, names in imports().items()
        if any(to.startswith("judge.") for to in names)
    }
    assert {package for package in importing if not package.startswith("judge.")} == set()
