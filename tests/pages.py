"""One address of each kind of page, by name: what every page must be is tested on all of them.

A room that adds a kind of page adds its address here.
"""

from __future__ import annotations

PAGES: dict[str, str] = {
    "game": "/",
    "study tree": "/study/-X---XOOX?view=tree",
    "study search": "/study/-X---XOOX?view=search",
    "learn": "/learn",
    "practise": "/practise/X---O---X",
    "proof": "/proof",
    "write": "/learn/write",
    "programs": "/learn/write/all",
    "refused": "/study/hello",
    "error": "/nowhere",
}

# Belongs to a session or to no page, so no cache may keep it.
UNKEPT = {"game", "refused", "error"}
