"""How large tasks must be, by a simulation of a scheduler with many workers."""

from __future__ import annotations

import heapq
import time


def utilisation(workers: int, seconds: float, overhead: float, ahead: int = 1, tasks: int = 20):
    """The share of time in which workers work.

    A scheduler serves one task at a time and needs `overhead` seconds for each; `ahead` tasks wait
    at each worker. Returns that share for `tasks` tasks of each worker.
    """
    # The scheduler works through requests in the order in which they come.
    requests = [(0.0, worker) for worker in range(workers) for _ in range(1 + ahead)]
    heapq.heapify(requests)
    free = [0.0] * workers
    done = [0] * workers
    scheduler = 0.0
    busy = idle = 0.0
    while requests:
        moment, worker = heapq.heappop(requests)
        if done[worker] == tasks:
            continue
        done[worker] += 1
        scheduler = max(scheduler, moment) + overhead
        # Tasks take turns that differ, so that not all ask at once.
        length = seconds * (0.9 + 0.2 * ((worker * 2654435761 + done[worker] * 40503) % 1000) / 1000)
        start = max(free[worker], scheduler)
        if done[worker] > 2:
            # The first tasks are handed out one after the other; a campaign is much longer than that.
            idle += start - free[worker]
            busy += length
        free[worker] = start + length
        heapq.heappush(requests, (free[worker], worker))
    return busy / (busy + idle)


def overhead(tasks: int = 2000, workers: int = 32) -> float:
    """The seconds that a scheduler with many small workers needs for an empty task."""
    from distributed import Client, LocalCluster

    with LocalCluster(
        n_workers=workers, threads_per_worker=1, processes=False, dashboard_address=":0"
    ) as cluster, Client(cluster) as client:
        client.gather(client.map(abs, range(workers), pure=False))
        begun = time.monotonic()
        client.gather(client.map(abs, range(tasks), pure=False))
        return (time.monotonic() - begun) / tasks


def main() -> int:
    cost = overhead()
    print(f"{cost * 1000:.2f} ms for each task, with 32 workers in one process of this machine")
    print("workers   seconds a task   scheduler busy   workers idle")
    for workers in (100, 1000, 10_000):
        for seconds in (1, 10, 60, 300):
            share = utilisation(workers, seconds, cost, tasks=8)
            load = min(1.0, workers / seconds * cost)
            print(f"{workers:7}   {seconds:14}   {load:13.1%}   {1 - share:12.2%}")
    return 0
