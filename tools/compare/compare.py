"""Compares kennel with what would be used instead, on one machine and in one run."""

import argparse
import subprocess
import sys
import time
from importlib.metadata import version

import exchange
import machine


def kennel(program, quick):
    """Returns the figures of `kennel bench` that are compared, by their names."""
    names = ["kernel", "campaign", "scenarios"]
    command = [program, "bench", "--color=never", *(["--quick"] if quick else []), *names]
    run = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    figures = {}
    for line in run.stdout.splitlines():
        words = line.split()
        if words and words[0] in names:
            figures[words[0]] = float(words[1])
    missing = [name for name in names if name not in figures]
    if missing:
        sys.exit(f"compare: {program} printed no figure for {', '.join(missing)}:\n{run.stdout}{run.stderr}")
    return figures


def seconds(body, *arguments):
    """Returns how long a call took, and what it returned."""
    began = time.perf_counter()
    result = body(*arguments)
    return time.perf_counter() - began, result


def main():
    parser = argparse.ArgumentParser(
        prog="tools/compare/run", description="Compares kennel with SimPy and Hypothesis.")
    parser.add_argument("--quick", action="store_true", help="take seconds; rougher figures")
    parser.add_argument("--kennel", metavar="PROGRAM", help="the program, tools/kennel if not given")
    parser.add_argument("--default-kennel", help=argparse.SUPPRESS)
    options = parser.parse_args()

    own = kennel(options.kennel or options.default_kennel, options.quick)
    # Two show at least whether the exchange repeats itself.
    rounds = 2 if options.quick else 5
    requests = 3_000 if options.quick else 30_000
    simulated = [seconds(exchange.run, requests) for _ in range(rounds)]
    if len({trace for _, trace in simulated}) != 1:
        sys.exit("compare: two runs of the same exchange differ")
    per_event = min(took / events * 1e9 for took, (events, _) in simulated)

    drawn = [seconds(machine.run, 100 if options.quick else 500, 50) for _ in range(rounds)]
    rate = max(scenarios / took for took, (scenarios, _) in drawn)
    steps = drawn[0][1][1] / drawn[0][1][0]

    print(f"a simulated exchange of messages, an event\n"
          f"  kennel             {own['kernel']:10.1f} ns\n"
          f"  SimPy {version('simpy'):<12} {per_event:10.1f} ns   {per_event / own['kernel']:.1f} times\n"
          f"drawn scenarios, a second\n"
          f"  kennel             {own['scenarios']:10.0f}      whole clients, some 160 events, all invariants\n"
          f"  Hypothesis {version('hypothesis'):<7} {rate:10.0f}      a client of 25 lines, {steps:.0f} steps, "
          f"two invariants   {own['scenarios'] / rate:.1f} times")


if __name__ == "__main__":
    main()
