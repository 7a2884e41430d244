"""One SVG drawing of any position of any game, made from its geometry and its pieces alone."""

from quinconce.draw.picture import Picture, PictureOptions, picture, picture_of
from quinconce.draw.svg import THEMES, stylesheet

__all__ = ["THEMES", "Picture", "PictureOptions", "picture", "picture_of", "stylesheet"]
