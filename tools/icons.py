"""Draw the icon of the site that phones show.

Run from the checkout's root, after a change of the look: `python -m tools.icons`.
"""

from __future__ import annotations

from pathlib import Path

from web.view.drawing import draw_icon

if __name__ == "__main__":
    (Path(__file__).parents[1] / "static" / "icon.png").write_bytes(draw_icon())
