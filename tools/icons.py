"""Draw the icon that phones show for the site.

Run it in the root of the checkout after a change to the icon: `python -m tools.icons`.
"""

from __future__ import annotations

from pathlib import Path

from web.view.drawing import draw_icon

if __name__ == "__main__":
    (Path(__file__).parents[1] / "static" / "icon.png").write_bytes(draw_icon())
