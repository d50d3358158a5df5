"""A whole picture read: at several scales when nothing is known about it, at one when the table is calibrated."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import islice

from table_controller.core.cards import Card
from vision.cardsheet import IndexReading, SheetCard, assemble, covers, holds, own_of
from vision.classifier import SILENT, Classifier, Correction, OnnxClassifier, pooled
from vision.detector import Detector, Kind, Mark, OnnxDetector, distinct
from vision.geometry import Image, Quad, grown, overlap, rectify, sides
from vision.pips import counted, weighed
from vision.weights import Manifest

# Long sides, in pixels, at which a picture of unknown scale is searched.
LONG_SIDES = (448, 640, 960, 1440, 1920)
MOST_ENLARGED = 1.8
LOOKS = (1.0, 1.1)
SAME_PLACE = 0.35
# Rank plus suit in pixels of the picture; smaller ones may be found, but are never let through: calibration refuses a
# table below 18, an index may be found a little too low, and in smaller print one reading in twenty-five was wrong.
LEAST_INDEX_HEIGHT = 17.0
# Of the height of the tallest sure index of a table: anything smaller is a picture of a card, on a back or on the felt.
LEAST_SHARE = 0.55
SURE_SIZE = 0.9


@dataclass(frozen=True)
class ReadCard:
    """A card the table may act on."""

    card: Card
    confidence: float
    indices: tuple[Quad, ...]
    quad: Quad | None


@dataclass(frozen=True)
class Reading:
    """Everything seen in one picture, in its pixels."""

    cards: tuple[ReadCard, ...]
    unreadable: tuple[Quad, ...]
    face_down: tuple[Quad, ...]
    # Cards seen whole, face up, whether they could be named or not.
    outlines: tuple[Quad, ...] = ()


class Reader:
    """Detector, classifier and the threshold below which nothing is let through."""

    def __init__(self, detector: Detector, classifier: Classifier, threshold: float) -> None:
        self.detector, self.classifier, self.threshold = detector, classifier, threshold

    def read(self, image: Image, scales: Sequence[float] = ()) -> Reading:
        """All cards of the picture; without `scales` the scale is searched for."""
        entries, backs, outlines = self._seen(image, scales)
        return replace(sorted_out(entries, backs, self.threshold), outlines=tuple(outlines))

    def sheet(self, image: Image, scales: Sequence[float] = ()) -> list[ReadCard]:
        """Every card with a name, however doubtful; the time rule holds them to the threshold."""
        entries, _, _ = self._seen(image, scales)
        return list(sorted_out(entries, (), 0.0).cards)

    def _seen(self, image: Image, scales: Sequence[float]) -> tuple[list[SheetCard], list[Quad], list[Quad]]:
        marks = [mark for scale in scales or search_scales(image) for mark in self.detector.find(image, scale)]
        readings = [index for index in self.indices(image, marks) if index.worth_asking]
        if scales:
            readings = of_one_print(readings)
        sure = [index for index in readings if index.opinion.confidence >= self.threshold]
        # Backs may have cards printed on them, but never an index in a corner: that is a face taken for a back.
        backs = [back for back in certain(marks, Kind.BACK) if not any(holds(back, index) for index in sure)]
        readings = [index for index in readings if not any(covers(back, index.quad) for back in backs)]
        outlines = certain(marks, Kind.CARD)
        return assemble(witnessed(image, readings, outlines), outlines), backs, outlines

    def indices(self, image: Image, marks: Sequence[Mark]) -> list[IndexReading]:
        """Every place where an index was found, with the pooled opinion of all looks at it."""
        places = gathered([mark for mark in marks if mark.kind is Kind.INDEX])
        views = [[grown(mark.quad, look) for mark in place for look in LOOKS] for place in places]
        crops = [rectify(image, quad) for quads in views for quad in quads]
        opinions = iter(self.classifier.name(crops) if crops else [])
        pooled_views = [pooled(list(islice(opinions, len(quads)))) for quads in views]
        return [
            IndexReading(place[0].quad, opinion, place[0].score)
            for place, opinion in zip(places, pooled_views, strict=True)
        ]


def of_one_print(readings: Sequence[IndexReading]) -> list[IndexReading]:
    """The readings, those much smaller than the tallest sure one without a name: a deck prints its indices alike.

    Only where all cards are seen at one scale, as at a calibrated table.
    """
    tallest = max((sides(each.quad)[1] for each in readings if each.opinion.confidence >= SURE_SIZE), default=0.0)
    least = LEAST_SHARE * tallest
    return [each if sides(each.quad)[1] >= least else replace(each, opinion=SILENT) for each in readings]


def witnessed(image: Image, readings: Sequence[IndexReading], outlines: Sequence[Quad]) -> list[IndexReading]:
    """The readings, those of cards seen whole weighed with the pips in the middle of the card."""
    heard = list(readings)
    for outline in outlines:
        own = own_of(outline, heard)
        rank = counted(image, outline) if own else None
        heard = [weighing(reading, rank) if any(reading is each for each in own) else reading for reading in heard]
    return heard


def weighing(reading: IndexReading, rank: int | None) -> IndexReading:
    """The reading as it is after its card's pips were counted."""
    return replace(reading, opinion=weighed(reading.opinion, rank))


def certain(marks: Sequence[Mark], kind: Kind) -> list[Quad]:
    """Quads of one kind that the detector is sure of, each thing once."""
    return [mark.quad for mark in distinct([mark for mark in marks if mark.kind is kind and mark.score > 0.5])]


def search_scales(image: Image) -> list[float]:
    longest = max(image.shape[:2])
    return [side / longest for side in LONG_SIDES if side / longest <= MOST_ENLARGED] or [MOST_ENLARGED]


def gathered(marks: Sequence[Mark]) -> list[list[Mark]]:
    """Marks of one place found at several scales, the best first."""
    places: list[list[Mark]] = []
    for mark in sorted(marks, key=lambda mark: -mark.score):
        home = next((place for place in places if overlap(place[0].quad, mark.quad) > SAME_PLACE), None)
        if home is None:
            places.append([mark])
        else:
            home.append(mark)
    return places


def sorted_out(sheet: Sequence[SheetCard], backs: Sequence[Quad], threshold: float) -> Reading:
    """Cards above the threshold, the rest as places a person should look at."""
    good: list[ReadCard] = []
    doubtful: list[Quad] = []
    for entry in sheet:
        quads = tuple(reading.quad for reading in entry.indices)
        tall_enough = max(sides(quad)[1] for quad in quads) >= LEAST_INDEX_HEIGHT
        if entry.card is not None and entry.confidence >= threshold and tall_enough:
            good.append(ReadCard(entry.card, entry.confidence, quads, entry.quad))
        else:
            doubtful.extend(quads)
    return Reading(tuple(good), tuple(doubtful), tuple(backs))


def shipped(manifest: Manifest, corrections: Sequence[Correction] = ()) -> Reader:
    """The reader with the weights of the package, corrected for a house's deck if asked."""
    classifier = OnnxClassifier(manifest.classifiers, manifest.temperature, corrections)
    return Reader(OnnxDetector(manifest.detector), classifier, manifest.threshold)
