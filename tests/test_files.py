"""Style sheets, scripts and the other static files."""

from __future__ import annotations

import gzip
import json
import mimetypes
import re
from pathlib import Path

import brotli
import pytest
from flask import Flask, url_for
from flask.testing import FlaskClient

from bench.rows import ROWS
from tests.conftest import parse
from web.http.files import SCRIPTS, SHEETS, read_files, serve_files

CSS = Path(__file__).parent.parent / "static" / "css"
TEMPLATES = Path(__file__).parent.parent / "templates"
MIME_TYPES = {
    "css": "text/css",
    "js": "text/javascript",
    "png": "image/png",
    "svg": "image/svg+xml",
    "webmanifest": "application/manifest+json",
}


def test_a_page_loads_only_own_files_which_are_cached_forever(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The Windows registry may say that scripts are text/plain, which nosniff would block."""
    mimetypes.init()  # otherwise it would happen later and undo these changes
    for suffix in MIME_TYPES:
        monkeypatch.setitem(mimetypes.types_map, f".{suffix}", "text/plain")
    soup = parse(client.get("/"))
    urls = [str(tag.get("src") or tag.get("href")) for tag in soup.select("script, link")]
    assert len(urls) == 6  # three of them, icons and manifest, do not delay the first paint
    files = [url.partition("?")[0] for url in urls]
    assert {file.rpartition(".")[2] for file in files} == MIME_TYPES.keys()
    for url, file in zip(urls, files, strict=True):
        assert url.startswith("/static/")
        response = client.get(url)
        assert response.status_code == 200
        assert response.mimetype == MIME_TYPES[file.rpartition(".")[2]]
        assert response.headers["Cache-Control"] == "public, max-age=31536000, immutable"
        for version in ("", "?v", "?v=1", "?v=00000000"):
            other = client.get(file + version)
            assert other.headers["Cache-Control"] == "public, max-age=0"
            assert other.headers["ETag"]


def test_files_are_sent_precompressed_if_the_browser_accepts_that(
    client: FlaskClient,
) -> None:
    for accepted, coding, unpack in (
        ("gzip, deflate, br, zstd", "br", brotli.decompress),
        ("gzip", "gzip", gzip.decompress),
        ("br;q=0, gzip", "gzip", gzip.decompress),
        ("", None, bytes),
    ):
        headers = {"Accept-Encoding": accepted}
        response = client.get("/static/htmx.js", headers=headers)
        assert response.headers.get("Content-Encoding") == coding
        assert response.headers["Vary"] == "Accept-Encoding"
        assert unpack(response.data) == client.get("/static/htmx.js").data
        picture = client.get("/static/icon.png", headers=headers)
        assert "Content-Encoding" not in picture.headers  # compressed, it would be larger


def test_a_style_sheet_is_its_components_in_order_minified(client: FlaskClient) -> None:
    sheet = client.get("/static/play.css").text
    parts = ["@layer reset,tokens", ":root{", ".head,.main{", ".board{", ".face{", ".muted{"]
    places = [sheet.index(part) for part in parts]
    assert places == sorted(places)
    assert "  " not in sheet
    assert "/*" not in sheet


def test_minifying_leaves_strings_unchanged(tmp_path: Path) -> None:
    (tmp_path / "css").mkdir()
    for parts in SHEETS.values():
        for part in parts.split():
            (tmp_path / "css" / f"{part}.css").touch()
    css = ['"one, two: three; /* four */ { }"', "'one,  \"two\":  three'"]
    rule = '.a { content: ONE; /* why: " */ & .b :hover { content: TWO } }'
    rule = rule.replace("ONE", css[0]).replace("TWO", css[1])
    (tmp_path / "css" / "base.css").write_text(rule)
    for scripts in SCRIPTS.values():
        for name in scripts:
            (tmp_path / name).touch()
    js = ['"see // there"', "'a /* b */'", "`c  // ${d}\n  e`", "/[/]\\/\\/ /"]
    (tmp_path / "share.js").write_text(f"// Why.\nlet all = [\n  {', '.join(js)}  // so\n]\n")
    files = read_files(tmp_path)
    sheet = files["play.css"].decode()
    assert sheet == f".a{{content:{css[0]};& .b :hover{{content:{css[1]}}}}}"
    script = files["share.js"].decode()
    assert all(text in script for text in js) and "Why" not in script and "so" not in script


def test_scripts_are_served_without_comments_or_indents(client: FlaskClient) -> None:
    for name in ("board.js", "study.js"):
        assert "// " not in client.get(f"/static/{name}").text


def test_templates_know_no_lesson_screen_and_compare_no_large_number() -> None:
    """Up to two, a count is grammar. Larger numbers get a name in Python."""
    compared = re.compile(r"(?:[<>]=?|[!=]=)\s*(\([^()]*\)|\d+)|\b(\d+)\s*(?:[<>]=?|[!=]=)\s")
    screen = re.compile(r"\b(?:n|to|screen)=\d|\bscreens? \d|\b\d+ (?:seconds|of \d)", re.I)
    faults = list[str]()
    for path in TEMPLATES.rglob("*.html"):
        text = path.read_text()
        tags = re.findall(r"\{[{%].*?[%}]\}", text, re.S)
        comparisons = [" ".join(pair) for tag in tags for pair in compared.findall(tag)]
        large = [
            pair for pair in comparisons if any(int(n) > 2 for n in re.findall(r"\b\d+\b", pair))
        ]
        faults += [f"{path.name}: {fault}" for fault in large + screen.findall(text)]
    assert not faults


def test_every_css_component_is_in_a_sheet_and_follows_the_design() -> None:
    parts = {f"{name}.css" for names in SHEETS.values() for name in names.split()}
    assert parts == {path.name for path in CSS.iterdir()}
    for path in CSS.iterdir():
        text = re.sub(r"/\*.*?\*/", "", path.read_text(), flags=re.S)
        assert max(map(len, text.splitlines())) <= 140, path
        assert "!important" not in text
        assert not re.search(r"^\s*[^:{}]*#[a-z][\w-]*[^;{}]*\{", text, re.M), path  # no ids
        has_doubled_class = re.search(r"(\.[\w-]+)\1(?![\w-])", text)  # for specificity
        assert not has_doubled_class, path
        if path.name != "tokens.css":
            has_color = re.search(r"#[0-9a-fA-F]{3,8}\b(?=[;,) ])", text)  # rather than a token
            assert not has_color, path


def test_css_components_query_only_the_shape_of_the_window() -> None:
    """Every query for another window size once fixed that size and broke those between."""
    sheets = {path.stem: path.read_text() for path in CSS.iterdir()}
    assert re.findall("@custom-media (--[a-z]+) ", sheets["tokens"]) == ["--broad"]
    media = [m for text in sheets.values() for m in re.findall("@media ([^{]*)", text)]
    assert not re.search("width|height|aspect", " ".join(media))
    assert {name for m in media for name in re.findall(r"--\w+", m)} == {"--broad"}
    trees = {"tree", "search", "plant", "slider", "values"}
    of_no_tree = " ".join(text for name, text in sheets.items() if name not in trees)
    assert len(re.findall("@media [^{]*--broad", of_no_tree)) <= 12
    assert len(media) <= 40
    files = read_files(CSS.parent)
    served = b"".join(files[name] for name in SHEETS)
    assert b"custom-media" not in served and not re.search(rb"@media[^{]*--", served)


SIZES = "note text large heading title huge giant".split()
RANKS = "rank-1 rank-2 sentence said".split()
SPACES = [f"s{number}" for number in range(1, 7)]
# Components whose font size depends on what contains them: a square, a tree, a line of code.
OWN_FONT_SIZES = {
    *("told", "tree", "search", "values", "story", "code"),
    *("face", "you", "end", "challenge", "worksheet"),
}


def test_fonts_and_spaces_use_the_design_tokens() -> None:
    sheets = {
        path.stem: re.sub(r"/\*.*?\*/", "", path.read_text(), flags=re.S) for path in CSS.iterdir()
    }
    named = re.findall(r"^    --([a-z0-9-]+): (?:clamp|calc)\(", sheets["tokens"], re.M)
    assert [name for name in named if name in SIZES] == SIZES
    assert [name for name in named if name in RANKS] == RANKS
    assert [name for name in named if name in SPACES] == SPACES
    known = "|".join((*SIZES, *RANKS, "lines", "tight", "close-set"))
    right = re.compile(
        rf"(font-size|line-height|letter-spacing): (inherit|var\(--({known})\))"
        r"|font: (inherit|var\(--text\)/var\(--lines\) system-ui, sans-serif)"
    )
    wrong = [
        f"{name}: {declaration}"
        for name, text in sheets.items()
        if name not in OWN_FONT_SIZES | {"tokens"}
        for declaration in re.findall(
            r"(?<![\w-])(?:font-size|line-height|letter-spacing|font): [^;}]*", text
        )
        if not right.fullmatch(declaration.strip())
    ]
    assert not wrong


def test_style_sheets_and_scripts_are_small() -> None:
    size = {name: len(gzip.compress(file)) for name, file in read_files(CSS.parent).items()}
    assert size["play.css"] <= 6600
    assert size["board.js"] + size["share.js"] <= 2100
    assert size["board.js"] + size["study.js"] <= (ROWS["page.scripts"].limit or 0)


TEXT_ON_GROUND = """ink bg, ink card, ink sunk, ink up, ink x-tint, ink o-tint, ink here-tint,
    bg ink, muted bg, muted card, muted sunk, x bg, x card, x x-tint, o bg, o card, o o-tint,
    on x, on o, here bg, here card, here here-tint, on here"""


def luminance(color: bytes) -> float:
    """Return the relative luminance of an RGB color, as WCAG 2 defines it."""
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
        for part in (byte / 255 for byte in color)
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def mixed(color: bytes, part: float, ground: bytes) -> bytes:
    """Return the color of a layer with the opacity `part` on a background."""
    pairs = zip(color, ground, strict=True)
    return bytes(round(over * part + under * (1 - part)) for over, under in pairs)


def contrast(color: bytes, other: bytes) -> float:
    low, high = sorted((luminance(color), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def test_the_theme_color_is_the_background_color(client: FlaskClient) -> None:
    ground = re.search(r"--paper: light-dark\((#\w+), (#\w+)\)", (CSS / "tokens.css").read_text())
    tags = parse(client.get("/")).select("[name=theme-color]")
    assert ground
    assert {str(tag["media"]): tag["content"] for tag in tags} == {
        f"(prefers-color-scheme: {theme})": color
        for theme, color in zip(("light", "dark"), ground.groups(), strict=True)
    }


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
def test_texts_lines_and_marks_have_enough_contrast(theme: int) -> None:
    text = (CSS / "tokens.css").read_text()
    tokens = re.findall(r"--([\w-]+): light-dark\(#(\w{6}), #(\w{6})\);", text)
    color = {name: bytes.fromhex(values[theme]) for name, *values in tokens}
    for name, other in re.findall(r"--([\w-]+): var\(--(paper[\w-]*)\);", text):
        color[name] = color[other]
    for pair in TEXT_ON_GROUND.split(","):
        foreground, background = pair.split()
        assert contrast(color[foreground], color[background]) >= 4.5, pair
    for ground in ("card", "bg"):
        assert contrast(color["line"], color[ground]) >= 3
    for mark in ("x", "o"):
        assert contrast(color[mark], color["card"]) >= 3  # on a winning square
        assert contrast(mixed(color[mark], 0.66, color["card"]), color["card"]) >= 3  # faded


def test_files_that_browsers_and_crawlers_expect_at_the_root_exist(client: FlaskClient) -> None:
    assert client.get("/favicon.ico").data == client.get("/static/icon.png").data
    assert client.get("/apple-touch-icon.png").mimetype == "image/png"
    robots = client.get("/robots.txt")
    assert robots.mimetype == "text/plain"
    assert robots.text == "User-agent: *\nDisallow:\n", "previews of any link must be allowed"
    assert client.get("/study/04?at=1").headers["X-Robots-Tag"] == "noindex, nofollow"
    assert "X-Robots-Tag" not in client.get("/learn").headers
    manifest = json.loads(client.get("/static/manifest.webmanifest").text)
    assert manifest["start_url"] == "../"
    assert all(
        client.get(f"/static/{icon['src']}").status_code == 200 for icon in manifest["icons"]
    )


def test_only_file_addresses_contain_a_version() -> None:
    app = Flask(__name__, root_path=str(Path(__file__).parent.parent), static_folder=None)
    serve_files(app)
    with app.test_request_context():
        for endpoint in ("a", "z"):  # for any endpoint
            app.add_url_rule(f"/{endpoint}", endpoint)
            assert url_for(endpoint) == f"/{endpoint}"
        assert "?v=" in url_for("static", name="play.css")
