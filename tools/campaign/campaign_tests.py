"""Tests of campaigns, with the kit as it is built, on clusters of this machine."""

from __future__ import annotations

import filecmp
import io
import json
import os
import signal
import socket
import stat
import subprocess
import sys
import tempfile
import threading
import time
import traceback

from distributed.client import FutureCancelledError
from distributed.comm import CommClosedError
from distributed.scheduler import KilledWorker
import kennel_campaign.store
from kennel_campaign.campaign import Campaign, duration, local, remote
from kennel_campaign.plan import Plan, Refused, identity
from kennel_campaign.store import Store

PROGRAM = os.path.abspath(sys.argv[1])
WORDS = ("--size", "30", "--chunk", "8", "--client", "value-first", "--no-shrink")


def plan(last: int = 160) -> Plan:
    return Plan("hunt", WORDS, (1, last), 8, kit=identity(PROGRAM))


def hunted(folder: str, connect, log=None) -> str:
    """Runs a campaign and merges it; returns where."""
    store = Store(folder)
    left = Campaign(plan(), store, PROGRAM, log or io.StringIO()).run(connect)
    assert not left, left
    merged = os.path.join(folder, "merged")
    store.merge("hunt", PROGRAM, merged)
    return merged


def same(left: str, right: str) -> None:
    """Whether two folders have the same files with the same bytes."""
    for base, _, files in os.walk(left):
        for name in files:
            path = os.path.join(base, name)
            other = os.path.join(right, os.path.relpath(path, left))
            assert filecmp.cmp(path, other, shallow=False), f"{path} differs from {other}"
    count = [sum(len(files) for _, _, files in os.walk(folder)) for folder in (left, right)]
    assert count[0] == count[1], f"{count[0]} files, and {count[1]}"


class Cluster:
    """A scheduler and workers, each a process that can be killed."""

    def __init__(self, workers: int = 2):
        with socket.socket() as found:
            found.bind(("127.0.0.1", 0))
            self.port = found.getsockname()[1]
        self.address = f"tcp://127.0.0.1:{self.port}"
        self.scheduler = self.start_scheduler()
        self.workers = [self.start_worker() for _ in range(workers)]

    def start(self, *words: str, **environment: str) -> subprocess.Popen:
        command = [os.path.join(os.path.dirname(sys.executable), "dask"), *words]
        return subprocess.Popen(
            command,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env=os.environ | environment,
        )

    def start_scheduler(self) -> subprocess.Popen:
        words = ["--port", str(self.port), "--host", "127.0.0.1", "--no-dashboard"]
        return self.start("scheduler", *words)

    def start_worker(self, name: str | None = None, **environment: str) -> subprocess.Popen:
        words = ["worker", self.address, "--no-nanny", "--nthreads", "1", "--no-dashboard"]
        words += ["--death-timeout", "60"] + (["--name", name] if name else [])
        return self.start(*words, **environment)

    def kill_worker(self) -> None:
        worker = self.workers.pop(0)
        worker.send_signal(signal.SIGKILL)
        worker.wait()
        self.workers.append(self.start_worker())

    def kill_scheduler(self) -> None:
        self.scheduler.send_signal(signal.SIGKILL)
        self.scheduler.wait()
        self.scheduler = self.start_scheduler()

    def __enter__(self) -> "Cluster":
        return self

    def __exit__(self, *_: object) -> None:
        for process in [*self.workers, self.scheduler]:
            process.kill()
            process.wait()


def test_a_campaign_equals_one_hunt(folder: str) -> None:
    merged = hunted(os.path.join(folder, "campaign"), local(2))
    whole, again = os.path.join(folder, "whole"), os.path.join(folder, "again")
    words = [PROGRAM, "hunt", *WORDS, "--seeds", "1..160", "--jobs", "2", "--output", whole]
    subprocess.run(words, capture_output=True, check=False)
    subprocess.run([PROGRAM, "report", "merge", whole, "-o", again], capture_output=True, check=False)
    for name in ("campaign.json", "states.txt", "chunks.jsonl"):
        texts = []
        for path in (merged, again):
            with open(os.path.join(path, name), encoding="utf-8") as file:
                texts.append(sorted(file))
        assert texts[0] == texts[1], name
    for path in (whole, merged):
        assert kept_seeds(path) and kept_seeds(path) <= first_seeds(path), path


def lines(path: str, name: str) -> list[str]:
    with open(os.path.join(path, name), encoding="utf-8") as file:
        return file.read().splitlines()


def kept_seeds(path: str) -> set[str]:
    """The seeds of the recipes that results have kept."""
    return {line.split("@")[0] for line in lines(path, "recipes.txt")}


def first_seeds(path: str) -> set[str]:
    """The seeds that were ever among the first of a state."""
    return {seed for line in lines(path, "states.txt") for seed in line.split(":")[1].split(",")}


def test_killed_workers_and_a_killed_scheduler_change_nothing(folder: str) -> None:
    calm = hunted(os.path.join(folder, "calm"), local(2))
    kills = []

    def disturb(cluster: Cluster) -> None:
        while len(kills) < 20:
            time.sleep(0.4)
            cluster.kill_worker()
            kills.append(time.monotonic())
            if len(kills) == 10:
                cluster.kill_scheduler()

    with Cluster() as cluster:
        thread = threading.Thread(target=disturb, args=(cluster,))
        thread.start()
        wild = hunted(os.path.join(folder, "wild"), remote(cluster.address))
        thread.join(60)
    assert len(kills) == 20, kills
    same(calm, wild)


class Lost:
    """A task whose worker died before its result was fetched."""

    task = plan().tasks()[0]

    def __init__(self, then: str, error: Exception):
        self.status, self.then, self.error = "finished", then, error

    def result(self):
        self.status = self.then
        raise self.error

    def exception(self):
        return self.error


def test_a_result_that_is_lost_on_the_way_is_computed_again(folder: str) -> None:
    campaign = Campaign(plan(), Store(folder), PROGRAM, io.StringIO())
    gone = Lost("cancelled", FutureCancelledError("1", "lost"))
    try:
        campaign._take(None, gone)
    except CommClosedError as error:
        assert str(error) == "a task was cancelled", error
    else:
        raise AssertionError("it was taken")
    killed = Lost("error", KilledWorker("1", None, 3))
    assert campaign._take(None, killed) is killed.task
    assert not campaign.failures
    failed = Lost("error", ValueError("it has no disk"))
    assert campaign._take(None, failed) is failed.task
    assert campaign.failures[failed.task.name] == 1
    assert f"{failed.task.name} failed: it has no disk" in campaign.log.getvalue()


def test_a_worker_with_another_kit_is_rejected_by_name(folder: str) -> None:
    fake = os.path.join(folder, "kennel")
    with open(fake, "w", encoding="utf-8") as file:
        file.write("#!/bin/sh\necho kennel 0.0.9\n")
    os.chmod(fake, stat.S_IRWXU)
    log = io.StringIO()
    with Cluster(workers=1) as cluster:
        cluster.workers.append(cluster.start_worker("stranger", KENNEL_PROGRAM=fake))
        time.sleep(4)
        hunted(os.path.join(folder, "campaign"), remote(cluster.address), log)
    assert "rejected worker stranger at" in log.getvalue(), log.getvalue()
    assert "it has kennel 0.0.9" in log.getvalue()


def test_a_full_disk_ends_a_campaign_that_goes_on_later(folder: str) -> None:
    path = os.path.join(folder, "campaign")
    store = Store(path)
    write = store._write
    written = []

    def fail(target: str, data: bytes) -> None:
        written.append(target)
        if len(written) == 6:
            raise OSError(28, "No space left on device")
        write(target, data)

    store._write = fail
    try:
        Campaign(plan(), store, PROGRAM, io.StringIO()).run(local(2))
    except OSError as error:
        assert error.errno == 28, error
    else:
        raise AssertionError("the campaign went on")
    log = io.StringIO()
    merged = hunted(path, local(2), log)
    assert " parts are there already" in log.getvalue()
    same(hunted(os.path.join(folder, "other"), local(2)), merged)


class Command:
    """The campaign of `plan`, or one of more seeds, as a command in a process of its own."""

    def __init__(self, folder: str, last: int = 160, chunk: int = 8):
        words = [sys.executable, "-m", "kennel_campaign", "hunt", folder, "--kennel", PROGRAM]
        words += ["--seeds", f"1..{last}", "--workers", "2", "--chunk", str(chunk), "--", *WORDS]
        # What it starts writes below a folder of its own, by which it is known.
        self.scratch = os.path.join(os.path.dirname(folder), "scratch")
        os.makedirs(self.scratch, exist_ok=True)
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(
            words, stdout=pipe, stderr=pipe, text=True, env=os.environ | {"TMPDIR": self.scratch}
        )

    def hunts(self) -> list[str]:
        """The processes of the kit that work for it."""
        found = []
        for name in os.listdir("/proc"):
            try:
                with open(f"/proc/{name}/cmdline", "rb") as file:
                    words = file.read().decode(errors="replace").split("\0")
            except OSError:
                continue
            if "hunt" in words and any(word.startswith(self.scratch) for word in words):
                found.append(name)
        return found


def test_an_interrupted_campaign_goes_on_and_says_how_long_all_took(folder: str) -> None:
    path = os.path.join(folder, "campaign")
    first = Command(path)
    parts = os.path.join(path, "parts")
    while not os.path.isdir(parts) or len(os.listdir(parts)) < 6:
        time.sleep(0.05)
        assert first.process.poll() is None, first.process.communicate()
    first.process.send_signal(signal.SIGTERM)
    _, said = first.process.communicate(timeout=60)
    assert first.process.returncode == 130, said
    assert "the same command goes on" in said, said
    there = Store(path).done().values()
    assert 3 <= len(there) < 21, len(there)
    before = sum(summary["seconds"] for summary in there)
    second = Command(path)
    _, said = second.process.communicate(timeout=300)
    assert second.process.returncode == 0, said
    last = said.splitlines()[-1]
    assert last.startswith("160 scenarios in ") and last.endswith(" a second"), last
    whole = sum(summary["seconds"] for summary in Store(path).done().values())
    assert whole > before and duration(whole) in last, (before, whole, last)
    same(hunted(os.path.join(folder, "calm"), local(2)), os.path.join(path, "merged"))


def test_an_interrupted_campaign_leaves_no_kit_behind(folder: str) -> None:
    command = Command(os.path.join(folder, "campaign"), last=8_000_000, chunk=4_000_000)
    while len(command.hunts()) < 2:
        time.sleep(0.05)
        assert command.process.poll() is None, command.process.communicate()
    command.process.send_signal(signal.SIGTERM)
    _, said = command.process.communicate(timeout=60)
    left = command.hunts()
    for name in left:
        os.kill(int(name), signal.SIGKILL)
    assert command.process.returncode == 130 and not left, (said, left)


def test_times_are_told_in_the_two_units_that_matter(_: str) -> None:
    told = [duration(seconds) for seconds in (4.4, 184, 3599.7, 7384)]
    assert told == ["4 s", "3 min 4 s", "1 h 0 min", "2 h 3 min"], told


def test_many_parts_are_merged_group_by_group(folder: str) -> None:
    whole = hunted(os.path.join(folder, "campaign"), local(2))
    store = Store(os.path.join(folder, "campaign"))
    unpacked = []
    extract = store._extract

    def note(task: str, target: str) -> None:
        extract(task, target)
        unpacked.append(len(os.listdir(os.path.dirname(target))))

    store._extract = note
    kennel_campaign.store.MERGED_AT_ONCE = 8
    try:
        store.merge("hunt", PROGRAM, os.path.join(folder, "again"))
    finally:
        kennel_campaign.store.MERGED_AT_ONCE = 64
    assert max(unpacked) == 8 and len(unpacked) == 21, unpacked
    same(whole, os.path.join(folder, "again"))


def test_another_campaign_is_refused(folder: str) -> None:
    store = Store(folder)
    store.begin(plan())
    try:
        store.begin(plan(last=80))
    except Refused as error:
        assert "has another campaign: its seeds is (1, 160), not (1, 80)" in str(error), error
    else:
        raise AssertionError("it was taken")


def test_a_part_that_was_cut_off_does_not_count(folder: str) -> None:
    store = Store(folder)
    store.add("1", b"archive", {"runs": 1, "kinds": {}, "states": 0})
    for name in ("2.tar.gz.part", "3.tar.gz", "4.json.part"):
        with open(os.path.join(folder, "parts", name), "wb") as file:
            file.write(b"cut")
    assert list(store.done()) == ["1"]


def test_scenarios_are_explored_by_the_command(folder: str) -> None:
    words = [sys.executable, "-m", "kennel_campaign", "explore", folder, "--kennel", PROGRAM]
    scenarios = ["races/last-writer-wins", "races/two-writers-at-once"]
    words += ["--workers", "1", "--chunk", "1", "--", *scenarios, "--profile", "firebase"]
    root = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
    done = subprocess.run(words, capture_output=True, text=True, check=False, cwd=root)
    assert done.returncode == 0, done.stderr
    with open(os.path.join(folder, "explore.jsonl"), encoding="utf-8") as file:
        lines = [json.loads(line) for line in file]
    found = [line["scenario"] for line in lines if "scenario" in line]
    assert found == scenarios, found


def main() -> int:
    tests = [(name, body) for name, body in globals().items() if name.startswith("test_")]
    failed = 0
    for name, body in tests:
        begun = time.monotonic()
        with tempfile.TemporaryDirectory(prefix="kennel-campaign-") as folder:
            try:
                body(folder)
                verdict = "ok"
            except Exception:
                failed += 1
                verdict = "FAIL\n" + traceback.format_exc()
        title = name.removeprefix("test_").replace("_", " ")
        print(f"{title}   {time.monotonic() - begun:.1f} s   {verdict}", flush=True)
    print(f"{len(tests) - failed} passed, {failed} failed, 0 skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
