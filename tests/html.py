"""A parsed page or part of a page, with the few methods that the tests need."""

from __future__ import annotations

from typing import Any

from selectolax.lexbor import LexborHTMLParser


class Tag:
    """An element, or a whole page."""

    def __init__(self, node: Any) -> None:
        self._node = node  # a node of selectolax, or its parser for a whole page

    @classmethod
    def parse(cls, html: str) -> Tag:
        """Return a whole page, or the top-level elements of a fragment."""
        whole = html.lstrip()[:9].lower() == "<!doctype"
        return cls(LexborHTMLParser(html, is_fragment=not whole))

    def select(self, css: str) -> list[Tag]:
        """Return the matching elements inside, in the order of the page."""
        found = dict.fromkeys(self._node.css(css))
        return [Tag(node) for node in found if node != self._node]

    def select_one(self, css: str) -> Tag | None:
        """Return the first matching element, or None if there is none."""
        return next(iter(self.select(css)), None)

    def below(self, css: str) -> list[Tag]:
        """Return the matching children, or the matching top-level elements of a page."""
        whole = isinstance(self._node, LexborHTMLParser)
        parent = None if whole else self._node
        return [tag for tag in self.select(css) if tag._node.parent == parent]

    @property
    def attrs(self) -> dict[str, str]:
        """The attributes; "" for one without a value."""
        return {name: value or "" for name, value in self._node.attributes.items()}

    def __getitem__(self, name: str) -> str:
        """Return an attribute. Raises KeyError if there is none with that name."""
        return self.attrs[name]

    def get(self, name: str, default: str | None = None) -> str | None:
        return self.attrs.get(name, default)

    @property
    def classes(self) -> list[str]:
        return self.attrs.get("class", "").split()

    def get_text(self, separator: str = "") -> str:
        """Return all text inside, with the separator between elements."""
        node = getattr(self._node, "root", self._node)
        return str(node.text(separator=separator)) if node else ""

    @property
    def name(self) -> str:
        return str(self._node.tag)

    def remove(self) -> None:
        """Remove the element from its page."""
        self._node.decompose()

    def __str__(self) -> str:
        return self._node.html or ""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Tag) and self._node == other._node

    def __hash__(self) -> int:
        return hash(self._node)
