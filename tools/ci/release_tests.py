"""Tests of what tools/release makes, and of the action that downloads it.

KENNEL names the program that is packed, .build/kennel unless stated: nothing is built here."""
import hashlib
import io
import json
import os
import re
import resource
import shutil
import subprocess
import tarfile
import tempfile
import unittest
import unittest.mock
import zlib
from pathlib import Path

import yaml

HOME = Path(__file__).resolve().parents[2]
KENNEL = os.path.abspath(os.environ.get("KENNEL", HOME / ".build/kennel"))
RELEASE = HOME / "tools/release"
FETCH = HOME / "tools/ci/fetch"
#: A package is made faster when it is not compressed.
VARIABLES = {**os.environ, "DPKG_DEB_COMPRESSOR_TYPE": "none"}
CHROOT = ["unshare", "--map-root-user", "--mount", "sh", "-c",
          'mount --rbind /proc "$0/proc" && exec chroot "$0" "$@"']


def run(*words, **options):
    options = {"env": VARIABLES, **options}
    return subprocess.run(
        [str(word) for word in words], text=True, capture_output=True, check=False, **options)


def sha256(path):
    return hashlib.sha256(Path(path).read_bytes()).hexdigest()


def copy_with_libraries(program, root):
    """Puts a program, and the libraries that it needs, where they are in a root."""
    libraries = re.findall(r"/[^ )]+", run("ldd", program).stdout)
    for file in [program, *libraries]:
        target = Path(f"{root}{file}")
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(file, target)


class Release:
    """A release, made once for all tests."""

    made = None

    def __init__(self):
        self.folder = Path(tempfile.mkdtemp())
        base = self.folder / "base"
        (base / "proc").mkdir(parents=True)
        (base / "tmp").mkdir()
        for program in ("/bin/sh", "/bin/cat"):
            copy_with_libraries(program, base)
        for library in re.findall(r"/[^ )]+", run("ldd", KENNEL).stdout):
            target = Path(f"{base}{library}")
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(library, target)
        run("tar", "-C", base, "-cf", self.folder / "base.tar", ".")
        self.output = self.folder / "release"
        self.result = self.make(self.output)
        if self.result.returncode:
            raise AssertionError(self.result.stdout + self.result.stderr)
        self.version = run(KENNEL, "--version").stdout.split()[1]
        self.archive = next(self.output.glob("*.tar.gz"))

    def make(self, output):
        return run(RELEASE, "--binary", KENNEL, "--base", self.folder / "base.tar", output)

    @classmethod
    def get(cls):
        cls.made = cls.made or cls()
        return cls.made


def tearDownModule():
    if Release.made:
        shutil.rmtree(Release.made.folder)


class Files(unittest.TestCase):
    def setUp(self):
        self.release = Release.get()

    def test_the_sums_are_those_of_three_files_with_the_version(self):
        checked = run("sha256sum", "--check", "SHA256SUMS", cwd=self.release.output)
        self.assertEqual(checked.returncode, 0, checked.stderr)
        names = sorted(path.name for path in self.release.output.iterdir())
        self.assertEqual(len(names), 4, names)
        for name in names[1:]:
            self.assertIn(self.release.version, name)
        self.assertIn(sha256(self.release.archive), self.release.result.stdout.splitlines()[-1])

    def test_the_archive_is_the_same_when_it_is_made_again(self):
        again = self.release.folder / "again"
        self.release.make(again)
        for path in self.release.output.glob("*.tar*"):
            self.assertEqual(sha256(path), sha256(again / path.name), path.name)

    def test_the_package_has_the_program_and_what_it_needs(self):
        package = next(self.release.output.glob("*.deb"))
        self.assertEqual(
            run("dpkg-deb", "-f", package, "Version").stdout.strip(), self.release.version)
        self.assertIn("libc6", run("dpkg-deb", "-f", package, "Depends").stdout)
        root = self.release.folder / "package"
        run("dpkg-deb", "-x", package, root)
        self.assertIn(
            f"kennel {self.release.version}", run(root / "usr/bin/kennel", "--version").stdout)

    def test_the_image_is_what_its_digests_say_and_starts(self):
        root = self.release.folder / "image"
        root.mkdir()
        with tarfile.open(next(self.release.output.glob("*.oci.tar"))) as tar:
            blobs = {member.name: tar.extractfile(member).read() for member in tar}

        def blob(descriptor):
            data = blobs["blobs/sha256/" + descriptor["digest"].split(":")[1]]
            self.assertEqual(descriptor["digest"], "sha256:" + hashlib.sha256(data).hexdigest())
            self.assertEqual(descriptor["size"], len(data))
            return data

        manifest = json.loads(blob(json.loads(blobs["index.json"])["manifests"][0]))
        config = json.loads(blob(manifest["config"]))
        layers = [zlib.decompress(blob(layer), 31) for layer in manifest["layers"]]
        self.assertEqual(
            config["rootfs"]["diff_ids"],
            ["sha256:" + hashlib.sha256(layer).hexdigest() for layer in layers])
        for layer in layers:
            with tarfile.open(fileobj=io.BytesIO(layer)) as tar:
                tar.extractall(root, filter="tar") if hasattr(tarfile, "tar_filter") else (
                    tar.extractall(root))
        if run("unshare", "--map-root-user", "--mount", "true").returncode:
            self.skipTest("this machine does not allow another root")
        started = run(*CHROOT, root, *config["config"]["Entrypoint"], "smoke", env={
            "PATH": os.environ["PATH"]})
        self.assertEqual(started.returncode, 0, started.stdout + started.stderr)
        self.assertIn("passed, 0 failed", started.stdout)


class Arguments(unittest.TestCase):
    def test_mistakes_are_told(self):
        for words, message in (
            (["--binry"], 'unknown option "--binry"; expected --binary, --base or a directory'),
            (["--binary"], "--binary needs the path of a file"),
            (["--base", "/no/such"], "there is no file /no/such, which --base names"),
        ):
            result = run(RELEASE, *words)
            self.assertEqual((result.returncode, result.stderr), (2, f"tools/release: {message}\n"))

    def test_a_tag_is_the_version_of_what_it_is_on(self):
        with tempfile.TemporaryDirectory() as folder:
            for file in ("tools/release", "Sources/8-Hosts/System/KitVersion.swift"):
                (Path(folder) / file).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(HOME / file, Path(folder) / file)
            version = Path(folder) / "Sources/8-Hosts/System/KitVersion.swift"
            version.write_text('package let kitVersion = "1.2.3"\n', encoding="utf-8")
            program = Path(folder) / "program"
            program.write_text("#!/bin/sh\necho kennel 1.2.2\n", encoding="utf-8")
            program.chmod(0o755)

            def git(*words):
                made = run("git", "-c", "user.name=a", "-c", "user.email=a@b", *words, cwd=folder)
                self.assertEqual(made.returncode, 0, made.stderr)

            def release(code, message):
                result = run(Path(folder) / "tools/release", "--binary", program, folder + "/r")
                self.assertEqual(result.returncode, code, result.stderr)
                self.assertIn(message, result.stderr)

            git("init", "-q")
            git("add", ".")
            git("commit", "-qm", "a")
            release(70, "the program says that it is 1.2.2, expected 1.2.3")
            git("tag", "v1.2.4")
            release(2, "the tag v1.2.4 is on a commit whose KitVersion.swift says 1.2.3; "
                       "set kitVersion to 1.2.4")
            git("tag", "-d", "v1.2.4")
            git("tag", "v1.2.3")
            release(70, "it is 1.2.2, expected 1.2.3")
            version.write_text('package let kitVersion = "1.2.3"\n\n', encoding="utf-8")
            release(2, "files differ from those of v1.2.3; commit them under another tag")


class Fetching(unittest.TestCase):
    def setUp(self):
        self.release = Release.get()
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)

    def fetch(self, sum_, version=None, url=None):
        return run(
            FETCH, url or self.release.output.as_uri(), version or self.release.version, sum_,
            self.folder)

    def test_the_program_of_the_release_is_unpacked(self):
        result = self.fetch(sha256(self.release.archive), "v" + self.release.version)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn(self.release.version, run(result.stdout.strip(), "--version").stdout)

    def test_another_archive_is_not_unpacked(self):
        forged = Path(self.folder) / "forged"
        forged.mkdir()
        data = bytearray(self.release.archive.read_bytes())
        data[-9] ^= 1
        (forged / self.release.archive.name).write_bytes(data)
        result = self.fetch(sha256(self.release.archive), url=forged.as_uri())
        self.assertEqual(result.returncode, 4)
        self.assertRegex(
            result.stderr, "has the checksum [0-9a-f]{64}, expected [0-9a-f]{64}; it is damaged")
        self.assertEqual(os.listdir(self.folder), ["forged"])

    def test_mistakes_are_told(self):
        for sum_, version, code, message in (
            ("", None, 2, 'sha256 is ""; expected the checksum of kennel-'),
            ("SHA256", None, 2, 'sha256 is "SHA256"; expected the checksum of kennel-'),
            ("0" * 64, "9.9.9", 4, "is there a release 9.9.9?"),
        ):
            result = self.fetch(sum_, version)
            self.assertEqual(result.returncode, code)
            self.assertIn(message, result.stderr)


class Job:
    """Runs the steps of the action as a runner of GitHub does."""

    def __init__(self, folder, inputs):
        with open(HOME / "tools/ci/action.yml", encoding="utf-8") as file:
            action = yaml.safe_load(file)
        defaults = {name: row.get("default", "") for name, row in action["inputs"].items()}
        if unknown := set(inputs) - set(defaults):
            raise KeyError(unknown)
        self.values = {f"inputs.{name}": text for name, text in {**defaults, **inputs}.items()}
        self.values.update({"github.server_url": "file://", "github.action_repository": "/nowhere"})
        self.folder = folder
        self.output = ""
        self.code = 0
        for step in action["runs"]["steps"]:
            if not self.code:
                self.run(step)

    def text(self, text):
        return re.sub(r"\$\{\{ ([\w.]+) \}\}", lambda match: self.values[match[1]], text)

    def run(self, step):
        files = {name: f"{self.folder}/{name}" for name in ("GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY")}
        Path(files["GITHUB_OUTPUT"]).write_text("", encoding="utf-8")
        variables = {name: self.text(text) for name, text in step.get("env", {}).items()}
        result = run(
            "bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", self.text(step["run"]),
            cwd=self.folder, env={
                **os.environ, **files, **variables, "RUNNER_TEMP": f"{self.folder}/temp",
                "GITHUB_WORKSPACE": str(self.folder), "GITHUB_ACTION_PATH": str(HOME / "tools/ci")})
        self.output += result.stdout + result.stderr
        self.code = result.returncode
        for line in Path(files["GITHUB_OUTPUT"]).read_text(encoding="utf-8").splitlines():
            name, _, value = line.partition("=")
            self.values[f"steps.{step['id']}.outputs.{name}"] = value


class Action(unittest.TestCase):
    def setUp(self):
        self.release = Release.get()
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)
        program = self.release.folder / "package/usr/bin/kennel"
        if not program.exists():
            run("dpkg-deb", "-x", next(self.release.output.glob("*.deb")),
                self.release.folder / "package")
        made = run(program, "init", "python", cwd=self.folder)
        self.assertEqual(made.returncode, 0, made.stderr)
        with open(f"{self.folder}/.github/workflows/kennel.yml", encoding="utf-8") as file:
            steps = yaml.safe_load(file)["jobs"]["conformance"]["steps"]
        self.step = next(step for step in steps if step.get("id") == "kennel")

    def job(self, **inputs):
        return Job(self.folder, {
            "version": self.release.version, "sha256": sha256(self.release.archive),
            "url": self.release.output.as_uri(), **inputs})

    def test_the_first_job_of_a_project_runs_everything_and_compiles_nothing(self):
        compilers = Path(self.folder) / "compilers"
        compilers.mkdir()
        for name in ("swift", "swiftc", "cc", "gcc", "clang", "make"):
            (compilers / name).write_text("#!/bin/sh\nkill -9 $PPID\n", encoding="utf-8")
            (compilers / name).chmod(0o755)
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        with unittest.mock.patch.dict(os.environ, PATH=f"{compilers}:{os.environ['PATH']}"):
            job = self.job(**{**self.step["with"], "version": self.release.version,
                              "sha256": sha256(self.release.archive)})
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        self.assertEqual(job.code, 0, job.output)
        self.assertRegex(job.output, r"\n[1-9]\d{3} passed, 0 failed, ")
        self.assertLess(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, 30)
        report = Path(job.values["steps.run.outputs.report"])
        self.assertEqual(
            sorted(path.name for path in report.iterdir()), ["kennel.jsonl", "kennel.xml"])

    def test_without_a_command_the_project_file_says_what_is_run(self):
        job = self.job(arguments="writes/local-echo --profile firebase")
        self.assertEqual(job.code, 0, job.output)
        self.assertIn("\n1 passed, 0 failed, 0 skipped\n", job.output)

    def test_a_failing_client_and_another_checksum_make_the_job_red(self):
        job = self.job(command="false", arguments="writes/local-echo")
        self.assertEqual(job.code, 4, job.output)
        job = self.job(sha256="0" * 64)
        self.assertEqual(job.code, 4)
        self.assertIn("expected " + "0" * 64, job.output)
        self.assertNotIn("passed", job.output)

    def test_the_workflow_of_a_new_project_has_to_be_pinned(self):
        self.assertTrue(self.step["uses"].endswith("/kennel/tools/ci@COMMIT"))
        job = self.job(**self.step["with"])
        self.assertEqual(job.code, 2, job.output)
        self.assertIn('sha256 is "SHA256"', job.output)


if __name__ == "__main__":
    unittest.main()
