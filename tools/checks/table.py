"""The table of checks, checks.toml: what runs in which tier, what it protects, and what it needs."""
import re
import tomllib
from dataclasses import dataclass, field
from pathlib import Path

HOME = Path(__file__).resolve().parents[2]
#: Each tier contains those before it.
TIERS = ("change", "release", "nightly")


class TableError(Exception):
    """A row of the table that cannot be used, in words."""


@dataclass(frozen=True)
class Check:
    """A row of the table."""

    name: str
    tier: str
    command: str
    protects: str
    #: About how long it takes on two quiet cores, in seconds of the clock.
    seconds: float
    #: How many cores it keeps busy; what mostly waits has less than one half.
    cores: float = 1
    #: The names of checks that have to pass before.
    needs: tuple = ()
    #: The names of checks that it waits for where they are run as well.
    after: tuple = ()
    #: What it is about: modules with all that they import, and folders or files of the tree.
    reach: tuple = ()
    #: Whether its last line counts checks: "N passed, N failed, N skipped".
    counts: bool = False
    #: Why it may take more than ten seconds of processor time in the first tier.
    reason: str = ""

    @property
    def scripts(self):
        """The files below tools that its command names: a change of one is about it as well."""
        return tuple(re.findall(r"\btools/[\w./-]+", self.command))


@dataclass(frozen=True)
class Table:
    checks: tuple
    #: Why single tests may take more than ten seconds of processor time.
    slow_tests: dict = field(default_factory=dict)

    def tier(self, name):
        """The checks to run in a tier: its own, and those of the tiers before it."""
        return tuple(c for c in self.checks if TIERS.index(c.tier) <= TIERS.index(name))


def load(path=HOME / "tools/checks/checks.toml"):
    """Reads the table; every mistake in it is an error."""
    with open(path, "rb") as file:
        data = tomllib.load(file)
    known = set(Check.__dataclass_fields__)
    checks, names = [], set()
    for row in data.get("check", []):
        name = row.get("name", "without a name")
        if unknown := set(row) - known:
            raise TableError(f"{name}: unknown key {sorted(unknown)[0]}; expected {sorted(known)}")
        if missing := {"name", "tier", "command", "protects", "seconds", "reach"} - set(row):
            raise TableError(f"{name}: no {sorted(missing)[0]}; add it")
        if row["tier"] not in TIERS:
            raise TableError(f"{name}: tier {row['tier']}; expected {', '.join(TIERS)}")
        if name in names:
            raise TableError(f"{name}: stands in the table twice; rename or remove one")
        for key in ("needs", "after"):
            if unknown := set(row.get(key, [])) - names:
                raise TableError(
                    f"{name}: {key} {sorted(unknown)[0]}, which does not stand above it")
        names.add(name)
        lists = {key: tuple(value) for key, value in row.items() if isinstance(value, list)}
        checks.append(Check(**{**row, **lists}))
    return Table(tuple(checks), data.get("slow-tests", {}))


def markdown(table):
    """The table as the guide has it."""
    lines = ["| Check | Tier | Protects | About |", "|---|---|---|---|"]
    for check in table.checks:
        lines.append(f"| {check.name} | {check.tier} | {check.protects} | {check.seconds:g} s |")
    return "\n".join(lines) + "\n"
