"""What im2rec writes: options that the recorder gives to the original's program, and the tests to ours."""

import os
import pathlib
import shutil
import zlib

PHOTOS = pathlib.Path(__file__).resolve().parent.parent.parent / "examples" / "photos"
LISTS = {
    "plain": [],
    "recursive": ["--recursive"],
    "ordered": ["--recursive", "--no-shuffle"],
    "ratios": ["--recursive", "--train-ratio", "0.7", "--test-ratio", "0.2"],
    "chunks": ["--recursive", "--chunks", "3", "--train-ratio", "0.5"],
    "exts": ["--recursive", "--exts", ".png"],
}
#: The second list has several labels.
RECORDS = {
    "as it is": ("one", ["--pass-through"]),
    "labels": ("more", ["--pass-through", "--pack-label"]),
    "processes": ("one", ["--pass-through", "--num-thread", "2"]),
    "png": ("one", ["--encoding", ".png", "--quality", "3", "--center-crop"]),
    "resize": ("one", ["--resize", "100", "--quality", "80"]),
    "gray": ("one", ["--color", "0"]),
}


def prepare(folder):
    """A tree of images, and two lists."""
    tree = folder / "tree"
    for name in ("dogs", "cats/kittens"):
        (tree / name).mkdir(parents=True)
    for i in range(9):
        shutil.copy(str(PHOTOS / "cat.jpg"), str(tree / "cats" / ("%d.jpg" % i)))
        shutil.copy(str(PHOTOS / "rocket.jpg"), str(tree / "dogs" / ("x%d.png" % i)))
    shutil.copy(str(PHOTOS / "coffee.jpg"), str(tree / "cats" / "kittens" / "k.jpeg"))
    shutil.copy(str(PHOTOS / "coffee.jpg"), str(tree / "top.jpg"))
    (tree / "readme.txt").write_text("no image")
    names = ("cat.jpg", "coffee.jpg", "rocket.jpg", "camera.jpg", "astronaut.jpg")
    (folder / "one.lst").write_text("".join("%d\t%d\t%s\n" % (3 * i, i % 3, name) for i, name in enumerate(names)))
    (folder / "more.lst").write_text("0\t2\t5\t0.5\tcat.jpg\n7\t2\t5\t0.25\trocket.jpg\n")


def lists(folder, name, run):
    """The names and contents of the lists that are made with some options."""
    place = folder / ("lists " + name)
    place.mkdir()
    run([str(place / "p"), str(folder / "tree"), "--list"] + LISTS[name])
    return {path.name: path.read_text() for path in sorted(place.iterdir())}


def records(folder, name, run):
    """A checksum of the record file, and the text of the index."""
    which, options = RECORDS[name]
    run([str(folder / which), str(PHOTOS), *options])
    found = [zlib.crc32((folder / (which + ".rec")).read_bytes()), (folder / (which + ".idx")).read_text()]
    for ending in (".rec", ".idx"):
        os.unlink(str(folder / (which + ending)))
    return found
