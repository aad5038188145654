"""The checks of runs by a real clock: adapter.py, right and with defects, in a few scenarios."""

import json
import os
import subprocess
import sys
import unittest
from pathlib import Path

ADAPTER = str(Path(__file__).resolve().parent / "adapter.py")

SCENARIOS = [
    "writes/no-listener-needed", "events/moved-by-value", "transactions/three-in-a-row",
    "faults/acknowledgement-lost", "on-disconnect/set-when-cut", "access/refused-listen-is-cancelled",
]


def run(scenarios, *defect, options=()):
    command = [
        os.environ["KENNEL"], "run", *scenarios, "--profile", "firebase", "--format", "json",
        *options, "--", sys.executable, ADAPTER, *defect]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    return done, [line for line in lines if "verdict" in line]


class RealClock(unittest.TestCase):
    def setUp(self):
        try:
            import websockets  # noqa: F401
        except ImportError:
            self.skipTest("websockets, from PyPI, is not there")

    def verdicts(self, *words, **more):
        done, runs = run(*words, **more)
        self.assertTrue(runs, done.stderr)
        return done, {run["scenario"]: run["verdict"] for run in runs}

    def test_a_right_client_never_fails(self):
        for carriage in ([], ["--frames"]):
            with self.subTest(carriage=carriage):
                done, verdicts = self.verdicts(SCENARIOS, *carriage, options=["--jobs", "6"])
                self.assertIn(done.returncode, (0, 3), done.stdout + done.stderr)
                self.assertNotIn("fail", verdicts.values())
                passed = [v for v in verdicts.values() if v == "pass"]
                self.assertGreaterEqual(len(passed), len(SCENARIOS) - 1, verdicts)

    def test_a_defect_is_red_and_explains_itself(self):
        done, runs = run(["events/moved-by-value"], "--defect", "doubled-value",
                         options=["--patience", "300"])
        # On a machine that cannot keep its time nothing can be told.
        self.assertIn(runs[0]["verdict"], ("fail", "inconclusive"), done.stdout)
        if runs[0]["verdict"] == "fail":
            self.assertEqual(done.returncode, 1)
            self.assertIn("in 3 runs of 3", json.dumps(runs[0]))

    def test_what_does_not_come_again_is_inconclusive(self):
        done, runs = run(["writes/no-listener-needed"], "--defect", "once-dropped-write",
                         options=["--patience", "300"])
        self.assertEqual(runs[0]["verdict"], "inconclusive", done.stdout)
        self.assertIn("the first run diverged, and the second ended with pass", runs[0]["reason"])
        self.assertEqual(done.returncode, 3)
