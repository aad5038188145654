"""The folder of a campaign: a part for each task, whole or not there at all."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import tempfile

import fsspec

from .plan import Plan, Refused
from .work import unpack

# So many parts are unpacked at a time.
MERGED_AT_ONCE = 64


class Store:
    """Keeps parts below a local path or an fsspec URL. Only the campaign itself writes.

    A part is written under another name and then renamed, so a part that is there is whole, and a
    task that was run twice has one part.
    """

    def __init__(self, url: str):
        self.url = url.rstrip("/")
        self.fs, self.root = fsspec.core.url_to_fs(self.url)
        self.fs.makedirs(self._path("parts"), exist_ok=True)

    def _path(self, *parts: str) -> str:
        return "/".join((self.root.rstrip("/"), *parts))

    def begin(self, plan: Plan) -> None:
        """Begins the campaign, or goes on with it if it is the same."""
        path = self._path("plan.json")
        if self.fs.exists(path):
            known = Plan.read(self.fs.cat_file(path).decode())
            difference = known.difference(plan)
            if difference:
                raise Refused(f"{self.url} has another campaign: {difference}")
        else:
            self._write(path, plan.text().encode())

    def done(self) -> dict[str, dict]:
        """The summaries of the parts that are there, by their tasks."""
        self.fs.invalidate_cache()
        files = self.fs.ls(self._path("parts"), detail=False)
        names = {os.path.basename(file) for file in files}
        return {
            name[: -len(".json")]: json.loads(self.fs.cat_file(self._path("parts", name)))
            for name in sorted(names)
            # The summary is written last.
            if name.endswith(".json") and name[: -len(".json")] + ".tar.gz" in names
        }

    def add(self, task: str, archive: bytes, summary: dict) -> None:
        """Keeps a part. When the disk is full, nothing of it stays."""
        self._write(self._path("parts", task + ".tar.gz"), archive)
        short = summary | {"states": len(summary["states"])} if summary["states"] else summary
        self._write(self._path("parts", task + ".json"), json.dumps(short).encode())

    def _write(self, path: str, data: bytes) -> None:
        # No other program writes here, so what a stopped campaign left under this name is replaced.
        draft = path + ".part"
        try:
            with self.fs.open(draft, "wb") as file:
                file.write(data)
            self.fs.mv(draft, path)
        except OSError:
            try:
                self.fs.rm_file(draft)
            except OSError:
                pass
            raise

    def merge(self, kind: str, program: str, output: str) -> str:
        """Puts all parts together, in the order of their names; returns what the kit says."""
        tasks = sorted(self.done())
        if kind != "hunt":
            with open(output, "w", encoding="utf-8") as file:
                for task in tasks:
                    with tempfile.TemporaryDirectory() as folder:
                        self._extract(task, folder)
                        with open(os.path.join(folder, "output.json"), encoding="utf-8") as part:
                            shutil.copyfileobj(part, file)
            return f"{len(tasks)} parts in {output}\n"
        groups = [
            tasks[start : start + MERGED_AT_ONCE] for start in range(0, len(tasks), MERGED_AT_ONCE)
        ]
        if len(groups) <= 1:
            return self._merge_parts(program, tasks, output)
        with tempfile.TemporaryDirectory() as folder:
            wholes = [os.path.join(folder, group[0]) for group in groups]
            for group, whole in zip(groups, wholes):
                self._merge_parts(program, group, whole)
            return self._merge(program, wholes, output)

    def _merge_parts(self, program: str, tasks: list[str], output: str) -> str:
        """Merges some parts, which are unpacked only as long as that takes."""
        with tempfile.TemporaryDirectory() as folder:
            sources = [os.path.join(folder, task) for task in tasks]
            for task, source in zip(tasks, sources):
                self._extract(task, source)
            return self._merge(program, sources, output)

    def _extract(self, task: str, folder: str) -> None:
        unpack(self.fs.cat_file(self._path("parts", task + ".tar.gz")), folder)

    @staticmethod
    def _merge(program: str, sources: list[str], output: str) -> str:
        shutil.rmtree(output, ignore_errors=True)
        done = subprocess.run(
            [program, "report", "merge", *sources, "-o", output], capture_output=True, text=True, check=False
        )
        if done.returncode not in (0, 1):
            raise Refused(f"the parts cannot be merged: {done.stderr.strip()}")
        return done.stdout
