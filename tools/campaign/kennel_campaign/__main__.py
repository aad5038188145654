"""The command line: see README.md."""

from __future__ import annotations

import argparse
import os
import shutil
import signal
import sys

from .plan import GUIDED_CHUNK, Plan, Refused, identity, names
from .store import Store


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="tools/campaign/run", description="Runs the kit on a Dask cluster."
    )
    parser.add_argument("kind", choices=["hunt", "explore", "mutants", "simulate"])
    parser.add_argument("folder", nargs="?", help="a directory, or an fsspec URL, for the results")
    parser.add_argument("--seeds", metavar="A..B", help="of a hunt: the seeds")
    parser.add_argument(
        "--chunk", type=int, help="seeds of a task, or scenarios, or mutants; a hunt: 65536"
    )
    parser.add_argument("--scheduler", help="the address of a scheduler; else a local cluster")
    parser.add_argument("--workers", type=int, default=os.cpu_count(), help="of a local cluster")
    parser.add_argument("--kennel", default="kennel", help="the program, as the workers have it")
    parser.add_argument("--merged", help="where the whole is kept; FOLDER/merged unless stated")
    parser.epilog = "What follows -- goes to the kit."
    given = sys.argv[1:]
    end = given.index("--") if "--" in given else len(given)
    options = parser.parse_args(given[:end])
    options.words = given[end + 1 :]
    return options


def plan(options: argparse.Namespace, program: str) -> Plan:
    kit = identity(program)
    words = tuple(options.words)
    if options.kind != "hunt":
        # Scenarios and mutants come first, and are named by the tasks.
        end = next((n for n, word in enumerate(words) if word.startswith("-")), len(words))
        found = names(program, words[:end], options.kind)
        if not found:
            raise Refused("there is nothing to run; name scenarios or mutants after --")
        words = words[end:]
        return Plan(options.kind, words, chunk=options.chunk or 8, names=found, kit=kit)
    parts = (options.seeds or "").split("..")
    if len(parts) != 2 or not all(part.isdigit() for part in parts):
        raise Refused(f'--seeds needs two whole numbers, such as 1..1000000, not "{options.seeds}"')
    chunk = options.chunk or 64 * GUIDED_CHUNK
    if chunk % GUIDED_CHUNK and "--chunk" not in words:
        raise Refused(f"--chunk needs a multiple of {GUIDED_CHUNK}, not {chunk}")
    return Plan("hunt", words, (int(parts[0]), int(parts[1])), chunk, kit=kit)


def interrupt(*_: object) -> None:
    raise KeyboardInterrupt


def main() -> int:
    options = arguments()
    signal.signal(signal.SIGTERM, interrupt)
    if options.kind == "simulate":
        from .simulate import main as simulate

        return simulate()
    from .campaign import Campaign, local, remote

    program = shutil.which(options.kennel)
    if program is None or options.folder is None:
        missing = "a folder for the results" if program else f"the program {options.kennel}"
        print(f"kennel: {missing} is missing; see tools/campaign/README.md", file=sys.stderr)
        return 2
    program = os.path.abspath(program)
    connect = remote(options.scheduler) if options.scheduler else local(options.workers)
    try:
        store = Store(options.folder)
        wanted = plan(options, program)
        campaign = Campaign(wanted, store, program)
        left = campaign.run(connect)
        if left:
            print(f"kennel: gave up on {', '.join(left)}; the same command tries again")
            return 3
        suffix = "merged" if wanted.kind == "hunt" else f"{wanted.kind}.jsonl"
        output = options.merged or os.path.join(
            options.folder if "://" not in options.folder else ".", suffix
        )
        print(store.merge(wanted.kind, program, output), end="")
        if wanted.kind == "hunt":
            print(campaign.took(), file=sys.stderr)
    except Refused as error:
        print(f"kennel: {error}", file=sys.stderr)
        return 2
    except OSError as error:
        print(f"kennel: {error}; the same command goes on", file=sys.stderr)
        return 4
    except KeyboardInterrupt:
        print("kennel: stopped; the same command goes on", file=sys.stderr)
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
