"""The weights at the table are the ones the manifest describes, or none."""

import hashlib
from pathlib import Path

import pytest

from vision import weights

MANIFEST = """
[detector]
file = "d.onnx"
sha256 = "{digest}"
[[classifier]]
file = "c.onnx"
sha256 = "{digest}"
[replay]
file = "r.npz"
sha256 = "{digest}"
[reading]
temperature = 1.5
threshold = 0.9
"""


@pytest.fixture
def models(tmp_path: Path) -> Path:
    for name in ("d.onnx", "c.onnx", "r.npz"):
        (tmp_path / name).write_bytes(b"weights")
    (tmp_path / "manifest.toml").write_text(MANIFEST.format(digest=hashlib.sha256(b"weights").hexdigest()))
    return tmp_path


def test_the_manifest_names_files_temperature_and_threshold(models: Path) -> None:
    found = weights.find((models / "elsewhere", models))
    assert (found.detector, found.classifiers) == (models / "d.onnx", (models / "c.onnx",))
    assert (found.temperature, found.threshold) == (1.5, 0.9)


def test_an_altered_weight_file_is_refused_by_name(models: Path) -> None:
    (models / "c.onnx").write_bytes(b"other weights")
    with pytest.raises(weights.WeightsMissing, match=r"c\.onnx.*sha256"):
        weights.find((models,))


def test_an_absent_weight_file_is_refused_by_name(models: Path) -> None:
    (models / "d.onnx").unlink()
    with pytest.raises(weights.WeightsMissing, match=r"d\.onnx"):
        weights.find((models,))


def test_no_manifest_means_no_reading(tmp_path: Path) -> None:
    with pytest.raises(weights.WeightsMissing, match="no recognition weights"):
        weights.find((tmp_path,))
