"""Folders that were changed by someone who then made the checksums right."""

import hashlib
import json
import shutil

import numpy as np

from frex.storage import MANIFEST

ODD_NUMBERS = [
    -1,
    0,
    1,
    3,
    127,
    10**6,
    2**31 - 1,
    -(2**31),
    2**63 - 1,
    np.nan,
    np.inf,
    -np.inf,
    0.5,
]
ODD_VALUES = [
    None, True, -1, 0, 1, 2**70, 10**400, 0.5, float("nan"), float("inf"), "", "x", "\ud800",
    "a\x00", "../x", [], {}, [[]], [None], ["x"], {"x": 1},
]  # fmt: skip
ODD_TYPES = ["<i4", "<i8", ">i4", "<f4", "<f8", "|u1", "|b1", "<c16", "<U3", "<i2", "<u8"]
ODD_HEADS = [
    b"", b"\x93NUMPY", b"\x93NUMPY\x02\x00\xff\xff\xff\xff", b"\x93NUMPY\x01\x00\xff\xff{",
    b"\x93NUMPY\x01\x00\x08\x00((((((((", b"\x93NUMPY\x09\x00\x76\x00",
]  # fmt: skip


def resign(folder):
    """Make the manifest of a folder say what its files are."""
    file = folder / MANIFEST
    manifest = json.loads(file.read_text(encoding="utf-8"))
    files = {path.name: path for path in folder.iterdir() if path.name != MANIFEST}
    manifest["files"] = {
        name: {
            "bytes": path.stat().st_size,
            "sha256": hashlib.sha256(path.read_bytes()).hexdigest(),
        }
        for name, path in sorted(files.items())
    }
    write_manifest(folder, manifest)


def write_manifest(folder, manifest):
    """Write a manifest with a checksum that is right."""
    manifest.pop("sha256", None)
    canonical = json.dumps(manifest, sort_keys=True, ensure_ascii=False)
    manifest["sha256"] = hashlib.sha256(canonical.encode(errors="surrogatepass")).hexdigest()
    text = json.dumps(manifest, ensure_ascii=False)
    (folder / MANIFEST).write_bytes(text.encode(errors="surrogatepass"))


def corrupt(folder, rng):
    """Change one thing in a folder, make its checksums right, and say what was changed.

    Parameters
    ----------
    folder
        A folder, which is changed in its place.
    rng
        As `random.Random`.
    """
    names = sorted(path.name for path in folder.iterdir() if path.is_file())
    name = rng.choice(names)
    if name == MANIFEST:
        return f"{name}: {_corrupt_manifest(folder, rng)}"
    file = folder / name
    if rng.random() < 0.05:
        file.unlink()
        what = "removed"
    elif name.endswith(".json"):
        what = _corrupt_json(file, rng)
    else:
        what = _corrupt_array(file, rng, [folder / other for other in names])
    resign(folder)
    return f"{name}: {what}"


def hostile_copy(honest, place, rng):
    """Copy a folder, corrupt the copy, and say what was changed in it."""
    shutil.rmtree(place, ignore_errors=True)
    shutil.copytree(honest, place)
    inner = [path.parent for path in sorted(place.rglob(MANIFEST))]
    return corrupt(rng.choice(inner), rng)


def _corrupt_manifest(folder, rng):
    manifest = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
    if rng.random() < 0.2:
        entry = rng.choice(sorted(manifest["files"]))
        manifest["files"][entry]["bytes"] = rng.choice(ODD_VALUES[:14])
        what = f"the size of {entry}"
    else:
        part = rng.choice(["meta", "meta", "meta", "version", "kind", "files"])
        manifest[part], what = _changed(manifest[part], rng)
        what = f"{part}: {what}"
    write_manifest(folder, manifest)
    return what


def _corrupt_json(file, rng):
    if rng.random() < 0.15:
        data = rng.choice([b"", b"[" * 100_000, b"\xff\xfe", b"{", b"1" * 5000, b"NaN"])
        file.write_bytes(data)
        return repr(data[:10])
    value, what = _changed(json.loads(file.read_text(encoding="utf-8")), rng)
    file.write_bytes(json.dumps(value, ensure_ascii=False).encode(errors="surrogatepass"))
    return what


def _changed(value, rng):
    """Return a JSON value with one thing in it changed, and what."""
    if value and isinstance(value, list | dict) and rng.random() < 0.8:
        keys = sorted(value) if isinstance(value, dict) else range(len(value))
        key = rng.choice(list(keys))
        how = rng.random()
        if how < 0.1:
            del value[key]
            return value, f"{key!r} removed"
        if how < 0.2 and isinstance(value, list):
            value.append(value[key])
            return value, f"{key!r} doubled"
        if how < 0.3 and isinstance(value, list):
            value.reverse()
            return value, "reversed"
        value[key], what = _changed(value[key], rng)
        return value, f"{key!r}: {what}"
    odd = rng.choice(ODD_VALUES)
    return odd, f"{str(value)[:20]!r} is {str(odd)[:20]!r}"


def _corrupt_array(file, rng, others):
    array = np.load(file)
    how = rng.choice(["value", "value", "value", "value", "shape", "type", "order", "head", "swap"])
    with np.errstate(all="ignore"):
        if how == "value" and array.size:
            return _corrupt_value(file, array, rng)
        if how == "shape":
            flat = array.reshape(-1)
            shapes = [flat[:-1], np.append(flat, flat[:1]), flat[:0], flat[None], array[..., None],
                      array[:-1] if array.ndim else flat, array.T,
                      flat[:0].reshape(10**12, 0), flat[:1].reshape(())
                      if array.size else flat]  # fmt: skip
            changed = rng.choice(shapes)
            np.save(file, changed)
            return f"shape {changed.shape}"
        if how == "type":
            kind = rng.choice(ODD_TYPES)
            np.save(file, array.astype(kind))
            return f"type {kind}"
        if how == "order" and array.size:
            rising = np.sort(array, axis=None).reshape(array.shape)
            alike = np.full_like(array, array.flat[0])
            np.save(file, rng.choice([np.flip(array), rising, np.asfortranarray(array), alike]))
            return "order"
    if how == "swap":
        other = rng.choice([path for path in others if path.suffix == ".npy"])
        data = other.read_bytes()
        file.write_bytes(data)
        return f"{other.name} in its place"
    return _corrupt_head(file, array, rng)


def _corrupt_value(file, array, rng):
    odd = rng.choice([*ODD_NUMBERS, *array.shape, int(array.size) + 1])
    place = rng.randrange(array.size)
    array = array.copy()
    try:
        array.flat[place] = odd
    except (OverflowError, ValueError):
        array.flat[place] = odd = -1 if array.dtype.kind != "u" else 255
    np.save(file, array)
    return f"number {place} is {odd}"


def _corrupt_head(file, array, rng):
    data = file.read_bytes()
    head = rng.choice(ODD_HEADS)
    if rng.random() < 0.5:  # it declares a gigabyte
        head = data[:128].replace(
            str(array.shape).encode(), f"({2**30 // array.dtype.itemsize},)".encode()
        )
    file.write_bytes(head + data[128:])
    return f"begins with {head[:80]!r}"
