"""What there is in a file: functions, classes made without arguments, boards, marks."""

from __future__ import annotations

import inspect
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from enum import Enum
from functools import cached_property
from typing import Any

from judge.boards import Form, form_of
from judge.lines import reason
from judge.names import BEGINS, BEGUN, words
from judge.plans import Names

SEVEN = ("player", "actions", "result", "winner", "terminal", "utility", "minimax")


def own(thing: Any, folder: str) -> bool:
    """Say whether a function or a class comes from the file's folder."""
    thing = inspect.unwrap(thing)
    if isinstance(thing, type):
        file = getattr(sys.modules.get(thing.__module__), "__file__", None)
    else:
        file = getattr(getattr(thing, "__code__", None), "co_filename", None)
    return bool(file) and os.path.dirname(os.path.abspath(str(file))) == folder


def parameters(call: Callable[..., Any]) -> list[tuple[str, bool]]:
    """Return the name of each parameter and whether a value must be given."""
    kinds = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    with suppress(ValueError, TypeError):
        given = inspect.signature(call).parameters.values()
        return [(p.name, p.default is p.empty) for p in given if p.kind not in kinds]
    return [("board", True)]  # a built-in method, such as `choose = table.get`


class Shape:
    """Hold what there is in a file: functions, classes made without arguments, boards, marks."""

    def __init__(self, names: Names, folder: str) -> None:
        self.functions: dict[str, list[tuple[str, bool]]] = {}
        self.boards: dict[tuple[str, ...], Form] = {}  # by place
        self.begun: dict[str, Form] = {}  # by the function that begins with it
        self.constants: dict[str, Any] = {}
        self.variables: dict[tuple[str, ...], Any] = {}
        self.closed: dict[str, str] = {}  # classes that cannot be made, each with what is raised
        for name, value in [*names.items()]:
            if name.startswith("_"):
                continue
            if isinstance(value, type):
                if own(value, folder):
                    self._of_class(name, value, folder)
            elif callable(value):
                if own(value, folder) or name == "choose":
                    self.functions[name] = parameters(value)
                    self._begins(name, value)
            else:
                self._of_value(("global", name), value)

    def _begins(self, name: str, call: Callable[[], Any]) -> None:
        said = {*words(name)}
        if said & BEGINS and said & BEGUN and not any(must for _, must in self.functions[name]):
            with suppress(BaseException):
                self.begun |= {f"{name}()": form for form in [form_of(call())] if form}

    def _of_value(self, place: tuple[str, ...], value: Any) -> None:
        if isinstance(value, (str, int, float, type(None), Enum)):
            self.constants.setdefault(place[-1], value)
            self.variables[place] = value
        elif form := form_of(value):
            self.boards[place] = form

    def _of_class(self, name: str, kind: type, folder: str) -> None:
        if issubclass(kind, Enum):
            self.constants |= {member.name: member for member in kind}
            return
        held = {**vars(kind)}
        if any(must for _, must in parameters(kind)):
            self.closed[name] = ""  # it wants arguments
        else:
            try:
                held |= vars(kind())
            except BaseException as error:
                self.closed[name] = reason(error)
        for one, value in held.items():
            if not one.startswith("__"):
                self._of_value(("self", name, one), value)
        for one in dir(kind):
            method = inspect.getattr_static(kind, one, None)
            is_static = isinstance(method, (staticmethod, classmethod))
            method = getattr(kind, one)
            if not one.startswith("_") and callable(method) and own(method, folder):
                self.functions[f"{name}.{one}"] = parameters(method)[0 if is_static else 1 :]

    @cached_property
    def is_course(self) -> bool:
        """Say whether a file has the seven functions of the course."""
        return {*SEVEN} <= {*self.functions}
