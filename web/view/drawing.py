"""Draw the icon, and the pictures that other sites show for a page: a board and its question.

Boards full of one mark, and lines of text, are drawn once and kept. Pasting a picture together from
parts of these takes 4 ms; drawing it from scratch takes 90.
"""

from __future__ import annotations

from functools import cache
from io import BytesIO
from typing import NamedTuple

from PIL import Image, ImageDraw, ImageFont

from engine.position import OTHER, Mark, O, Position, X

SIZE = (1200, 630)
SCALE = 2  # everything is drawn at twice its size, then reduced, which smooths the edges

PAPER, CARD, LINE, HAIR = "#F4EFE6", "#FFFDF9", "#8E8371", "#DDD4C4"
INK, MUTED, WHITE = "#1E1A15", "#62594C", "#FFFFFF"
COLORS = {X: "#1B55B5", O: "#B83A0A"}

BLEND_COUNT = 3  # the colors in the palette for a smooth edge, between an ink and its ground
INKS_BY_GROUND = {
    PAPER: (INK, MUTED, HAIR, *COLORS.values()),
    CARD: (LINE, *COLORS.values()),
    WHITE: COLORS.values(),
}

BOARD_MARGIN = 66  # pixels to the left of the board, and above it
UNIT = 6.9  # pixels; a board is 72 units wide
PART_EDGES = (64, 232, 397, 565)  # pixels; where one square is cut from the next, in x and in y
FACE_BOX = (630, 480, 730, 572)  # the part of the picture with a face
TEXT_X = 636  # pixels to the left of the text
TEXT_WIDTH = 500  # pixels that a line may fill
TEXT_MIDDLE = 296  # the y, in pixels, that the large text is centered on
LARGE_FONT, SMALL_FONT = 72, 26  # sizes, in pixels
LINE_HEIGHT = 78  # pixels from one large line to the next
TEXT_PADDING = 4  # pixels left and right of a line, because its letters are thickened


class Caption(NamedTuple):
    """The text of a picture."""

    mark: Mark | None  # an X or O that begins the large text, and gets the color of its side
    large: str
    small: str


def draw_preview(position: Position, caption: Caption) -> bytes:
    """Return a PNG of 1200 x 630 pixels with a board and, beside it, its caption."""
    image = _full_board(None).copy()
    for square in range(9):
        if mark := position.mark_at(square):
            column, row = square % 3, square // 3
            box = (PART_EDGES[column], PART_EDGES[row], PART_EDGES[column + 1], PART_EDGES[row + 1])
            image.paste(_full_board(mark).crop(box), box)
    image.paste(_full_board(OTHER[position.turn]).crop(FACE_BOX), FACE_BOX)
    for line_image, corner in _text_lines(caption):
        image.paste(line_image, corner)
    return _as_png(image, 4)  # level 6 makes it 7% smaller, and takes a millisecond longer


@cache
def _full_board(mark: Mark | None) -> Image.Image:
    """Return a picture without its caption, whose board is full of one mark, or empty.

    Beside a full board is the face of Perfect, playing that mark.
    """
    pen = Pen.create(SIZE)
    _draw_board(pen, mark)
    pen.mark(X, TEXT_X + 10, 82, 7.5, 5, COLORS[X])
    pen.mark(O, TEXT_X + 31, 82, 7.5, 5, COLORS[O])
    pen.text(TEXT_X + 51, 81, "Tic-tac-toe", 30, INK)
    if mark:
        _draw_face(pen, mark)
    return _shrink(pen.image)


@cache
def _text_lines(caption: Caption) -> list[tuple[Image.Image, tuple[int, int]]]:
    """Return the lines of a caption as images, each with the place of its top left corner.

    What follows a colon starts a new line.
    """
    before, colon, after = caption.large.partition(": ")
    large_lines = [*_wrap(before + colon), *(_wrap(after) if after else [])]
    # The letters of a line are a ninth of their size above the middle of its image: see `_line`.
    top = TEXT_MIDDLE - LINE_HEIGHT // 2 * len(large_lines) + LARGE_FONT // 9
    images = []
    for row, text in enumerate(large_lines):
        image = _line(text, LARGE_FONT, INK, caption.mark if row == 0 else None)
        images.append((image, (TEXT_X - TEXT_PADDING, top + LINE_HEIGHT * row)))
    images.append((_line(caption.small, SMALL_FONT, MUTED), (TEXT_X + 102, 515)))
    return images


@cache
def _line(text: str, size: int, color: str, first_mark: Mark | None = None) -> Image.Image:
    """Return a line of text as an image; its first letter, if it is `first_mark`, in that color.

    The image is as high as the distance between lines. The text is a ninth of its size above the
    middle, so that the image of the next line does not cover its descenders.
    """
    height = LINE_HEIGHT * size // LARGE_FONT
    y = height / 2 - size / 9
    pen = Pen.create((round(_font(size).getlength(text) / SCALE) + 2 * TEXT_PADDING, height))
    pen.text(TEXT_PADDING, y, text, size, color)
    if first_mark:
        pen.text(TEXT_PADDING, y, first_mark, size, COLORS[first_mark])
    return _shrink(pen.image)


def _shrink(image: Image.Image) -> Image.Image:
    """Return an image reduced to its final size and to the colors of all pictures."""
    return image.reduce(SCALE).quantize(palette=_palette(), dither=Image.Dither.NONE)


@cache
def _palette() -> Image.Image:
    """Return an image whose palette has the colors of all pictures and of smooth edges."""
    colors = [_pixel(color).tobytes() for color in (WHITE, CARD, PAPER)]
    for ground, inks in INKS_BY_GROUND.items():
        for ink in inks:
            for step in range(1, BLEND_COUNT + 2):  # the last step is the ink itself
                blend = Image.blend(_pixel(ground), _pixel(ink), step / (BLEND_COUNT + 1))
                colors.append(blend.tobytes())
    palette = Image.new("P", (1, 1))
    palette.putpalette(b"".join(dict.fromkeys(colors)))
    return palette


def _pixel(color: str) -> Image.Image:
    return Image.new("RGB", (1, 1), color)


class Pen(NamedTuple):
    """A pen for an image at `SCALE`; its coordinates are pixels of the finished picture."""

    draw: ImageDraw.ImageDraw
    image: Image.Image

    @classmethod
    def create(cls, size: tuple[int, int]) -> Pen:
        """Return a pen for a new image."""
        image = Image.new("RGB", [SCALE * side for side in size], PAPER)
        return cls(ImageDraw.Draw(image), image)

    def line(self, ends: tuple[float, ...], width: float, color: str) -> None:
        """Draw a straight line with round ends; `ends` has the x and y of one, then the other."""
        x1, y1, x2, y2 = ends
        self.draw.line([SCALE * n for n in ends], color, round(SCALE * width))
        for x, y in ((x1, y1), (x2, y2)):
            self.disc(x, y, width / 2, color)

    def disc(self, x: float, y: float, radius: float, color: str) -> None:
        """Fill a circle."""
        self.draw.ellipse(_around(x, y, radius), color)

    def mark(self, mark: Mark, x: float, y: float, arm: float, width: float, color: str) -> None:
        """Draw an X or an O; `arm` is half the width of an X, between the ends of its strokes."""
        if mark == X:
            self.line((x - arm, y - arm, x + arm, y + arm), width, color)
            self.line((x - arm, y + arm, x + arm, y - arm), width, color)
        else:
            radius = arm * 12 / 11 + width / 2
            self.draw.ellipse(_around(x, y, radius), None, color, round(SCALE * width))

    def text(self, x: float, y: float, text: str, size: int, color: str) -> None:
        """Write a line of text with its middle at `y`; large letters are thickened."""
        anchor = SCALE * x, SCALE * y
        bold = 0 if size < 30 else size / 36
        self.draw.text(anchor, text, color, _font(size), "lm", stroke_width=SCALE * bold)


def _around(x: float, y: float, radius: float) -> list[float]:
    return [SCALE * n for n in (x - radius, y - radius, x + radius, y + radius)]


def _font(size: int) -> ImageFont.FreeTypeFont:
    font = ImageFont.load_default(SCALE * size)
    assert isinstance(font, ImageFont.FreeTypeFont), "Pillow must have FreeType, as its wheels do"
    return font


def _wrap(text: str) -> list[str]:
    """Return a text broken into lines that fit in large letters."""
    lines = [""]
    for word in text.split():
        longer_line = f"{lines[-1]} {word}".strip()
        if _font(LARGE_FONT).getlength(longer_line) <= SCALE * TEXT_WIDTH:
            lines[-1] = longer_line
        else:
            lines.append(word)
    return lines


def _draw_board(pen: Pen, mark: Mark | None) -> None:
    """Draw the board, with the same mark on every square, or empty."""
    start, end = BOARD_MARGIN, BOARD_MARGIN + 72 * UNIT
    box = [SCALE * n for n in (start, start, end, end)]
    pen.draw.rounded_rectangle(box, SCALE * 9 * UNIT, CARD, HAIR, 2 * SCALE)
    for middle in (start + 24 * UNIT, start + 48 * UNIT):  # between two columns or rows
        for line in ((middle, start, middle, end), (start, middle, end, middle)):
            pen.draw.line([SCALE * n for n in line], LINE, SCALE * 6)
    if mark:
        centers = [start + UNIT * (12 + 24 * index) for index in range(3)]
        for square in range(9):
            x, y = centers[square % 3], centers[square // 3]
            pen.mark(mark, x, y, 5.5 * UNIT, 2.2 * UNIT, COLORS[mark])


def _draw_face(pen: Pen, mark: Mark) -> None:
    """Draw the face of Perfect, playing `mark`."""
    pen.disc(TEXT_X + 42, 526, 42, COLORS[mark])
    for x in (-12, 12):
        pen.disc(TEXT_X + 42 + x, 524, 6.4, WHITE)


def draw_icon() -> bytes:
    """Return the icon, as in `static/icon.svg`, as a PNG of 180 x 180 pixels."""
    pen = Pen.create((180, 180))
    pen.mark(X, 56, 56, 25, 18, "#2F7FD6")
    pen.mark(O, 121.5, 121.5, 25, 18, "#D9622B")
    small = pen.image.resize((180, 180), Image.Resampling.LANCZOS)
    return _as_png(small.quantize(64, Image.Quantize.FASTOCTREE), 9)


def _as_png(image: Image.Image, compress_level: int) -> bytes:
    buffer = BytesIO()
    image.save(buffer, "PNG", compress_level=compress_level)
    return buffer.getvalue()
