"""One address of each kind of page, by name, for the tests that run on every page.

When you add a kind of page, add its address here.
"""

from __future__ import annotations

from datetime import UTC, datetime

NOW = datetime(2026, 11, 28, 18, 40, tzinfo=UTC)  # the current time in the tests
DAY = NOW.date()

PAGES: dict[str, str] = {
    "game": "/",
    "study moves": "/study/42170835",
    "study question": "/study/01?answer=8",
    "study squares": "/study/42170835?at=4&view=squares",
    "study line": "/study/15?at=2&view=squares&line=6",
    "study set up": "/study?set=O-X------",
    "study end": "/study/OX--X-OOX?view=search&step=last&path=5",
    "study cut off": "/study/---------?view=search&algorithm=alpha-beta&step=20",
    "study numbers": "/study/((3,12,8),(2,4,6),(14,5,2))?view=search&algorithm=alpha-beta&step=13",
    "study projector": "/study/((3,12,8),(2,4,6),(14,5,2))?view=search&big=on",
    "study numbers set up": "/study/tree?values=3+12,+/+2+4+6",
    "study search": "/study/-X---XOOX?view=search",
    "study settings": "/study/-X---XOOX?view=search&algorithm=alpha-beta&order=best&step=9",
    "learn": "/learn",
    "lesson board": "/learn/2?seen=2&p=5",
    "lesson strip": "/learn/7?p=4",
    "lesson tree": "/learn/4?p=23&p=35",
    "lesson dial": "/learn/12?p=1&p=-5",
    "lesson family": "/learn/9?seen=8&at=8",
    "lesson code": "/learn/10?p=4&p=7&p=3&p=8&at=python",
    "lesson bet": "/learn/11?p=50",
    "lesson counts": "/learn/13?p=2&p=3",
    "words": "/learn/words",
    "teachers": "/learn/teach",
    "sheet": "/learn/sheet?seed=1&count=3",
    "sheet key": "/learn/sheet?round=1&kind=values&key=on",
    "check": "/learn/check",
    "practise": "/practise",
    "practise moves": "/practise/moves/X---O---X?p=2",
    "practise values": "/practise/values/OX--X-OOX?p=0x",
    "practise cuts": "/practise/cuts?tree=((3,5),(2,7))&p=uuu",
    "practised": "/practise/moves?round=1&done=ff0ffff0ff",
    "challenge": "/challenge/04?was=lost",
    "challenge held": "/challenge/14?was=held&nine=279",
    "today": "/today",
    "proof": "/proof",
    "write": "/learn/write",
    "write loss": "/learn/write?l4=2&l5=1&l7=1&l8=1&run=loss&look=on",
    "write verdict": "/learn/write?l4=1&run=on",
    "write play": "/learn/write/play?level=1&l4=1&moves=4",
    "learn end": "/learn/end",
    "refused": "/study/hello",
    "error": "/nowhere",
}

# Pages that share their template with another page in PAGES. Browsers visit these only in
# `make soak`.
SAME_TEMPLATE = {
    "sheet key",
    "game",
    "study moves",
    "lesson tree",
    "practise values",
    "study line",
    "study end",
    "study cut off",
    "study numbers",
    "study projector",
    "study settings",
    "lesson board",
    "lesson strip",
    "lesson dial",
    "lesson family",
    "lesson code",
    "lesson bet",
    "lesson counts",
    "refused",
}

# The largest tree of each kind of search, halfway through.
LARGEST = {
    "65 boards to the ends": "/study/XO---X-XO?view=search&algorithm=alpha-beta&step=30",
    "81 boards cut off": "/study/XO---O--X?view=search&depth=5&algorithm=alpha-beta&step=42",
    "59 nodes of numbers": "/study/(((41,10),(-33,(-1,97,-1,3),(3,-5,3,1,3),-69)),((2,(33,-1,-2)),"
    "((70),-68,65,-50,(4)),74,((0,9,-88,-1),(3,-71),(97,56,3),(-2,-55),(-4,76)),((64,20,0))))"
    "?view=search&algorithm=alpha-beta&step=77",
}

# Pages that no cache may keep, because they depend on the session or are errors.
NOT_CACHED = {"game", "challenge", "challenge held", "today", "learn", "refused", "error"}

# Addresses with parameters that no other address here has; some of them are refused.
WITH_QUERIES = (
    "/challenge",
    "/why",
    "/study/tree?seed=1",
    "/study/random?seed=1",
    "/study?set=---------&pen=O",
    "/study/OX--X-OOX?view=search&lesson=10&question=moves",
    "/practise/cuts?seed=1",
    "/practise/cuts?round=1&done=ffffffffff",
    "/learn/sheet?tree=1+2&top=min",
    "/learn/sheet?seed=1&levels=3&branches=2",
)
