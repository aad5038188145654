"""What a worker does: one process of the kit, and its results as bytes."""

from __future__ import annotations

import gzip
import io
import json
import os
import subprocess
import tarfile
import tempfile
import threading
from collections import Counter

from .plan import Task, identity

_identities: dict[tuple[str, float], str] = {}
# The processes of the kit that this process waits for, and whether they are to end.
_running: set[subprocess.Popen] = set()
_is_stopped = threading.Event()


def start() -> None:
    """Lets this process run tasks."""
    _is_stopped.clear()


def stop() -> None:
    """Ends what this process waits for, and begins nothing more; its tasks are run again."""
    _is_stopped.set()
    for process in list(_running):
        process.kill()


def kit(program: str) -> str:
    """The identity of the kit on this machine, read once for each program."""
    key = (program, os.stat(program).st_mtime)
    if key not in _identities:
        _identities[key] = identity(program)
    return _identities[key]


def perform(task: Task, kind: str, program: str, expected: str) -> dict:
    """Runs a task.

    Returns a summary and the archive of the results; or what is wrong with this worker, by which the
    campaign rejects it.
    """
    # A worker may have the kit elsewhere.
    program = os.environ.get("KENNEL_PROGRAM", program)
    try:
        found = kit(program)
    except (OSError, subprocess.CalledProcessError) as error:
        return {"task": task.name, "rejected": f"has no kit that runs: {error}"}
    if found != expected:
        return {"task": task.name, "rejected": f"has {found}, and the campaign {expected}"}
    with tempfile.TemporaryDirectory(prefix="kennel-") as folder:
        return {"task": task.name, **_run(task, kind, program, folder)}


def _run(task: Task, kind: str, program: str, folder: str) -> dict:
    results = os.path.join(folder, "results")
    words = [program, kind, *task.words]
    if kind == "hunt":
        words += ["--jobs", "1", "--output", results]
    else:
        os.mkdir(results)
        words += ["--format", "json"]
    pipe = subprocess.PIPE
    with subprocess.Popen(words, stdout=pipe, stderr=pipe, text=True) as process:
        _running.add(process)
        if _is_stopped.is_set():
            process.kill()
        try:
            output, errors = process.communicate()
        finally:
            _running.discard(process)
    # 0: passed, 1: a divergence, 3: inconclusive. All others are no results.
    if process.returncode not in (0, 1, 3):
        raise RuntimeError(f"{' '.join(words)} ended with {process.returncode}: {errors[-500:]}")
    if kind != "hunt":
        with open(os.path.join(results, "output.json"), "w", encoding="utf-8") as file:
            file.write(output)
    return {"summary": summary(kind, results), "archive": pack(results)}


def summary(kind: str, results: str) -> dict:
    """What progress shows of a part."""
    if kind != "hunt":
        return {"runs": 1, "kinds": {}, "states": 0}
    kinds: Counter[str] = Counter()
    runs = 0
    with open(os.path.join(results, "chunks.jsonl"), encoding="utf-8") as file:
        for line in file:
            record = json.loads(line)
            first, _, last = record["seeds"].partition("..")
            runs += int(last or first) - int(first) + 1
            for find in record.get("finds", []):
                kinds[find["signature"]] += len(find["seeds"])
    states = os.path.join(results, "states.txt")
    reached = set()
    if os.path.exists(states):
        with open(states, encoding="utf-8") as file:
            reached = {line.partition(":")[0] for line in file}
    return {"runs": runs, "kinds": dict(kinds), "states": sorted(reached)}


def pack(folder: str) -> bytes:
    """A folder as an archive: of equal folders equal bytes, whatever the times of their files."""
    output = io.BytesIO()
    with gzip.GzipFile(fileobj=output, mode="wb", compresslevel=3, mtime=0) as packed, tarfile.open(
        fileobj=packed, mode="w"
    ) as archive:
        for base, folders, files in os.walk(folder):
            folders.sort()
            for name in sorted(files):
                path = os.path.join(base, name)
                info = tarfile.TarInfo(os.path.relpath(path, folder))
                info.size = os.path.getsize(path)
                with open(path, "rb") as file:
                    archive.addfile(info, file)
    return output.getvalue()


def unpack(archive: bytes, folder: str) -> None:
    with tarfile.open(fileobj=io.BytesIO(archive)) as tar:
        tar.extractall(folder, filter="data")
