"""What light, lens, sensor and codec do to a picture."""

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.training.art import Image

Rng = np.random.Generator


def glare(rng: Rng, image: Image, owner: NDArray[np.int16]) -> None:
    """One spot of reflected light; what it burns out belongs to nobody any more."""
    size = image.shape[0]
    y, x = np.mgrid[0:size, 0:size].astype(np.float32)
    cx, cy = rng.uniform(0, size, 2)
    a, b = rng.uniform(size * 0.05, size * 0.28, 2)
    spot = np.exp(-(((x - cx) / a) ** 2 + ((y - cy) / b) ** 2)) * rng.uniform(0.5, 1.4)
    image[:] = np.clip(image + spot[..., None] * 255, 0, 255).astype(np.uint8)
    owner[spot > 0.8] = -1


def lit(rng: Rng, image: Image) -> NDArray[np.float32]:
    """Uneven light, white balance, exposure, gamma, haze: what stays the same from frame to frame; 0-1."""
    picture = image / 255 * _uneven(rng, image.shape[0])[..., None] * rng.uniform(0.87, 1.14, 3)
    exposed = np.clip(picture * rng.uniform(0.6, 1.3), 0, 1) ** rng.uniform(0.75, 1.3)
    return np.asarray(exposed * rng.uniform(0.75, 1) + rng.uniform(0, 0.1), np.float32)


def sensed(rng: Rng, picture: NDArray[np.float32]) -> Image:
    """Blur, noise and JPEG: what differs from frame to frame."""
    blurred = _blurred(rng, picture)
    noisy = blurred * 255 + rng.normal(0, 1, picture.shape).astype(np.float32) * rng.uniform(0, 8)
    return _coded(rng, np.clip(noisy, 0, 255).astype(np.uint8))


def _uneven(rng: Rng, size: int) -> NDArray[np.float32]:
    corners = rng.uniform(1 - rng.uniform(0, 0.4), 1, (2, 2)).astype(np.float32)
    return np.asarray(cv2.resize(corners, (size, size), interpolation=cv2.INTER_LINEAR), np.float32)


def _blurred(rng: Rng, picture: NDArray[np.float32]) -> NDArray[np.float32]:
    kind, size = rng.random(), picture.shape[0]
    if kind < 0.35:
        return np.asarray(cv2.GaussianBlur(picture, (0, 0), rng.uniform(0.3, 1.5)), np.float32)
    if kind < 0.5:
        return _moved(rng, picture)
    if kind < 0.75:
        small = int(size * rng.uniform(0.5, 0.95))
        picture = np.asarray(cv2.resize(picture, (small, small), interpolation=cv2.INTER_AREA), np.float32)
        return np.asarray(cv2.resize(picture, (size, size), interpolation=cv2.INTER_LINEAR), np.float32)
    return picture


def _moved(rng: Rng, picture: NDArray[np.float32]) -> NDArray[np.float32]:
    length = int(rng.integers(2, 7))
    kernel = np.zeros((length, length), np.float32)
    kernel[length // 2] = 1
    turn = cv2.getRotationMatrix2D(((length - 1) / 2, (length - 1) / 2), rng.uniform(0, 180), 1)
    kernel = np.asarray(cv2.warpAffine(kernel, turn, (length, length)), np.float32)
    return np.asarray(cv2.filter2D(picture, -1, kernel / max(kernel.sum(), 1e-3)), np.float32)


def _coded(rng: Rng, image: Image) -> Image:
    if rng.random() < 0.4 and rng.random() < 0.5:
        sharp = cv2.addWeighted(image, 1.7, cv2.GaussianBlur(image, (0, 0), 1.2), -0.7, 0)
        image = np.asarray(sharp, np.uint8)
    if rng.random() < 0.75:
        _, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(40, 96))])
        image = np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)
    return image
