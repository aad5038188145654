"""Runs the checks of this project: see tools/test."""
import argparse
import os
import subprocess
import sys
import tempfile
import time

import changed
import schedule
import table
import tally


def arguments(words):
    parser = argparse.ArgumentParser(
        prog="tools/test", description="Checks what a change needs, or everything.",
        epilog="Exit codes: 0 nothing failed, 1 something did, 2 wrong usage, 4 something has to be "
        "installed by hand first.")
    parser.add_argument(
        "--all", action="store_const", const="release", dest="tier", default="change",
        help="also what a release needs, which takes longer")
    parser.add_argument(
        "--nightly", action="store_const", const="nightly", dest="tier",
        help="also what is for a night, which takes hours")
    parser.add_argument(
        "--changed", nargs="?", const="", metavar="COMMIT",
        help="only what files changed since a commit can reach (default: since the last one)")
    parser.add_argument(
        "--only", metavar="NAME", action="append", default=[],
        help="only this check, with what it needs; may be repeated")
    parser.add_argument(
        "--slowest", action="store_true",
        help="also name the slowest checks and cases of tests; tests run one after another then")
    parser.add_argument("--list", action="store_true", help="print the table of checks and stop")
    parser.add_argument(
        "--rewrite", action="store_true",
        help="write the expected texts of Tests/Mistakes and Tests/Transcripts again, for review")
    return parser.parse_args(words)


def with_needs(checks, names):
    """The checks with these names, and all that they need, in the order of the table."""
    wanted = set(names)
    for check in reversed(checks):
        if check.name in wanted:
            wanted |= set(check.needs)
    return [check for check in checks if check.name in wanted]


def selected(options, rows):
    checks = list(rows.tier(options.tier))
    if options.only:
        return with_needs(list(rows.checks), options.only), None
    if options.changed is None:
        return checks, None
    files = changed.files_since(options.changed)
    modules = changed.Modules.of_this_package()
    tests = modules.tests_reached(files)
    names = [
        c.name for c in checks
        if changed.is_reached(modules.reach(c.reach + c.scripts), files)]
    if tests:
        names.append("tests")
    print(f"{len(files)} changed files reach {len(tests)} of {len(modules.tests)} test targets")
    return with_needs(checks, names), tests


class Report:
    """Prints what came of each check, and keeps the sum."""

    def __init__(self, rows, slowest):
        self.rows = rows
        self.slowest = slowest
        self.sum = tally.Tally()
        self.finished = []

    def add(self, check, result):
        count = tally.of(check, result)
        self.sum = self.sum.adding(count)
        self.finished.append((check, result))
        print(f"\n== {check.name}   {result.seconds:.1f} s")
        if result.state == "failed":
            print(result.text, end="" if result.text.endswith("\n") else "\n")
        elif result.state == "skipped":
            print("skipped  " + last_line(result.text))
        elif check.counts:
            print(result.text.rstrip() if self.slowest else count)
        else:
            print("ok")
        sys.stdout.flush()

    def close(self, seconds, left_out):
        self.print_shares(seconds)
        if self.slowest:
            self.print_slowest()
        if left_out:
            print(f"\nleft to tools/test --all or --nightly: {', '.join(left_out)}")
        failed = [check.name for check, result in self.finished if result.state == "failed"]
        if failed:
            print(f"\nfailed: {', '.join(failed)}")
        print(f"\n{self.sum}")
        return 1 if self.sum.failed else 0

    def print_shares(self, seconds):
        total = sum(result.processor for _, result in self.finished) or 1
        print(f"\n{seconds / 60:.1f} min; processor time {total / 60:.1f} min:")
        for check, result in sorted(self.finished, key=lambda row: -row[1].processor):
            share = result.processor / total
            if share >= 0.005:
                print(f"  {share:6.1%}  {result.processor:7.1f} s  {check.name}")

    def print_slowest(self):
        slow = [
            f"  {result.processor:7.1f} s  {check.name}" + (
                f": {check.reason}" if check.reason else ", and the table gives no reason")
            for check, result in self.finished
            if result.processor > 10 and check.tier == table.TIERS[0]]
        print("\nchecks of the first tier with more than 10 s of processor time:")
        print("\n".join(slow) or "  none")


def last_line(text):
    lines = text.strip().splitlines()
    return lines[-1] if lines else "no reason was given"


def environment(options, log, tests):
    variables = dict(os.environ)
    variables.update(CHECKS_LOG=log, PYTHONDONTWRITEBYTECODE="1")
    variables["CHECKS_SLOWEST"] = "1" if options.slowest else ""
    variables["CHECKS_TESTS"] = "" if tests is None else "|".join(f"^{t}\\." for t in tests)
    return variables


def rewrite():
    subprocess.run([sys.executable, "tools/checks/map.py"], cwd=table.HOME)
    variables = {**os.environ, "KENNEL_REWRITE": "1"}
    words = ["tools/swift", "test", "--filter", "TranscriptTests|MistakeTests|MistakeFileTests"]
    status = subprocess.run(["bash", *words], cwd=table.HOME, env=variables).returncode
    subprocess.run(
        ["git", "status", "--short", "Tests/Mistakes", "Tests/Transcripts", "Specs/map.md"], cwd=table.HOME)
    print("read what changed with git diff, then commit it")
    return status


def main(words):
    options = arguments(words)
    try:
        rows = table.load()
    except table.TableError as error:
        print(f"tools/test: tools/checks/checks.toml: {error}", file=sys.stderr)
        return 2
    if options.list:
        print(table.markdown(rows), end="")
        return 0
    if options.rewrite:
        return rewrite()
    names = {check.name for check in rows.checks}
    for name in options.only:
        if name not in names:
            print(f'tools/test: there is no check "{name}"; --list names them', file=sys.stderr)
            return 2
    checks, tests = selected(options, rows)
    began = float(os.environ.get("CHECKS_BEGAN", time.time()))
    report = Report(rows, options.slowest)
    with tempfile.TemporaryDirectory() as log:
        variables = environment(options, log, tests)
        schedule.Schedule(
            checks, lambda check: schedule.run_command(check, variables)).go(report.add)
    here = rows.tier(options.tier)
    left = [] if options.only else [check.name for check in rows.checks if check not in here]
    return report.close(time.time() - began, left)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
