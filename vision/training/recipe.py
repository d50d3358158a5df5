"""How the detector is trained; kept apart from torch so that its promises can be tested without it."""

from typing import Any

ARCHITECTURE = "yolo11n-pose.yaml"
RECIPE: dict[str, Any] = {
    "imgsz": 320,
    "batch": 16,
    "optimizer": "AdamW",
    "lr0": 0.002,
    "lrf": 0.02,
    "cos_lr": True,
    "warmup_epochs": 0.5,
    "mosaic": 0.0,
    # Mirrored or flipped indices do not exist; they would teach that 6 and 9 are alike.
    "fliplr": 0.0,
    "flipud": 0.0,
    "degrees": 0.0,
    "scale": 0.25,
    "translate": 0.08,
    "hsv_h": 0.02,
    "hsv_s": 0.5,
    "hsv_v": 0.35,
    "pose": 10.0,
    "workers": 1,
    "device": "cpu",
    "amp": False,
    "plots": False,
    "val": False,
    "save_period": 1,
    "exist_ok": True,
}
