"""Runs checks side by side on the cores of this machine."""
import os
import subprocess
import tempfile
import threading
import time
from dataclasses import dataclass

from table import HOME


@dataclass
class Result:
    """What came of a check."""

    #: "passed", "failed" or "skipped".
    state: str
    text: str = ""
    seconds: float = 0
    #: Processor time of it and of all processes that it waited for.
    processor: float = 0


def run_command(check, environment):
    """Runs the command of one check; exit code 4 says that this machine lacks something."""
    began = time.monotonic()
    with tempfile.TemporaryFile() as output:
        process = subprocess.Popen(
            ["bash", "-c", check.command], cwd=HOME, env=environment, stdin=subprocess.DEVNULL,
            stdout=output, stderr=subprocess.STDOUT)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        text = output.read().decode("utf-8", "replace")
    state = {0: "passed", 4: "skipped"}.get(process.returncode, "failed")
    if process.returncode < 0:
        text += f"ended by signal {-process.returncode}\n"
    return Result(
        state, text, time.monotonic() - began, usage.ru_utime + usage.ru_stime)


class Schedule:
    """Starts what may run, the first of the table first, and never more than the cores carry.

    A check that does not fit yet keeps its place: only what mostly waits may start before it.
    """

    #: What mostly waits for something else than a processor.
    WAITING = 0.5

    def __init__(self, checks, run, cores=None):
        self.checks = checks
        self.run = run
        self.cores = cores or os.cpu_count() or 1
        self.results = {}
        self.running = {}
        self.changed = threading.Condition()

    def go(self, finished):
        """Runs all checks, and calls `finished(check, result)` in the order of the table."""
        told = 0
        with self.changed:
            while told < len(self.checks):
                self.start_what_may()
                check = self.checks[told]
                if check.name in self.results:
                    finished(check, self.results[check.name])
                    told += 1
                else:
                    self.changed.wait()

    def start_what_may(self):
        blocked = False
        for check in self.checks:
            if check.name in self.results or check.name in self.running:
                continue
            missing = [name for name in check.needs if self.state(name) in ("failed", "skipped")]
            if missing:
                self.results[check.name] = Result("failed", f"not run: {missing[0]} has to pass\n")
                continue
            if any(self.state(name) is None for name in check.needs + check.after):
                continue
            waits = check.cores <= self.WAITING
            if (blocked and not waits) or not self.fits(check):
                blocked = True
                continue
            self.running[check.name] = check
            threading.Thread(target=self.finish, args=(check,), daemon=True).start()

    def state(self, name):
        """How a check ended; one that is not to be run counts as passed."""
        if name in self.results:
            return self.results[name].state
        return None if any(c.name == name for c in self.checks) else "passed"

    def fits(self, check):
        """What waits fits beside a full machine, one at a time for each core."""
        if not self.running:
            return True
        if check.cores <= self.WAITING:
            waiting = [c for c in self.running.values() if c.cores <= self.WAITING]
            return len(waiting) < self.cores
        busy = sum(c.cores for c in self.running.values() if c.cores > self.WAITING)
        return busy + min(check.cores, self.cores) <= self.cores

    def finish(self, check):
        result = self.run(check)
        with self.changed:
            self.results[check.name] = result
            del self.running[check.name]
            self.changed.notify_all()
