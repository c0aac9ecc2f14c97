"""Draw the pictures that others show of a page: a board, whose move it is, and what is asked."""

from __future__ import annotations

from collections.abc import Iterable
from io import BytesIO
from typing import NamedTuple

from PIL import Image, ImageDraw, ImageFont

from engine.position import OTHER, Mark, O, Position, X

SIZE = (1200, 630)
FINER = 2  # all is drawn so many times as large, then made small, which smooths its edges
COLOURS = 64  # some 19 KB a picture; true colour makes it 60

PAPER, CARD, LINE, HAIR = "#F4EFE6", "#FFFDF9", "#8E8371", "#DDD4C4"
INK, MUTED, WHITE = "#1E1A15", "#62594C", "#FFFFFF"
COLOUR = {X: "#1B55B5", O: "#B83A0A"}

BOARD, UNIT = 66, 6.9  # pixels to the left and top edge; pixels to one of the 72 units of a board
TEXT, WIDTH = 636, 500  # pixels to the words, and the width they have


class Words(NamedTuple):
    """Hold the words of a picture: the large ones, begun by `mark` in its colour, and the small."""

    mark: Mark | None
    large: str
    small: str


def picture(position: Position, words: Words) -> bytes:
    """Return a PNG of 1200 x 630 pixels with a board and words beside."""
    image = Image.new("RGB", [FINER * side for side in SIZE], PAPER)
    pen = Pen(ImageDraw.Draw(image))
    _board(pen, position)
    _brand(pen)
    _large(pen, words)
    _face(pen, OTHER[position.turn])
    pen.lines(TEXT + 106, 526, [words.small], 26, MUTED, width=400)
    return _png(image)


class Pen(NamedTuple):
    """Draw in the pixels of the finished picture."""

    draw: ImageDraw.ImageDraw

    def line(self, at: tuple[float, ...], width: float, colour: str) -> None:
        """Draw a straight line with round ends."""
        a, b, c, d = at
        self.draw.line([FINER * n for n in at], colour, round(FINER * width))
        for x, y in ((a, b), (c, d)):
            self.disc(x, y, width / 2, colour)

    def disc(self, x: float, y: float, radius: float, colour: str) -> None:
        """Fill a circle."""
        self.draw.ellipse(_around(x, y, radius), colour)

    def mark(self, mark: Mark, x: float, y: float, arm: float, width: float, colour: str) -> None:
        """Draw an X or a ring: `arm` is half the width of an X, between the ends of its strokes."""
        if mark == X:
            self.line((x - arm, y - arm, x + arm, y + arm), width, colour)
            self.line((x - arm, y + arm, x + arm, y - arm), width, colour)
        else:
            radius = arm * 12 / 11 + width / 2
            self.draw.ellipse(_around(x, y, radius), None, colour, round(FINER * width))

    def lines(
        self, x: float, y: float, texts: Iterable[str], size: int, colour: str, width: float = 500
    ) -> tuple[float, float]:
        """Write texts, broken into lines of at most `width`, around the height `y`.

        Return where the first line begins.
        """
        lines = [line for text in texts for line in _broken(text, size, width)]
        top = y - 1.08 * size * (len(lines) - 1) / 2
        for row, line in enumerate(lines):
            self.text(x, top + 1.08 * size * row, line, size, colour)
        return x, top

    def text(self, x: float, y: float, text: str, size: int, colour: str) -> None:
        """Write a line around the height `y`, large letters thickened."""
        place = FINER * x, FINER * y
        bold = 0 if size < 30 else size / 36
        self.draw.text(place, text, colour, _font(size), "lm", stroke_width=FINER * bold)


def _around(x: float, y: float, radius: float) -> list[float]:
    return [FINER * n for n in (x - radius, y - radius, x + radius, y + radius)]


def _font(size: int) -> ImageFont.FreeTypeFont:
    font = ImageFont.load_default(FINER * size)
    assert isinstance(font, ImageFont.FreeTypeFont), "Pillow's wheels bring FreeType"
    return font


def _board(pen: Pen, position: Position) -> None:
    """Draw the card with its lines and marks; a full line is filled, its marks knocked out."""
    end = BOARD + 72 * UNIT
    wins = position.winning_squares()
    box = [FINER * n for n in (BOARD, BOARD, end, end)]
    pen.draw.rounded_rectangle(box, FINER * 9 * UNIT, CARD, HAIR, 2 * FINER)
    for square in wins:
        pen.draw.rounded_rectangle(
            [FINER * n for n in _tile(square)],
            FINER * 9 * UNIT,
            COLOUR[OTHER[position.turn]],
            corners=tuple(square == corner for corner in (0, 2, 8, 6)),  # type: ignore[arg-type]
        )
    for n in (24, 48):
        across = BOARD + n * UNIT
        for line in ((across, BOARD, across, end), (BOARD, across, end, across)):
            pen.draw.line([FINER * n for n in line], LINE, FINER * 6)
    for square in range(9):
        if mark := position.mark_at(square):
            left, top, right, bottom = _tile(square)
            middle = (left + right) / 2, (top + bottom) / 2
            colour = WHITE if square in wins else COLOUR[mark]
            pen.mark(mark, *middle, 5.5 * UNIT, 2.2 * UNIT, colour)


def _tile(square: int) -> tuple[float, float, float, float]:
    """Return the edges of a square: left, top, right, bottom."""
    left, top = (BOARD + 24 * UNIT * n for n in (square % 3, square // 3))
    return left, top, left + 24 * UNIT, top + 24 * UNIT


def _brand(pen: Pen) -> None:
    pen.mark(X, TEXT + 10, 82, 7.5, 5, COLOUR[X])
    pen.mark(O, TEXT + 31, 82, 7.5, 5, COLOUR[O])
    pen.text(TEXT + 51, 81, "Tic-tac-toe", 30, INK)


def _large(pen: Pen, words: Words) -> None:
    """Write the large words in the middle, their first letter in the colour of its mark."""
    before, colon, after = words.large.partition(": ")
    first = pen.lines(TEXT, 296, filter(None, (before + colon, after)), 72, INK)
    if words.mark:
        pen.text(*first, words.mark, 72, COLOUR[words.mark])


def _broken(text: str, size: int, width: float) -> list[str]:
    """Return the words of a text as lines of at most `width`."""
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".strip()
        fits = _font(size).getlength(longer) <= FINER * width
        lines[-1:] = [longer] if fits else [lines[-1], word]
    return lines


def _face(pen: Pen, mark: Mark) -> None:
    """Draw the face of Perfect, who plays `mark`."""
    pen.disc(TEXT + 42, 526, 42, COLOUR[mark])
    for x in (-12, 12):
        pen.disc(TEXT + 42 + x, 524, 6.4, WHITE)


def icon() -> bytes:
    """Return a PNG of 180 x 180 pixels with the two marks of the brand, as in `static/icon.svg`."""
    image = Image.new("RGB", (FINER * 180, FINER * 180), PAPER)
    pen = Pen(ImageDraw.Draw(image))
    pen.mark(X, 56, 56, 25, 18, "#2F7FD6")
    pen.mark(O, 121.5, 121.5, 25, 18, "#D9622B")
    return _png(image)


def _png(image: Image.Image) -> bytes:
    """Return the image at its own size, in few colours."""
    small = image.resize([side // FINER for side in image.size], Image.Resampling.LANCZOS)
    # The usual method takes colours for what is large, so the orange of a single ring turns brown.
    few = small.quantize(COLOURS, Image.Quantize.FASTOCTREE)
    out = BytesIO()
    few.save(out, "PNG", optimize=True)
    return out.getvalue()
