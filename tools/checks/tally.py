"""How many checks passed, failed and were skipped."""
import re
from dataclasses import dataclass

LINE = re.compile(r"^(\d+) passed, (\d+) failed, (\d+) skipped(?:, \d+ known)?$", re.MULTILINE)


@dataclass(frozen=True)
class Tally:
    passed: int = 0
    failed: int = 0
    skipped: int = 0

    def adding(self, other):
        return Tally(
            self.passed + other.passed, self.failed + other.failed, self.skipped + other.skipped)

    def __str__(self):
        return f"{self.passed} passed, {self.failed} failed, {self.skipped} skipped"


def of(check, result):
    """What a check counts as: one, or what its last tally says. A check that failed and counts no
    failure counts as one."""
    if not check.counts or result.state == "skipped":
        return Tally(**{result.state: 1})
    lines = LINE.findall(result.text)
    count = Tally(*map(int, lines[-1])) if lines else Tally()
    if result.state == "failed" and not count.failed:
        return count.adding(Tally(failed=1))
    if result.state == "passed" and (count.failed or not lines):
        result.state = "failed"
        return count if count.failed else Tally(failed=1)
    return count
