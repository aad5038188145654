"""What files that were changed can reach, from the table of modules."""
import json
import re
import subprocess

from table import HOME

#: The parts of the tree that tests may read beside their own folder.
PARTS = ("Sources", "Tests", "Specs", "Scenarios", "tools", "README.md", "Package.swift", ".ci")


def files_since(commit):
    """The files that differ from a commit, with those that git does not know yet."""
    def git(*words):
        return subprocess.run(
            ["git", *words], cwd=HOME, check=True, capture_output=True, text=True
        ).stdout.split("\0")

    if not commit:
        commit = "HEAD"
    changed = git("diff", "--name-only", "-z", commit)
    new = git("ls-files", "--others", "--exclude-standard", "-z")
    return sorted(name for name in {*changed, *new} if name)


class Modules:
    """The targets of Package.swift: their folders, and what they import, directly or not."""

    def __init__(self, description):
        targets = {t["name"]: t for t in description["targets"]}
        self.folders = {name: t["path"].rstrip("/") + "/" for name, t in targets.items()}
        self.tests = sorted(name for name, t in targets.items() if t["type"] == "test")
        self.imports = {name: t.get("target_dependencies", []) for name, t in targets.items()}

    @classmethod
    def of_this_package(cls):
        said = subprocess.run(
            ["swift", "package", "describe", "--type", "json"], cwd=HOME, check=True,
            capture_output=True, text=True).stdout
        return cls(json.loads(said))

    def closure(self, name):
        """The folders of a module and of everything that it imports."""
        seen, left = set(), [name]
        while left:
            name = left.pop()
            if name not in seen:
                seen.add(name)
                left += self.imports.get(name, [])
        return {self.folders[name] for name in seen if name in self.folders}

    def reach(self, words):
        """The folders and files that a row of the table is about: `kennel` is a module."""
        places = set()
        for word in words:
            places |= self.closure(word) if word in self.folders else {word}
        return places

    def tests_reached(self, files):
        """The test targets that changed files can reach."""
        return [t for t in self.tests if is_reached(self.closure(t) | self.read_by(t), files)]

    def read_by(self, test):
        """What the sources of a test target name of the tree, as texts or through the kit of tests."""
        places = {"Package.swift"}
        for file in (HOME / self.folders[test]).rglob("*.swift"):
            text = file.read_text(encoding="utf-8")
            places |= {part for part in PARTS if re.search(rf'"(?:\.\./)*{re.escape(part)}', text)}
            for word, part in (
                ("projectFiles", "Scenarios"), ("projectRules", "Specs"),
                ("Mistake.files", "Tests/Mistakes"), ("Transcript", "Tests/Transcripts"),
            ):
                if word in text:
                    places.add(part)
            if "Program.kennel" in text or "Program.project" in text or "self/exe" in text:
                places |= self.closure("kennel") | {"Specs", "Scenarios", "tools"}
        return places


def is_reached(places, files):
    """Whether one of the files is one of these files, or lies in one of these folders."""
    return any(
        file == place or file.startswith(place.rstrip("/") + "/")
        for file in files for place in places)
