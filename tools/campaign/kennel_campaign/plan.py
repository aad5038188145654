"""What a campaign runs, cut into tasks that do not depend on each other."""

from __future__ import annotations

import hashlib
import json
import subprocess
from dataclasses import asdict, dataclass, field

# A hunt notes results after so many seeds, and guides them together: tasks begin at its multiples.
GUIDED_CHUNK = 1024


class Refused(Exception):
    """Something that cannot be run, as a sentence for people."""


@dataclass(frozen=True)
class Task:
    """A part of a campaign: what one process of the kit does."""

    name: str
    words: tuple[str, ...]


@dataclass(frozen=True)
class Plan:
    """What is run. Two campaigns with equal plans have the same parts with the same contents."""

    kind: str
    words: tuple[str, ...]
    seeds: tuple[int, int] = (0, -1)
    chunk: int = 0
    names: tuple[str, ...] = ()
    kit: str = ""

    def text(self) -> str:
        return json.dumps(asdict(self), indent=1, sort_keys=True) + "\n"

    @staticmethod
    def read(text: str) -> "Plan":
        found = json.loads(text)
        for name in ("words", "seeds", "names"):
            found[name] = tuple(found[name])
        return Plan(**found)

    def difference(self, other: "Plan") -> str | None:
        """In what another plan differs, as a clause; None for an equal one."""
        for name, mine in asdict(self).items():
            theirs = getattr(other, name)
            if mine != theirs:
                return f"its {name} is {mine}, not {theirs}"
        return None

    def tasks(self) -> list[Task]:
        """All tasks, in the order of their names."""
        if self.kind == "hunt":
            return list(self._hunts())
        size = max(1, self.chunk)
        parts = [self.names[start : start + size] for start in range(0, len(self.names), size)]
        digits = len(str(len(parts)))
        return [
            Task(f"{self.kind}-{number:0{digits}}", self.words + part)
            for number, part in enumerate(parts)
        ]

    def _hunts(self):
        first, last = self.seeds
        while first <= last:
            end = min(last, first // self.chunk * self.chunk + self.chunk - 1)
            yield Task(f"{first:020}", self.words + ("--seeds", f"{first}..{end}"))
            first = end + 1


def identity(program: str) -> str:
    """The version of a kit, and a hash of its program: other programs may mean other scenarios."""
    version = subprocess.run(
        [program, "--version"], capture_output=True, text=True, check=True
    ).stdout.strip()
    with open(program, "rb") as file:
        return f"{version}, sha256 {hashlib.sha256(file.read()).hexdigest()[:16]}"


def names(program: str, words: tuple[str, ...], kind: str) -> tuple[str, ...]:
    """What explorations and examinations are about: scenarios, or mutants."""
    command = [program, *(["list", *words] if kind == "explore" else ["mutants", "--list"])]
    found = subprocess.run(command, capture_output=True, text=True, check=False)
    if found.returncode != 0:
        raise Refused(f"{' '.join(command)}: {found.stderr.strip()}")
    lines = [line.split()[0] for line in found.stdout.splitlines() if line and line[0] != " "]
    ids = [line for line in lines if "/" in line] if kind == "explore" else lines
    wanted = words if kind == "mutants" and words else ids
    return tuple(dict.fromkeys(name for name in ids if name in wanted))
