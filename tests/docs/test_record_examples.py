"""The examples about record files run, each as a program of its own; the photos they use are as their list says."""

import re
import subprocess
import sys

import cv2
import pytest
from paths import EXAMPLES

PHOTOS = EXAMPLES / "photos"


def run(name, *arguments, cwd):
    command = [sys.executable, "-W", "error", str(EXAMPLES / name), *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=cwd, timeout=300)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("options, chance", [([], 1 / 6), (["--digits"], 1 / 10)])
def test_train_on_records(tmp_path, options, chance):
    said = run("train_on_records.py", *options, "--count", 240, "--epochs", 3, cwd=tmp_path)
    for name in ("Module", "Gluon"):
        accuracy = float(re.search(rf"{name}: ([\d.]+)% right", said)[1]) / 100
        assert accuracy > 1.5 * chance, said
    assert (tmp_path / "runs" / "records" / "data_train.rec").exists()


def test_augmentation_sheet(tmp_path):
    said = run("augmentation_sheet.py", "--columns", 3, cwd=tmp_path)
    sheet = cv2.imread(str(tmp_path / "runs" / "augmentations.png"))
    assert "17 kinds of augmentation of cat.jpg" in said
    assert sheet.shape == (17 * 116 + 4, 210 + 3 * 116, 3)
    rows = sheet[4:].reshape(17, 116, sheet.shape[1], 3)
    for row in rows:  # a label that stays left of the images, and images
        assert (row[:, :206] < 128).any() and (row[:, 198:210] == 255).all() and (row[:112, 210:320] < 250).any()
    first, second = rows[:, :112, 210:322], rows[:, :112, 326:438]
    different = [bool((a != b).any()) for a, b in zip(first, second, strict=True)]
    assert different == [False] + [True] * 16


def test_photos():
    """Small enough to ship, real JPEG files, and each with its origin and licence."""
    files = sorted(PHOTOS.glob("*.jpg"))
    listed = re.findall(r"^\| `(\w+\.jpg)` \|.*(?:CC0|public domain)", (PHOTOS / "README.md").read_text(), re.M)
    assert [path.name for path in files] == listed
    assert sum(path.stat().st_size for path in files) < 300 * 1024
    for path in files:
        assert sorted(cv2.imread(str(path)).shape[:2]) == [280, 320]
