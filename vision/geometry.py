"""Quads in pixels: float32 (4, 2), in reading order upper left, upper right, lower right, lower left."""

import cv2
import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]
Quad = NDArray[np.float32]

CROP_WIDTH, CROP_HEIGHT = 48, 64
CROP_MARGIN = 1.35


def box_quad(x0: float, y0: float, x1: float, y1: float) -> Quad:
    return np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]], np.float32)


def grown(quad: Quad, factor: float) -> Quad:
    """The quad scaled about its centre."""
    centre = quad.mean(axis=0)
    return np.asarray(centre + (quad - centre) * factor, np.float32)


def bounds(quad: Quad) -> tuple[float, float, float, float]:
    """Axis-aligned x, y, width, height."""
    low, high = quad.min(axis=0), quad.max(axis=0)
    return float(low[0]), float(low[1]), float(high[0] - low[0]), float(high[1] - low[1])


def sides(quad: Quad) -> tuple[float, float]:
    """Mean width and height along the reading direction, pixels."""
    top, bottom = quad[1] - quad[0], quad[2] - quad[3]
    left, right = quad[3] - quad[0], quad[2] - quad[1]
    return float(np.hypot(*((top + bottom) / 2))), float(np.hypot(*((left + right) / 2)))


def overlap(one: Quad, other: Quad) -> float:
    """Intersection over union of the axis-aligned bounds."""
    ax, ay, aw, ah = bounds(one)
    bx, by, bw, bh = bounds(other)
    width = min(ax + aw, bx + bw) - max(ax, bx)
    height = min(ay + ah, by + bh) - max(ay, by)
    if width <= 0 or height <= 0:
        return 0.0
    return width * height / (aw * ah + bw * bh - width * height)


def rectify(image: Image, quad: Quad, margin: float = CROP_MARGIN) -> Image:
    """The index and a rim of paper, upright, uint8 (64, 48, 3); large ones are shrunk first so that nothing aliases."""
    quad = grown(quad, margin)
    shrink = max(1.0, sides(quad)[1] / CROP_HEIGHT)
    if shrink > 1.25:
        image, quad = _shrunk(image, quad, shrink)
    target = box_quad(0, 0, CROP_WIDTH, CROP_HEIGHT)
    transform = cv2.getPerspectiveTransform(quad, target)
    size = (CROP_WIDTH, CROP_HEIGHT)
    return np.asarray(cv2.warpPerspective(image, transform, size, borderMode=cv2.BORDER_REPLICATE), np.uint8)


def _shrunk(image: Image, quad: Quad, factor: float) -> tuple[Image, Quad]:
    x, y, width, height = bounds(quad)
    x0, y0 = max(0, int(x) - 2), max(0, int(y) - 2)
    patch = image[y0 : int(y + height) + 3, x0 : int(x + width) + 3]
    if patch.size == 0:
        return image, quad
    size = (max(1, round(patch.shape[1] / factor)), max(1, round(patch.shape[0] / factor)))
    small = np.asarray(cv2.resize(patch, size, interpolation=cv2.INTER_AREA), np.uint8)
    ratio = np.array([size[0] / patch.shape[1], size[1] / patch.shape[0]], np.float32)
    return small, np.asarray((quad - np.array([x0, y0], np.float32)) * ratio, np.float32)
