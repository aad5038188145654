"""Checks that `kennel run --server-command` finds what a server does wrong: the kit's own, with each defect that
clients can see without rules. KENNEL names the program.

    python3 tools/live/servers.py
"""

import json
import os
import subprocess
import unittest
from concurrent.futures import ThreadPoolExecutor

KENNEL = os.environ["KENNEL"]

# Where each defect shows. Whether minutes are all that a server's clock shows depends on when one looks.
DEFECTS = {
    "tells-old-data": "limits/refill-after-foreign-removal",
    "answers-before-writing": "writes/local-echo",
    "answers-before-telling": "callbacks/set-in-a-child-event",
    "answers-before-listen-data": "limits/refill-after-foreign-removal",
    "repeats-on-disconnects": "on-disconnect/earlier-parts-under-a-later-mapping",
    "forgets-on-disconnects": "on-disconnect/set-when-cut",
    "reverses-on-disconnects": "on-disconnect/in-order-of-registration",
    "cancels-everything": "on-disconnect/cancel-spares-what-is-beside",
    "tells-one-listen-of-a-place": "limits/parts-foreign-everything",
    "hashes-without-priorities": "transactions/hash-of-a-leaf-with-a-priority",
    "ignores-hashes": "transactions/conflict-runs-again",
    "merges-are-sets": "writes/update-is-one-shallow-merge",
    "tells-merges-in-parts": "events/crowd-foreign-several-children",
    "trusts-every-hash": "connection/difference-after-reconnection",
    "increments-twice": "server-values/increment",
}


def verdicts(scenarios, *options):
    """The verdict of each scenario against a server with these options."""
    server = " ".join(['"$KENNEL" serve --port {port}', *options])
    done = subprocess.run(
        [KENNEL, "run", *scenarios, "--profile", "firebase", "--patience", "500", "--format", "json",
         "--server-command", server],
        capture_output=True, text=True, timeout=300)
    runs = [json.loads(line) for line in done.stdout.splitlines()]
    return {run["scenario"]: run["verdict"] for run in runs if "verdict" in run}, done


class Defects(unittest.TestCase):
    def test_the_right_server_passes_where_each_defect_shows(self):
        found, done = verdicts(sorted(set(DEFECTS.values())))
        self.assertEqual(set(found.values()), {"pass"}, f"{found}\n{done.stderr}")

    def test_each_defect_is_found(self):
        def run(defect):
            return defect, verdicts([DEFECTS[defect]], "--defect", defect)

        with ThreadPoolExecutor(4) as pool:
            for defect, (found, done) in pool.map(run, DEFECTS):
                with self.subTest(defect=defect):
                    self.assertEqual(found, {DEFECTS[defect]: "fail"}, done.stdout + done.stderr)


if __name__ == "__main__":
    unittest.main(verbosity=2)
