"""Write each kind of page as the app renders it into the folder given, for a linter to read."""

from __future__ import annotations

import sys
from pathlib import Path

from app import create_app

PAGES = {
    "game": "/",
    "over": "/?notice=over",
    "error": "/nowhere",
    "why": "/why/04?you=X",
    "review": "/review/048137?you=X&at=4&answer=2",
    "position": "/position/X---O----",
    "tree": "/tree/X---O----",
    "tree-cut": "/tree/X--------?view=alpha-beta&path=5",
    "proof": "/proof",
}


def main(folder: Path) -> None:
    folder.mkdir(exist_ok=True)
    client = create_app({"SECRET_KEY": "for this run only"}).test_client()
    for name, path in PAGES.items():
        if name == "over":
            with client.session_transaction() as session:
                session["game"] = "perfect X shown 0 0 0 0 0 0 0 03142"
        page = client.get(path)
        assert page.status_code == (404 if name == "error" else 200), page.status
        (folder / f"{name}.html").write_text(page.text, encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
