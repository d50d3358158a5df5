"""The recogniser: are its weights the ones described, and does it read a picture whose cards are known?"""

import json
from collections import Counter
from importlib.resources import files
from pathlib import Path

from table_controller.doctor.finding import Finding, green, red
from vision import picture, reader, weights

PICTURE = Path(str(files("vision"))) / "selftest"


def recogniser(places: tuple[Path, ...] = weights.PLACES, shown: Path = PICTURE) -> Finding:
    """Weights by digest, then one reading of the built-in picture."""
    try:
        manifest = weights.find(places)
        seen = reader.shipped(manifest).read(picture.load(shown / "table.jpg"))
        known = Counter(json.loads((shown / "table.json").read_text("utf-8")))
    except (weights.WeightsMissing, picture.UnreadablePicture, OSError) as error:
        return red("eyes", "eyes_unusable", why=error)
    read = Counter(str(found.card) for found in seen.cards)
    if read - known or not read:
        return red("eyes", "eyes_wrong", read=" ".join(sorted(read.elements())) or "-")
    return green("eyes", "eyes_read", cards=read.total(), known=known.total(), mark=manifest.fingerprint[:16])
