"""One address of each kind of page, by name: what every page must be is tested on all of them.

A room that adds a kind of page adds its address here.
"""

from __future__ import annotations

PAGES: dict[str, str] = {
    "game": "/",
    "study moves": "/study/42170835?you=X&difficulty=perfect",
    "study question": "/study/01?you=O&answer=8",
    "study squares": "/study/42170835?you=X&at=4&view=squares",
    "study line": "/study/15?at=2&view=squares&line=6",
    "study set up": "/study?set=O-X------",
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
