"""Draw the icon that phones show for the site.

After a change to the icon, run `python -m tools.icons` in the root of the checkout.
"""

from __future__ import annotations

from pathlib import Path

from web.view.drawing import draw_icon

if __name__ == "__main__":
    (Path(__file__).parents[1] / "static" / "icon.png").write_bytes(draw_icon())
