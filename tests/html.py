"""A parsed page or part of a page, with the few methods that the tests need."""

from __future__ import annotations

from typing import Any

from selectolax.lexbor import LexborHTMLParser


class Tag:
    """An element, or a whole page."""

    def __init__(self, node: Any) -> None:
        self._node = node  # a selectolax node, or the parser of a page or fragment

    @classmethod
    def parse(cls, html: str) -> Tag:
        """Parse a whole page, or a fragment."""
        is_page = html.lstrip()[:9].lower() == "<!doctype"
        return cls(LexborHTMLParser(html, is_fragment=not is_page))

    def select(self, css: str) -> list[Tag]:
        """Return the matching elements inside, in document order."""
        nodes = dict.fromkeys(self._node.css(css))
        return [Tag(node) for node in nodes if node != self._node]

    def select_one(self, css: str) -> Tag | None:
        """Return the first matching element, or None if there is none."""
        return next(iter(self.select(css)), None)

    def select_children(self, css: str) -> list[Tag]:
        """Return the matching children, or the matching top-level elements of a page."""
        is_root = isinstance(self._node, LexborHTMLParser)
        parent = None if is_root else self._node
        return [tag for tag in self.select(css) if tag._node.parent == parent]

    @property
    def attrs(self) -> dict[str, str]:
        """The attributes by name; "" for an attribute without a value."""
        return {name: value or "" for name, value in self._node.attributes.items()}

    def __getitem__(self, name: str) -> str:
        """Return an attribute. Raises KeyError if there is none with that name."""
        return self.attrs[name]

    def get(self, name: str, default: str | None = None) -> str | None:
        """Return an attribute, or the default if there is none with that name."""
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
