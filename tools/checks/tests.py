"""Runs the tests of the build that is there, and counts their cases.

Takes the log of the run in the folder that CHECKS_LOG names. CHECKS_TESTS is a pattern of the tests to
run, all unless stated, and CHECKS_SKIP one of tests to leave out. With CHECKS_SLOWEST they run one after
another, so that the time of each case is its own, and the slowest are named. The last line is "N passed,
N failed, N skipped": each case of a parametrised test counts, and each test without arguments.
"""
import json
import os
import subprocess
import sys

import table


def records(path):
    try:
        with open(path, encoding="utf-8") as lines:
            for line in lines:
                record = json.loads(line)
                yield record["kind"], record["payload"]
    except (OSError, ValueError):
        return  # A run that crashed leaves no whole file.


class Events:
    """What the events of a run say of each case."""

    def __init__(self, path):
        self.parametrised, self.began = set(), {}
        self.seconds, self.failed, self.skipped, self.issues = {}, set(), set(), []
        for kind, payload in records(path):
            if kind == "test":
                if payload.get("isParameterized"):
                    self.parametrised.add(payload["id"])
            elif "testID" in payload and ".swift:" in payload["testID"]:
                self.add(payload)

    def add(self, event):
        test = event["testID"]
        case = event.get("_testCase", {})
        key = (test, case.get("id", ""), case.get("displayName", ""))
        name = event["kind"]
        if name == "issueRecorded":
            if not event["issue"].get("isKnown") and event["issue"].get("severity") != "warning":
                self.failed.add(key)
                self.issues.append(self.text(event, case))
        elif name == "testSkipped":
            self.skipped.add(key)
        elif name in ("testStarted", "testCaseStarted"):
            self.began[key] = event["instant"]["absolute"]
        elif name in ("testEnded", "testCaseEnded") and key in self.began:
            # A parametrised test is its cases.
            if case or test not in self.parametrised:
                self.seconds[key] = event["instant"]["absolute"] - self.began[key]

    @staticmethod
    def text(event, case):
        """Where a test failed, in which case, and in what."""
        place = event["issue"].get("sourceLocation", {})
        file = os.path.relpath(place["_filePath"], table.HOME) if "_filePath" in place else "?"
        name = event["testID"].split("/")[1]
        lines = [f"{file}:{place.get('line', '?')}: {name} {case.get('displayName', '')}".rstrip()]
        return "\n  ".join(lines + [message["text"] for message in event.get("messages", [])])

    def tally(self):
        failed = {key for key in self.failed if key in self.seconds or not key[1]}
        passed = len(self.seconds) - len(failed & set(self.seconds))
        return f"{passed} passed, {len(failed)} failed, {len(self.skipped)} skipped"

    def print_slowest(self, reasons):
        rows = sorted(self.seconds.items(), key=lambda row: (-row[1], row[0]))[:20]
        print("slowest cases:")
        for (test, _, display), seconds in rows:
            name = test.split("/")[1] if "/" in test else test
            why = next((why for part, why in reasons.items() if part in test + display), "")
            late = seconds > 10 and not why
            note = ", and the table gives no reason" if late else why and f"  ({why})"
            print(f"{seconds:8.2f} s  {test.split('.')[0]} {name} {display}{note}")


def main():
    folder = os.environ["CHECKS_LOG"]
    path = os.path.join(folder, "events")
    words = [
        "tools/swift", "test", "--skip-build", "--event-stream-version", "0",
        "--event-stream-output-path", path]
    if pattern := os.environ.get("CHECKS_TESTS"):
        words += ["--filter", pattern]
    if pattern := os.environ.get("CHECKS_SKIP"):
        words += ["--skip", pattern]
    slowest = bool(os.environ.get("CHECKS_SLOWEST"))
    if slowest:
        words += ["--no-parallel"]
    run = subprocess.run(
        ["bash", *words], cwd=table.HOME, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, text=True, errors="replace")
    events = Events(path)
    if run.returncode:
        # What tests print themselves helps only where the run itself broke down.
        print("\n".join(events.issues) if events.issues else run.stdout)
    if slowest:
        events.print_slowest(table.load().slow_tests)
    print(events.tally())
    sys.exit(0 if run.returncode == 0 else 1)


main()
