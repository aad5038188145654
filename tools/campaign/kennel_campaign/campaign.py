"""Runs the tasks of a plan on a cluster, until every part is there."""

from __future__ import annotations

import asyncio
import sys
import time
from collections import Counter
from concurrent.futures import CancelledError
from contextlib import contextmanager

import dask
from distributed import Client, LocalCluster, as_completed
from distributed.comm import CommClosedError
from distributed.scheduler import KilledWorker

from .plan import Plan, Refused
from .store import Store
from .work import perform, start, stop

# How often a task may fail by itself before the campaign gives up on it.
MOST_FAILURES = 5
# For how many seconds a scheduler that is gone is waited for.
PATIENCE = 600.0
# Workers of this machine wait for the kit, and share one process. What Dask does in each of its processes
# to watch itself many times a second costs as much as every twentieth scenario.
QUIET = {
    "distributed.admin.tick.interval": "1s",
    "distributed.admin.system-monitor.interval": "5s",
    "distributed.worker.profile.enabled": False,
    **{f"distributed.worker.memory.{word}": False for word in ("target", "spill", "pause", "terminate")},
}
# What a call to a cluster raises when its scheduler is gone, or is another one by now.
GONE = (OSError, CommClosedError, TimeoutError, CancelledError, asyncio.CancelledError)


class Campaign:
    """One client of a cluster. Whatever ends it, the same command goes on where it stopped."""

    def __init__(self, plan: Plan, store: Store, program: str, log=sys.stderr):
        self.plan, self.store, self.program, self.log = plan, store, program, log
        self.failures: Counter[str] = Counter()
        self.kinds: Counter[str] = Counter()
        self.states: set[str] = set()
        self.runs = 0
        self.rejected: set[str] = set()
        self.left: dict = {}
        self.total = 0
        # The time of all parts that are there, whichever command they were run by.
        self.seconds = 0.0
        self.begun = time.monotonic()

    def run(self, connect) -> list[str]:
        """Runs what is missing; `connect` makes a client. Returns the tasks that are given up."""
        self.store.begin(self.plan)
        tasks = self.plan.tasks()
        done = self.store.done()
        self.left = {task.name: task for task in tasks if task.name not in done}
        self.total = len(tasks)
        for summary in done.values():
            self._count(summary)
        if done:
            self._say(f"{len(done)} of {len(tasks)} parts are there already")
        self.begun = time.monotonic()
        deadline = self.begun + PATIENCE
        while self.left:
            try:
                with connect() as client:
                    self._say(f"dashboard {client.dashboard_link}")
                    deadline = time.monotonic() + PATIENCE
                    self._serve(client)
            except GONE as error:
                if isinstance(error, OSError) and error.errno is not None and self._is_local(error):
                    raise
                if time.monotonic() > deadline:
                    raise Refused(f"the scheduler is gone: {error}") from error
                self._say("the scheduler is gone; waiting for it")
                time.sleep(1)
            if all(self.failures[name] >= MOST_FAILURES for name in self.left):
                break
        return sorted(self.left)

    @staticmethod
    def _is_local(error: OSError) -> bool:
        """Whether an error is that of the folder, such as a full disk, and not of the network."""
        return error.filename is not None or error.errno in (28, 122)

    def _serve(self, client: Client) -> None:
        waiting = [task for name, task in self.left.items() if self.failures[name] < MOST_FAILURES]
        waiting.reverse()
        futures = as_completed(with_results=False)
        under_way = 0
        while waiting or under_way:
            # Two tasks for each thread: one that runs, and one that has arrived already.
            while waiting and under_way < max(2, 2 * self._threads(client)):
                futures.add(self._submit(client, waiting.pop()))
                under_way += 1
            future = next(futures)
            under_way -= 1
            again = self._take(client, future)
            if again is not None:
                waiting.append(again)

    def _submit(self, client: Client, task):
        allowed = None
        if self.rejected:
            allowed = [
                address
                for address in client.scheduler_info(n_workers=-1)["workers"]
                if address not in self.rejected
            ] or None
        future = client.submit(
            perform, task, self.plan.kind, self.program, self.plan.kit, pure=False,
            key=f"{task.name}-{self.failures[task.name]}-{len(self.rejected)}-{time.time_ns()}",
            workers=allowed, allow_other_workers=False, retries=0,
        )
        future.task = task
        return future

    @staticmethod
    def _threads(client: Client) -> int:
        workers = client.scheduler_info(n_workers=-1)["workers"].values()
        return sum(worker["nthreads"] for worker in workers)

    def _take(self, client: Client, future):
        """Keeps what a task came to; returns the task if it is to be run again."""
        task = future.task
        result = self._result(future)
        if future.status == "cancelled":
            # Its scheduler is gone, or has lost it.
            raise CommClosedError("a task was cancelled")
        if future.status == "error":
            error = future.exception()
            if not isinstance(error, KilledWorker):
                self.failures[task.name] += 1
                self._say(f"{task.name} failed: {error}")
                return task if self.failures[task.name] < MOST_FAILURES else None
            return task
        if "rejected" in result:
            self._reject(client, future, result["rejected"])
            return task
        now = time.monotonic()
        # What parts took sums up to the time of the campaign: each counts from the one before.
        summary = result["summary"] | {"seconds": now - self.begun}
        self.begun = now
        self.store.add(task.name, result["archive"], summary)
        self.left.pop(task.name, None)
        self._count(summary)
        self._progress()
        return None

    @staticmethod
    def _result(future):
        """What a finished task returned. A worker that dies before its result is fetched has the task
        run again, which may end otherwise: the status then says how."""
        if future.status != "finished":
            return None
        try:
            return future.result()
        except CancelledError as error:
            raise CommClosedError("a task was cancelled") from error
        except Exception:
            if future.status == "finished":
                raise
            return None

    def _reject(self, client: Client, future, reason: str) -> None:
        holders = client.who_has([future]).get(future.key, ())
        for address in holders:
            if address in self.rejected:
                continue
            self.rejected.add(address)
            info = client.scheduler_info(n_workers=-1)["workers"].get(address, {})
            self._say(f"rejected worker {info.get('name', address)} at {address}: it {reason}")
        workers = set(client.scheduler_info(n_workers=-1)["workers"])
        if workers and workers <= self.rejected:
            raise Refused("every worker is rejected; install the kit of this campaign on them")

    def _count(self, summary: dict) -> None:
        self.runs += summary["runs"]
        self.seconds += summary["seconds"]
        self.kinds.update(summary["kinds"])
        if isinstance(summary["states"], list):
            self.states.update(summary["states"])

    def _progress(self) -> None:
        seconds = max(0.001, self.seconds)
        done = self.total - len(self.left)
        failures = f"{len(self.kinds)} kinds of failure" if self.kinds else "nothing found"
        rest = len(self.left) * seconds / max(1, done)
        self._say(
            f"{done} of {self.total} parts   {self.runs} scenarios   "
            f"{self.runs / seconds:.0f} a second   {failures}   {len(self.states)} states   "
            f"{duration(rest)} left"
        )

    def took(self) -> str:
        """What was run, and how long that took, over all commands that had a share in it."""
        rate = self.runs / max(0.001, self.seconds)
        return f"{self.runs} scenarios in {duration(self.seconds)}, {rate:.0f} a second"

    def _say(self, text: str) -> None:
        print(text, file=self.log, flush=True)


def duration(seconds: float) -> str:
    """A time for people: `4 s`, `3 min 4 s`, `2 h 3 min`."""
    minutes, rest = divmod(round(seconds), 60)
    if minutes < 60:
        return f"{minutes} min {rest} s" if minutes else f"{rest} s"
    return f"{minutes // 60} h {minutes % 60} min"


def local(workers: int):
    """Makes clients of a cluster on this machine, which ends with them."""

    @contextmanager
    def connect():
        with dask.config.set(QUIET), LocalCluster(
            n_workers=workers, threads_per_worker=1, processes=False, dashboard_address=":0"
        ) as cluster, Client(cluster) as client:
            start()
            try:
                yield client
            finally:
                stop()

    return connect


def remote(address: str):
    """Makes clients of a cluster whose scheduler has an address."""
    return lambda: Client(address, timeout="20s")
