"""What the recogniser is taught is the truth: labels and crops of rendered tables."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.vision.drawn import INDEX_BOX, deck, face
from tests.vision.processes import eventually
from vision.geometry import box_quad, rectify, sides
from vision.training import bank, course, scene, tiles
from vision.training.art import FACE_HEIGHT, FACE_WIDTH
from vision.training.corners import index_boxes
from vision.training.decks import FOREIGN, Cupboard
from vision.training.recipe import RECIPE

PLAN = scene.Plan(320, (120.0, 200.0), [])
DRAWN = deck()
CUPBOARD = Cupboard([DRAWN], [], [], [])


def scenes(count: int) -> Iterator[scene.Scene]:
    for number in range(count):
        yield scene.compose(np.random.default_rng([6, number]), PLAN, CUPBOARD)


def likeness(one: np.ndarray, other: np.ndarray) -> float:
    grey = [cv2.GaussianBlur(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), (0, 0), 1.5) for picture in (one, other)]
    return float(np.corrcoef(grey[0].ravel(), grey[1].ravel())[0, 1])


def test_a_crop_at_a_visible_index_shows_that_index_upright() -> None:
    """Wherever and however turned the card lies: rank above suit, as printed."""
    likenesses = [
        likeness(rectify(picture.image, index.quad), rectify(face(index.card), box_quad(*map(float, INDEX_BOX))))
        for picture in scenes(12)
        for index in picture.indices
        if index.visible > 0.95
    ]
    assert len(likenesses) > 30
    assert np.quantile(likenesses, 0.1) > 0.6


def test_what_a_later_card_covers_is_not_called_visible() -> None:
    for picture in scenes(12):
        top = max(picture.cards, key=lambda card: card.owner)
        hidden = [index for index in picture.indices if index.owner != top.owner and _within(index, top)]
        assert all(index.visible < 0.2 for index in hidden)


def _within(index: scene.Index, card: scene.Laid) -> bool:
    inner = (card.quad.mean(axis=0) + (card.quad - card.quad.mean(axis=0)) * 0.97).astype(np.float32)
    return all(cv2.pointPolygonTest(inner, (float(x), float(y)), False) > 0 for x, y in index.quad)


def test_covered_and_foreign_indices_are_taught_as_rejects() -> None:
    quad = box_quad(0, 0, 10, 20)
    labels = [
        tiles.crop_label(scene.Index(quad, card, visible, 0)) for card, visible in [(7, 1.0), (7, 0.4), (FOREIGN, 1.0)]
    ]
    assert labels == [7, tiles.REJECT, tiles.REJECT]
    assert tiles.crop_label(scene.Index(quad, 7, 0.85, 0)) is None


def test_a_crop_beside_or_across_an_index_is_never_the_index_itself() -> None:
    rng, quad = np.random.default_rng(1), box_quad(100, 100, 120, 140)
    for _ in range(200):
        wrong = tiles.misread(rng, quad)
        off = float(np.hypot(*(wrong - quad).T).max())
        assert off > 15


def test_labels_keep_the_four_corners_in_reading_order() -> None:
    picture = next(scenes(1))
    for line in tiles.label_lines(picture):
        kind, *numbers = line.split()
        values = np.array(numbers, float)
        assert kind in "012"
        assert values.shape == (16,)
        assert (values[:4] >= 0).all()
        assert (values[:4] <= 1).all()


def test_the_same_seed_renders_the_same_table() -> None:
    first, second = next(scenes(1)), next(scenes(1))
    assert (first.image == second.image).all()


def test_index_boxes_are_found_from_the_ink() -> None:
    found = index_boxes(DRAWN.faces)
    assert found.shape == (52, 4)
    assert np.abs(np.median(found, axis=0) - INDEX_BOX).max() < 14


def test_a_face_has_the_size_every_stage_expects() -> None:
    assert DRAWN.faces.shape == (54, FACE_HEIGHT, FACE_WIDTH, 3)


@pytest.mark.parametrize("setting", ["fliplr", "flipud", "degrees", "mosaic"])
def test_c08_training_never_mirrors_or_turns_an_index(setting: str) -> None:
    assert RECIPE[setting] == 0.0


def test_what_was_named_surely_is_taught_less_often_and_what_is_doubtful_every_time() -> None:
    sure = np.array([0.2] * 100 + [0.999] * 10_000, np.float32)
    order = course.lesson(sure, np.random.default_rng(1))
    assert set(range(100)) <= set(order.tolist())
    assert 0.9 < (len(order) - 100) / (course.EASY_SHARE * 10_000) < 1.1
    assert len(set(order.tolist())) == len(order)


def test_the_learning_rate_rises_shortly_then_falls_to_the_end() -> None:
    plan = course.Course(epochs=4, minutes=60, seed=1)
    rates = [course.rate_at(plan, done / 100) for done in range(101)]
    top = rates.index(max(rates))
    assert top == pytest.approx(100 * course.WARM)
    assert rates[top:] == sorted(rates[top:], reverse=True)
    assert max(rates) == plan.rate
    assert 0 < rates[-1] < plan.rate / 100


def patches(count: int) -> bank.Bank:
    kept = [(*bank.cut_out(bare.image, index.quad), index.card) for bare in bare_scenes(count) for index in clear(bare)]
    pictures, quads, cards = zip(*kept, strict=True)
    return bank.Bank(np.stack(pictures), np.stack(quads), np.array(cards, np.int16))


def bare_scenes(count: int) -> Iterator[scene.Scene]:
    for number in range(count):
        yield scene.laid_out(np.random.default_rng([6, number]), PLAN, CUPBOARD)


def clear(picture: scene.Scene) -> list[scene.Index]:
    return [index for index in picture.indices if index.visible > 0.95]


def test_a_patch_photographed_anew_still_shows_its_index_upright() -> None:
    """As a crop of the whole scene does, but never twice alike."""
    kept, rng = patches(12), np.random.default_rng(3)
    shown = kept.photographed(np.arange(len(kept.cards)), rng)
    printed = [rectify(face(int(card)), box_quad(*map(float, INDEX_BOX))) for card in kept.cards]
    likenesses = [likeness(one, other) for one, other in zip(shown, printed, strict=True)]
    assert len(likenesses) > 30
    assert np.quantile(likenesses, 0.25) > 0.6
    again = kept.photographed(np.arange(len(kept.cards)), rng)
    assert all((one != other).any() for one, other in zip(shown, again, strict=True))


def test_a_patch_holds_the_index_at_one_height_wherever_it_lay() -> None:
    kept = patches(6)
    assert [sides(quad)[1] for quad in kept.quads] == pytest.approx([bank.TALL] * len(kept.cards), rel=1e-3)
    assert kept.quads.mean(axis=1) == pytest.approx(np.full((len(kept.cards), 2), bank.SIDE / 2), abs=0.01)


def test_a_scene_is_its_bare_self_lit_and_sensed() -> None:
    for bare, seen in zip(bare_scenes(3), scenes(3), strict=True):
        assert [index.card for index in bare.indices] == [index.card for index in seen.indices]
        assert (bare.image != seen.image).any()
        assert (bare.light * 255).round() == pytest.approx(bare.image)


CAMPAIGN = """
import os, time
from vision.training import tiles

if __name__ == "__main__":
    with tiles.pool_of(2) as pool:
        print(*{pool.submit(os.getpid).result() for _ in range(8)}, flush=True)
        time.sleep(600)
"""


def test_a_campaign_that_is_killed_leaves_no_worker_behind(tmp_path: Path) -> None:
    script = tmp_path / "campaign.py"
    script.write_text(CAMPAIGN)
    campaign = subprocess.Popen(
        [sys.executable, script],
        env=os.environ | {"PYTHONPATH": str(Path(__file__).parents[2])},
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert campaign.stdout is not None
    workers = [int(pid) for pid in campaign.stdout.readline().split()]
    campaign.kill()
    campaign.wait()
    campaign.stdout.close()
    assert workers
    eventually(lambda: not any(running(pid) for pid in workers))


def running(pid: int) -> bool:
    """Whether there is such a process that has not ended; one that nobody has waited for yet has an empty line."""
    line = Path(f"/proc/{pid}/cmdline")
    return line.exists() and line.read_bytes() != b""
