"""Draw the pictures that others show of the site: a phone its icon, a shared link its board.

Run from the checkout's root, after a change of the look: `python tools/icons.py`.
"""

from __future__ import annotations

import sys
from pathlib import Path

from playwright.sync_api import sync_playwright

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))

from app import create_app  # noqa: E402
from tools.browsers import launch_options  # noqa: E402
from web.site.files import read_files  # noqa: E402

MORE = """
body { display: grid; grid: 100vh / 570px 1fr; align-items: center; padding: 0 60px; gap: 60px; }
.mini { width: 500px; }
p { font-size: 64px; font-weight: 750; line-height: 1.12; letter-spacing: -.03em; }
p + p { margin-top: 32px; font-size: 34px; font-weight: 400; letter-spacing: 0; }
"""
ICON = '<svg viewBox="-4 -4 40 40" width="180" style="background:#F4EFE6">{}</svg>'
SHARED = (
    "<div>{}</div><div><p>I have never lost. Hold me to a draw, if you can.</p>"
    "<p>Tic-tac-toe, and why.</p></div>"
)


def main() -> None:
    app = create_app({"SECRET_KEY": "for pictures only" * 4})
    static = read_files(ROOT / "static")
    with app.app_context():
        boards = app.jinja_env.get_template("site/_boards.html").module
        board = boards.mini("OX-XXOX-O", **{"class": "large"})  # type: ignore[attr-defined]
    icon = static["icon.svg"].decode().partition(">")[2].removesuffix("</svg>\n")
    pages = {
        "icon.png": (180, 180, ICON.format(f'<g fill="none" stroke-width="4">{icon}</g>')),
        "share.png": (1200, 630, SHARED.format(board)),
    }
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(**launch_options())
        for name, (width, height, body) in pages.items():
            page = browser.new_page(viewport={"width": width, "height": height})
            style = static["play.css"].decode() + (MORE if width > height else "body { margin: 0 }")
            page.set_content(f"<!doctype html><style>{style}</style>{body}")
            page.screenshot(path=ROOT / "static" / name)
        browser.close()


if __name__ == "__main__":
    main()
