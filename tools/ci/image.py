#!/usr/bin/env python3
"""Makes a container image of tar files, as an OCI archive: podman load and docker load read it.

No engine is needed, and the same layers give the same image.
"""
import argparse
import gzip
import hashlib
import io
import json
import os
import tarfile
from datetime import datetime, timezone

#: When everything was made, in seconds since 1970.
EPOCH = int(os.environ.get("SOURCE_DATE_EPOCH", "0"))


def digest(data):
    return "sha256:" + hashlib.sha256(data).hexdigest()


class Image:
    """The blobs of an image, by their digests."""

    def __init__(self):
        self.blobs = {}

    def add(self, kind, data):
        """Keeps a blob; returns the descriptor by which another one refers to it."""
        name = digest(data)
        self.blobs[name] = data
        return {
            "mediaType": f"application/vnd.oci.image.{kind}", "digest": name, "size": len(data)}

    def add_json(self, kind, value):
        return self.add(kind + "+json", json.dumps(value, sort_keys=True).encode())

    def write(self, path, index):
        with tarfile.open(path, "w", format=tarfile.PAX_FORMAT) as tar:
            files = {"blobs/sha256/" + name.split(":")[1]: data for name, data in self.blobs.items()}
            files["index.json"] = json.dumps(index, sort_keys=True).encode()
            files["oci-layout"] = b'{"imageLayoutVersion": "1.0.0"}'
            for name in sorted(files):
                info = tarfile.TarInfo(name)
                info.size, info.mtime = len(files[name]), EPOCH
                tar.addfile(info, io.BytesIO(files[name]))


def made_of(layers, version, arch):
    """The image of these layers, and its index."""
    image = Image()
    descriptors = [
        image.add("layer.v1.tar+gzip", gzip.compress(layer, compresslevel=6, mtime=0))
        for layer in layers]
    config = image.add_json("config.v1", {
        "architecture": arch, "os": "linux",
        "created": datetime.fromtimestamp(EPOCH, timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "config": {
            "Entrypoint": ["/usr/bin/kennel"], "WorkingDir": "/work",
            "Env": ["PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"],
            "Labels": {"org.opencontainers.image.version": version}},
        "rootfs": {"type": "layers", "diff_ids": [digest(layer) for layer in layers]}})
    manifest = image.add_json("manifest.v1", {
        "schemaVersion": 2, "mediaType": "application/vnd.oci.image.manifest.v1+json",
        "config": config, "layers": descriptors})
    manifest["annotations"] = {"org.opencontainers.image.ref.name": f"kennel:{version}"}
    return image, {"schemaVersion": 2, "manifests": [manifest]}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    for option in ("--version", "--arch", "--output"):
        parser.add_argument(option, required=True)
    parser.add_argument("layers", nargs="+", metavar="TAR", help="what is below comes first")
    options = parser.parse_args()
    layers = []
    for path in options.layers:
        with open(path, "rb") as file:
            layers.append(file.read())
    image, index = made_of(layers, options.version, options.arch)
    image.write(options.output, index)


if __name__ == "__main__":
    main()
