"""Style sheets, scripts and the other static files."""

from __future__ import annotations

import gzip
import json
import mimetypes
import re
from collections.abc import Callable
from pathlib import Path

import brotli
import pytest
from flask import Flask, url_for
from flask.testing import FlaskClient

from bench.rows import ROWS
from tests.conftest import parse
from tests.serving import ROOT
from web.http.files import SCRIPTS, SHEETS, read_files, serve_files

STATIC_FOLDER = ROOT / "static"
CSS_FOLDER = STATIC_FOLDER / "css"
MIME_TYPES = {
    "css": "text/css",
    "js": "text/javascript",
    "png": "image/png",
    "svg": "image/svg+xml",
    "webmanifest": "application/manifest+json",
}


def file_urls(client: FlaskClient) -> list[str]:
    """Return the addresses of the files that the game page loads."""
    tags = parse(client.get("/")).select("script, link")
    return [str(tag.get("src") or tag.get("href")) for tag in tags]


def without_version(url: str) -> str:
    return url.partition("?")[0]


def test_a_page_loads_only_files_of_the_site(client: FlaskClient) -> None:
    urls = file_urls(client)
    assert len(urls) == 6  # three of them, icons and manifest, do not delay the first paint
    for url in urls:
        assert url.startswith("/static/")
        assert client.get(url).status_code == 200


def test_files_have_their_type_whatever_the_system_says(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The Windows registry may say that scripts are text/plain, which nosniff would block."""
    mimetypes.init()  # otherwise, it would happen later and undo these changes
    for suffix in MIME_TYPES:
        monkeypatch.setitem(mimetypes.types_map, f".{suffix}", "text/plain")
    type_by_suffix = {
        without_version(url).rpartition(".")[2]: client.get(url).mimetype
        for url in file_urls(client)
    }
    assert type_by_suffix == MIME_TYPES


def test_browsers_keep_files_forever(client: FlaskClient) -> None:
    for url in file_urls(client):
        cache_control = client.get(url).headers["Cache-Control"]
        assert cache_control == "public, max-age=31536000, immutable"


def test_browsers_ask_again_for_a_file_without_its_current_version(client: FlaskClient) -> None:
    for url in file_urls(client):
        for query in ("", "?v", "?v=1", "?v=00000000"):
            response = client.get(without_version(url) + query)
            assert response.headers["Cache-Control"] == "public, max-age=0"
            assert response.headers["ETag"]


@pytest.mark.parametrize(
    ("accepted", "encoding", "decompress"),
    [
        ("gzip, deflate, br, zstd", "br", brotli.decompress),
        ("gzip", "gzip", gzip.decompress),
        ("br;q=0, gzip", "gzip", gzip.decompress),
        ("", None, bytes),
    ],
)
def test_scripts_are_sent_compressed_if_the_browser_accepts_that(
    client: FlaskClient, accepted: str, encoding: str | None, decompress: Callable[[bytes], bytes]
) -> None:
    response = client.get("/static/htmx.js", headers={"Accept-Encoding": accepted})
    assert response.headers.get("Content-Encoding") == encoding
    assert response.headers["Vary"] == "Accept-Encoding"
    assert decompress(response.data) == client.get("/static/htmx.js").data


def test_pictures_are_not_compressed(client: FlaskClient) -> None:
    """They are compressed already, and would get larger."""
    for accepted in ("gzip, deflate, br, zstd", "gzip"):
        response = client.get("/static/icon.png", headers={"Accept-Encoding": accepted})
        assert "Content-Encoding" not in response.headers


def test_a_style_sheet_has_its_components_in_order_and_minified(client: FlaskClient) -> None:
    sheet = client.get("/static/play.css").text
    parts = ["@layer reset,tokens", ":root{", ".head,.main{", ".board{", ".face{", ".muted{"]
    places = [sheet.index(part) for part in parts]
    assert places == sorted(places)
    assert "  " not in sheet
    assert "/*" not in sheet


@pytest.fixture
def static_folder(tmp_path: Path) -> Path:
    """A folder with all style sheets and scripts, which are empty."""
    (tmp_path / "css").mkdir()
    for parts in SHEETS.values():
        for part in parts.split():
            (tmp_path / "css" / f"{part}.css").touch()
    for scripts in SCRIPTS.values():
        for name in scripts:
            (tmp_path / name).touch()
    return tmp_path


def test_minifying_css_leaves_strings_unchanged(static_folder: Path) -> None:
    first, second = '"one, two: three; /* four */ { }"', "'one,  \"two\":  three'"
    rule = '.a { content: FIRST; /* why: " */ & .b :hover { content: SECOND } }'
    rule = rule.replace("FIRST", first).replace("SECOND", second)
    (static_folder / "css" / "base.css").write_text(rule)
    sheet = read_files(static_folder)["play.css"].decode()
    assert sheet == f".a{{content:{first};& .b :hover{{content:{second}}}}}"


def test_minifying_scripts_removes_comments_and_leaves_strings_unchanged(
    static_folder: Path,
) -> None:
    values = ['"see // there"', "'a /* b */'", "`c  // ${d}\n  e`", "/[/]\\/\\/ /"]
    (static_folder / "share.js").write_text(
        f"// Why.\nlet all = [\n  {', '.join(values)}  // so\n]\n"
    )
    script = read_files(static_folder)["share.js"].decode()
    assert all(value in script for value in values)
    assert "Why" not in script
    assert "so" not in script


def test_scripts_are_served_without_comments(client: FlaskClient) -> None:
    for name in ("board.js", "study.js"):
        assert "// " not in client.get(f"/static/{name}").text


def test_templates_know_no_lesson_screen_and_compare_no_large_number() -> None:
    """Up to two, a count is grammar. Larger numbers get a name in Python."""
    comparison = re.compile(r"(?:[<>]=?|[!=]=)\s*(\([^()]*\)|\d+)|\b(\d+)\s*(?:[<>]=?|[!=]=)\s")
    screen = re.compile(r"\b(?:n|to|screen)=\d|\bscreens? \d|\b\d+ (?:seconds|of \d)", re.I)
    faults = list[str]()
    for path in (ROOT / "templates").rglob("*.html"):
        text = path.read_text()
        faults += [f"{path.name}: {fault}" for fault in screen.findall(text)]
        for tag in re.findall(r"\{[{%].*?[%}]\}", text, re.S):
            operands = " ".join(operand for pair in comparison.findall(tag) for operand in pair)
            numbers = map(int, re.findall(r"\b\d+\b", operands))
            faults += [f"{path.name}: {number}" for number in numbers if number > 2]
    assert not faults


def test_every_css_component_is_in_a_style_sheet() -> None:
    names = {f"{name}.css" for names in SHEETS.values() for name in names.split()}
    assert names == {path.name for path in CSS_FOLDER.iterdir()}


def components() -> dict[str, str]:
    """Return the CSS of each component, without comments, by the component's name."""
    return {
        path.stem: re.sub(r"/\*.*?\*/", "", path.read_text(), flags=re.S)
        for path in CSS_FOLDER.iterdir()
    }


def test_css_lines_are_not_too_long() -> None:
    for name, css in components().items():
        assert max(map(len, css.splitlines())) <= 140, name


def test_css_has_no_rule_that_only_beats_another() -> None:
    for name, css in components().items():
        assert "!important" not in css, name
        has_id = re.search(r"^\s*[^:{}]*#[a-z][\w-]*[^;{}]*\{", css, re.M)
        assert not has_id, name
        has_doubled_class = re.search(r"(\.[\w-]+)\1(?![\w-])", css)
        assert not has_doubled_class, name


def test_only_the_design_tokens_name_colors() -> None:
    for name, css in components().items():
        has_color = re.search(r"#[0-9a-fA-F]{3,8}\b(?=[;,) ])", css)
        assert not has_color or name == "tokens", name


def media_queries() -> list[str]:
    """Return the media queries of all components."""
    return [query for css in components().values() for query in re.findall("@media ([^{]*)", css)]


def test_css_components_query_only_the_shape_of_the_window() -> None:
    """Every query for another window size once fixed that size and broke those between."""
    assert re.findall("@custom-media (--[a-z]+) ", components()["tokens"]) == ["--broad"]
    queries = " ".join(media_queries())
    assert not re.search("width|height|aspect", queries)
    assert {*re.findall(r"--\w+", queries)} == {"--broad"}


def test_css_components_have_few_media_queries() -> None:
    assert len(media_queries()) <= 40
    tree_components = {"tree", "search", "plant", "slider", "values"}
    other_css = " ".join(css for name, css in components().items() if name not in tree_components)
    assert len(re.findall("@media [^{]*--broad", other_css)) <= 12


def test_style_sheets_are_served_without_custom_media_queries() -> None:
    """Browsers do not know these yet, so the server replaces them."""
    files = read_files(STATIC_FOLDER)
    sheets = b"".join(files[name] for name in SHEETS)
    assert b"custom-media" not in sheets
    assert not re.search(rb"@media[^{]*--", sheets)


# The design tokens of font sizes and spaces, in the order of static/css/tokens.css.
SIZES = "note text large heading title huge giant".split()
RANKS = "rank-1 rank-2 sentence said".split()
SPACES = [f"s{number}" for number in range(1, 7)]
# Components whose font size depends on what contains them: a square, a tree, a line of code.
OWN_FONT_SIZES = {
    *("told", "tree", "search", "values", "story", "code"),
    *("face", "you", "end", "challenge", "worksheet"),
}


def test_fonts_and_spaces_use_the_design_tokens() -> None:
    declaration = re.compile(r"(?<![\w-])(?:font-size|line-height|letter-spacing|font): [^;}]*")
    tokens = "|".join((*SIZES, *RANKS, "lines", "tight", "close-set"))
    valid_declaration = re.compile(
        rf"(font-size|line-height|letter-spacing): (inherit|var\(--({tokens})\))"
        r"|font: (inherit|var\(--text\)/var\(--lines\) system-ui, sans-serif)"
    )
    for name, css in components().items():
        if name not in OWN_FONT_SIZES | {"tokens"}:
            for text in declaration.findall(css):
                assert valid_declaration.fullmatch(text.strip()), (name, text)


def test_the_design_tokens_are_in_order() -> None:
    tokens = re.findall(r"^    --([a-z0-9-]+): (?:clamp|calc)\(", components()["tokens"], re.M)
    for names in (SIZES, RANKS, SPACES):
        assert [token for token in tokens if token in names] == names


def test_style_sheets_and_scripts_are_small() -> None:
    byte_counts = {
        name: len(gzip.compress(file)) for name, file in read_files(STATIC_FOLDER).items()
    }
    assert byte_counts["play.css"] <= 6600
    assert byte_counts["board.js"] + byte_counts["share.js"] <= 2100
    assert byte_counts["board.js"] + byte_counts["study.js"] <= (ROWS["page.scripts"].limit or 0)


# Pairs of a text color and the background on which it appears, by the names of their tokens.
TEXT_ON_BACKGROUND = """ink bg, ink card, ink sunk, ink up, ink x-tint, ink o-tint, ink here-tint,
    bg ink, muted bg, muted card, muted sunk, x bg, x card, x x-tint, o bg, o card, o o-tint,
    on x, on o, here bg, here card, here here-tint, on here"""


def luminance(color: bytes) -> float:
    """Return the relative luminance of an RGB color, as WCAG 2 defines it."""
    red, green, blue = (linear_light(byte / 255) for byte in color)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def linear_light(component: float) -> float:
    """Return the intensity of a color component, which is given as sRGB encodes it, from 0 to 1."""
    return component / 12.92 if component <= 0.04045 else ((component + 0.055) / 1.055) ** 2.4


def blend(color: bytes, opacity: float, background: bytes) -> bytes:
    """Return the color of a layer with this opacity on a background."""
    pairs = zip(color, background, strict=True)
    return bytes(round(over * opacity + under * (1 - opacity)) for over, under in pairs)


def contrast(color: bytes, other: bytes) -> float:
    """Return the contrast of two colors, from 1 to 21."""
    low, high = sorted((luminance(color), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def test_the_theme_color_is_the_background_color(client: FlaskClient) -> None:
    background = re.search(r"--paper: light-dark\((#\w+), (#\w+)\)", components()["tokens"])
    assert background
    light, dark = background.groups()
    tags = parse(client.get("/")).select("[name=theme-color]")
    assert {str(tag["media"]): tag["content"] for tag in tags} == {
        "(prefers-color-scheme: light)": light,
        "(prefers-color-scheme: dark)": dark,
    }


@pytest.fixture(params=["light", "dark"])
def colors(request: pytest.FixtureRequest) -> dict[str, bytes]:
    """The colors of a theme as RGB, by the names of their tokens."""
    css = components()["tokens"]
    colors = dict[str, bytes]()
    for name, light, dark in re.findall(r"--([\w-]+): light-dark\(#(\w{6}), #(\w{6})\);", css):
        colors[name] = bytes.fromhex(light if request.param == "light" else dark)
    for name, other in re.findall(r"--([\w-]+): var\(--(paper[\w-]*)\);", css):
        colors[name] = colors[other]
    return colors


def test_texts_have_enough_contrast(colors: dict[str, bytes]) -> None:
    for pair in TEXT_ON_BACKGROUND.split(","):
        foreground, background = pair.split()
        assert contrast(colors[foreground], colors[background]) >= 4.5, pair


def test_lines_have_enough_contrast(colors: dict[str, bytes]) -> None:
    for background in ("card", "bg"):
        assert contrast(colors["line"], colors[background]) >= 3


def test_marks_have_enough_contrast(colors: dict[str, bytes]) -> None:
    card = colors["card"]
    for mark in ("x", "o"):
        assert contrast(colors[mark], card) >= 3  # on a winning square
        assert contrast(blend(colors[mark], 0.66, card), card) >= 3  # faded


def test_icons_are_where_browsers_expect_them(client: FlaskClient) -> None:
    assert client.get("/favicon.ico").data == client.get("/static/icon.png").data
    assert client.get("/apple-touch-icon.png").mimetype == "image/png"


def test_crawlers_may_fetch_every_page_but_not_index_games(client: FlaskClient) -> None:
    robots = client.get("/robots.txt")
    assert robots.mimetype == "text/plain"
    assert robots.text == "User-agent: *\nDisallow:\n", "previews of any link must be allowed"
    assert client.get("/study/04?at=1").headers["X-Robots-Tag"] == "noindex, nofollow"
    assert "X-Robots-Tag" not in client.get("/learn").headers


def test_the_manifest_starts_at_the_game_and_its_icons_exist(client: FlaskClient) -> None:
    manifest = json.loads(client.get("/static/manifest.webmanifest").text)
    assert manifest["start_url"] == "../"
    for icon in manifest["icons"]:
        assert client.get(f"/static/{icon['src']}").status_code == 200


def test_only_file_addresses_contain_a_version() -> None:
    app = Flask(__name__, root_path=str(ROOT), static_folder=None)
    serve_files(app)
    with app.test_request_context():
        for endpoint in ("a", "z"):  # before and after `static` in the alphabet
            app.add_url_rule(f"/{endpoint}", endpoint)
            assert url_for(endpoint) == f"/{endpoint}"
        assert "?v=" in url_for("static", name="play.css")
