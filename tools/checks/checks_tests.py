"""Tests of the table of checks, of their order, their sum, and of what changed files reach."""
import io
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import unittest
from contextlib import redirect_stdout
from pathlib import Path

import changed
import fuzzing
import run
import schedule
import table
import tally
from table import Check


def check(name, **keys):
    return Check(**{
        "name": name, "tier": "change", "command": "true", "protects": "p", "seconds": 1, **keys})


def read(text):
    with tempfile.NamedTemporaryFile("w", suffix=".toml") as file:
        file.write(text)
        file.flush()
        return table.load(file.name)


ROW = """[[check]]
name = "a"
tier = "change"
command = "true"
protects = "p"
seconds = 1
reach = []
"""


class Table(unittest.TestCase):
    def test_every_check_is_in_a_tier_and_says_what_it_protects(self):
        rows = table.load().checks
        self.assertGreater(len(rows), 25)
        self.assertEqual({row.tier for row in rows}, set(table.TIERS))

    def test_slow_checks_of_the_first_tier_have_a_reason(self):
        for row in table.load().tier("change"):
            if row.seconds * min(row.cores, 1) > 10:
                self.assertTrue(row.reason or row.cores <= 0.5, f"{row.name}: add a reason")

    def test_a_tier_contains_those_before_it(self):
        rows = table.Table((check("a"), check("b", tier="release"), check("c", tier="nightly")))
        for tier, names in (("change", "a"), ("release", "ab"), ("nightly", "abc")):
            self.assertEqual("".join(row.name for row in rows.tier(tier)), names)

    def test_mistakes_are_told(self):
        for text, message in (
            (ROW + 'colour = "red"\n', "a: unknown key colour; expected"),
            (ROW.replace('protects = "p"\n', ""), "a: no protects; add it"),
            (ROW.replace('"change"', '"never"'), "a: tier never; expected change, release, nightly"),
            (ROW + ROW, "a: stands in the table twice"),
            (ROW + 'needs = ["b"]\n', "a: needs b, which does not stand above it"),
            (ROW + 'after = ["b"]\n', "a: after b, which does not stand above it"),
        ):
            with self.assertRaisesRegex(table.TableError, message):
                read(text)

    def test_the_guide_has_the_table(self):
        guide = (table.HOME / "Specs/guides/checks.md").read_text(encoding="utf-8")
        self.assertIn(
            table.markdown(table.load()), guide,
            "copy the table that tools/test --list prints into Specs/guides/checks.md")


class Order(unittest.TestCase):
    def go(self, checks, cores=2, states=None):
        """Runs checks that do nothing; returns the order of reports and the most at a time."""
        running, most, lock, told = [0], [0], threading.Lock(), []

        def one(row):
            with lock:
                running[0] += 1
                most[0] = max(most[0], running[0])
            time.sleep(0.01)
            with lock:
                running[0] -= 1
            return schedule.Result((states or {}).get(row.name, "passed"))

        schedule.Schedule(checks, one, cores).go(lambda row, result: told.append((row.name, result)))
        return [(name, result.state) for name, result in told], most[0]

    def test_reports_come_in_the_order_of_the_table(self):
        told, most = self.go([check(name) for name in "abcdef"])
        self.assertEqual([name for name, _ in told], list("abcdef"))
        self.assertLessEqual(most, 2)

    def test_what_needs_a_check_that_failed_is_not_run(self):
        rows = [check("a"), check("b", needs=("a",)), check("c", needs=("b",)), check("d")]
        told, _ = self.go(rows, states={"a": "failed"})
        self.assertEqual(
            told, [("a", "failed"), ("b", "failed"), ("c", "failed"), ("d", "passed")])

    def test_a_check_waits_for_others_that_are_run_and_not_for_their_success(self):
        rows = [check("a"), check("b", after=("a",)), check("c", after=("other",))]
        told, most = self.go(rows, cores=4, states={"a": "failed"})
        self.assertEqual(told, [("a", "failed"), ("b", "passed"), ("c", "passed")])

    def test_what_waits_runs_beside_a_full_machine(self):
        rows = [check("a", cores=2), check("b", cores=0.5), check("c", cores=2)]
        self.assertEqual(self.go(rows)[1], 2)

    def test_a_command_is_failed_skipped_or_passed(self):
        for command, state, text in (
            ("echo hello", "passed", "hello\n"), ("echo x >&2; exit 1", "failed", "x\n"),
            ("echo there is no x; exit 4", "skipped", "there is no x\n"),
            ("kill -9 $$", "failed", "ended by signal 9\n"),
        ):
            result = schedule.run_command(check("a", command=command), None)
            self.assertEqual((result.state, result.text), (state, text))


class Sum(unittest.TestCase):
    def test_a_check_counts_as_one_or_as_its_last_line(self):
        for row, state, text, expected in (
            (check("a"), "passed", "", (1, 0, 0)), (check("a"), "skipped", "why", (0, 0, 1)),
            (check("a", counts=True), "passed", "5 passed, 0 failed, 2 skipped\n", (5, 0, 2)),
            (check("a", counts=True), "passed", "5 passed, 0 failed, 2 skipped, 3 known\n", (5, 0, 2)),
            (check("a", counts=True), "failed", "5 passed, 1 failed, 0 skipped\n", (5, 1, 0)),
            # A crash leaves no tally, or one without a failure.
            (check("a", counts=True), "failed", "5 passed, 0 failed, 0 skipped\n", (5, 1, 0)),
            (check("a", counts=True), "failed", "", (0, 1, 0)),
            (check("a", counts=True), "passed", "nothing", (0, 1, 0)),
        ):
            self.assertEqual(tally.of(row, schedule.Result(state, text)), tally.Tally(*expected))

    def test_a_failed_check_is_printed_whole_and_once(self):
        report = run.Report(None, False)
        with redirect_stdout(io.StringIO()) as printed:
            report.add(check("a"), schedule.Result("failed", "line 1\nline 2\n"))
            report.add(check("b"), schedule.Result("passed", "not shown\n"))
            status = report.close(1, [])
        self.assertEqual(status, 1)
        self.assertEqual(printed.getvalue().count("line 1\nline 2\n"), 1)
        self.assertNotIn("not shown", printed.getvalue())
        self.assertTrue(printed.getvalue().endswith("\nfailed: a\n\n1 passed, 1 failed, 0 skipped\n"))


class Fuzzing(unittest.TestCase):
    page = f"before\n{fuzzing.BEGIN}\n{fuzzing.END}\nafter\n"

    def test_a_corpus_has_its_inputs_as_lines(self):
        inputs = [bytes(range(256)), b"", b"\\x41\\n", b"a\nb", "é".encode()]
        text = fuzzing.corpus_text(inputs)
        self.assertTrue(text.isascii())
        self.assertEqual(text.count("\n"), len(inputs))
        self.assertEqual(sorted(fuzzing.read_corpus(text)), sorted(inputs))
        self.assertIn("a\\nb\n", text)

    def test_a_corpus_has_a_size(self):
        inputs = [bytes([65 + index]) * 25_000 for index in range(4)]
        self.assertEqual(fuzzing.smallest(inputs), inputs[:2])

    def test_the_corpora_are_few_small_and_whole(self):
        targets = fuzz_targets()
        files = [file for file in (table.HOME / "Tests/Fuzz/Corpus").rglob("*") if file.is_file()]
        self.assertEqual({file.stem for file in files} - set(targets), set())
        self.assertLess(sum(file.stat().st_size for file in files), 1_000_000)
        for file in files:
            text = file.read_text(encoding="ascii")
            self.assertEqual(fuzzing.corpus_text(fuzzing.read_corpus(text)), text, file)

    def test_every_target_is_described(self):
        page = (table.HOME / "Specs/robustness.md").read_text(encoding="utf-8")
        rows = "\n".join(line.split("|")[1] for line in page.splitlines() if line.startswith("| `"))
        for target in fuzz_targets():
            self.assertIn(f"`{target}`", rows)

    def test_figures_are_added_up(self):
        log = (
            "#1\tINITED cov: 7 ft: 9\n#9\tDONE   cov: 12 ft: 20 corp: 3/4b\n"
            "stat::number_of_executed_units: 1500\nstat::processor_seconds: 2.5\n")
        figures = fuzzing.Figures.of(log)
        self.assertEqual(figures, fuzzing.Figures(1500, 2.5, 12))
        page = fuzzing.recorded(fuzzing.recorded(self.page, "http", figures), "gzip", figures)
        page = fuzzing.recorded(page, "http", fuzzing.Figures(1_000_000, 100, 9))
        self.assertIn("| `http` | 1,001,500 | 102 s | 9,819 | 12 |\n", page)
        self.assertLess(page.index("`gzip`"), page.index("`http`"))
        self.assertTrue(page.startswith("before\n") and page.endswith("\nafter\n"))


class Minimising(unittest.TestCase):
    """tools/fuzz --minimise, with a small target in place of those of this project."""

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.home = Path(cls.folder.name)
        for name in ("tools/fuzz", "tools/checks/fuzzing.py"):
            (cls.home / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(table.HOME / name, cls.home / name)
        (cls.home / "Tests/Fuzz/Corpus").mkdir(parents=True)
        # It has the name of a target that begins with files of the project.
        (cls.home / "Tests/Fuzz/Fuzz.swift").write_text('("json", fuzzJSON)\n')
        (cls.home / "Specs").mkdir()
        (cls.home / "Specs/a.json").write_text("d")
        (cls.home / "target.c").write_text(SMALL_TARGET)
        clang = Path(shutil.which("swift")).resolve().parent / "clang"
        for name, measures in (("measured", ["-fsanitize=fuzzer-no-link"]), ("blind", [])):
            for words in (["-c", "target.c", *measures], ["target.o", "-fsanitize=fuzzer", "-o", name]):
                subprocess.run([clang, *words], cwd=cls.home, check=True)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def minimise(self, inputs, program="measured"):
        """The exit code, what is printed, and the corpus behind it."""
        corpus = self.home / "Tests/Fuzz/Corpus/json.txt"
        corpus.write_text(fuzzing.corpus_text(inputs))
        with tempfile.TemporaryDirectory() as folder:
            result = subprocess.run(
                [sys.executable, "tools/fuzz", "--minimise"], cwd=self.home, capture_output=True, text=True,
                env={
                    **os.environ, "KENNEL_FUZZ_PROGRAM": str(self.home / program),
                    "KENNEL_FUZZ_FOLDER": folder})
        self.assertEqual(result.stderr, "")
        return result.returncode, result.stdout, fuzzing.read_corpus(corpus.read_text())

    def test_few_inputs_are_kept_that_reach_what_all_reach(self):
        # The last one is a file of the project, with which the target begins anyway.
        code, text, kept = self.minimise([b"A", b"AA", b"B", b"BB", b"BBB", b"C\n", b"d"])
        self.assertEqual((code, sorted(data[:1] for data in kept)), (0, [b"A", b"B", b"C"]))
        self.assertRegex(text, r"^json +3 of 8 inputs, \d bytes\n$")

    def test_what_does_not_fit_is_counted(self):
        long = [bytes([byte]) + b"_" * 7000 for byte in range(0x41, 0x4D)]  # A to L
        code, text, kept = self.minimise(long)
        self.assertEqual((code, len(kept)), (0, 8))
        self.assertRegex(text, r"^json +8 of 13 inputs, \d+ bytes, 4 that reach more have no room\n$")

    def test_an_input_that_ends_the_program_is_no_input_to_leave_out(self):
        for inputs, program, message in (
            ([b"A", b"x", b"xx"], "measured", r"(  tools/fuzz json \S+/found/json-crash-\w+\n){2}$"),
            ([b"A", b"B"], "blind", r"FAILED, nothing is written: no input reaches anything"),
        ):
            code, text, kept = self.minimise(inputs, program)
            self.assertEqual((code, kept), (1, inputs))
            self.assertRegex(text, message)


#: Each capital letter reaches code of its own, and an `x` ends the program.
SMALL_TARGET = """#include <stdint.h>
#include <stdlib.h>
volatile int reached;
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size == 0) return 0;
  switch (data[0]) {
  case 'd': reached = 1; break;
  case 'x': abort();
LETTERS
  }
  return 0;
}
""".replace("LETTERS", "\n".join(f"  case {byte}: reached = {byte}; break;" for byte in range(0x41, 0x5B)))


def fuzz_targets():
    text = (table.HOME / "Tests/Fuzz/Fuzz.swift").read_text(encoding="utf-8")
    return re.findall(r'\("([a-z-]+)", fuzz\w+\)', text)


class Reach(unittest.TestCase):
    modules = changed.Modules({"targets": [
        {"name": "Tree", "path": "Sources/1-Values/Tree", "type": "library"},
        {"name": "Wire", "path": "Sources/2-Protocol/Wire", "type": "library",
         "target_dependencies": ["Tree"]},
        {"name": "TreeTests", "path": "Tests/TreeTests", "type": "test",
         "target_dependencies": ["Tree"]},
        {"name": "WireTests", "path": "Tests/WireTests", "type": "test",
         "target_dependencies": ["Wire"]},
    ]})

    def test_a_change_reaches_what_imports_the_module(self):
        below, above = "Sources/1-Values/Tree/Node.swift", "Sources/2-Protocol/Wire/Frame.swift"
        self.assertEqual(self.modules.tests_reached([below]), ["TreeTests", "WireTests"])
        self.assertEqual(self.modules.tests_reached([above]), ["WireTests"])

    def test_a_row_is_about_modules_and_folders(self):
        places = self.modules.reach(["Wire", "Scenarios"])
        for file, expected in (
            ("Sources/1-Values/Tree/Node.swift", True), ("Scenarios/a/b.yaml", True),
            ("Specs/glossary.md", False), ("Sources/1-Values/Treeline/a.swift", False),
        ):
            self.assertEqual(changed.is_reached(places, [file]), expected, file)

    def test_a_change_reaches_the_check_whose_script_it_is(self):
        rows = {row.name: row for row in table.load().checks}
        for name, script in (
            ("documentation of the SDK", "tools/sdk-docs"), ("another package",
             "tools/checks/another-package"), ("site of event order", "tools/check-html"),
        ):
            self.assertIn(script, rows[name].scripts)
        self.assertEqual(check("a", command="a/tools b && $KENNEL c").scripts, ())

    def test_what_is_compiled_as_another_package_is_about_all_that_it_imports(self):
        row = next(row for row in table.load().checks if row.name == "a program of another package")
        modules = changed.Modules.of_this_package()
        reached = modules.reach(row.reach)
        for folder in (word for word in row.reach if word.startswith("Tests/")):
            for file in (table.HOME / folder).rglob("*.swift"):
                if file.name in ("ExampleTests.swift", "Package.swift"):
                    continue
                for name in re.findall(r"^import (\w+)$", file.read_text(encoding="utf-8"), re.M):
                    if name in modules.folders:
                        self.assertTrue(
                            modules.folders[name] in reached, f"{file.name} imports {name}")

    def test_what_a_check_needs_is_selected_with_it(self):
        rows = [check("a"), check("b", needs=("a",)), check("c")]
        self.assertEqual([row.name for row in run.with_needs(rows, ["b"])], ["a", "b"])


if __name__ == "__main__":
    unittest.main()
