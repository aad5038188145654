"""Where things are: Specs/map.md, made from the comments of the sources.

    python3 tools/checks/map.py           writes the page
    python3 tools/checks/map.py --check   fails when the page says something else

A file's line has each type that the file declares for others, with the first sentence of its comment.
"""

import re
import sys
from pathlib import Path

HOME = Path(__file__).resolve().parents[2]
PAGE = HOME / "Specs" / "map.md"
HEAD = """\
# What is where

<!-- Written by tools/checks/map.py from the comments of the sources. Do not edit. -->

Every file of `Sources`, with what it declares for others, in the order in which modules build on each other.
[Where to change what](guides/contributing.md) says which of them a change needs.
"""
TYPE = re.compile(
    r"(?:@\w+(?:\([^)]*\))? )*(?:(?:public|package|internal|indirect|final) )*"
    r"(?:struct|enum|class|protocol|actor) ([\w.]+)"
)
EXTENSION = re.compile(r"(?:\w+ )*extension ([\w.]+)")


def sentence(comment):
    """The first sentence, without its stop."""
    text = " ".join(line for line in comment if line)
    end = re.search(r"(?<!e\.g)(?<!i\.e)[.:](?= [A-Z]|$)", text)
    return text[: end.start()] if end else text


def paragraph(lines):
    """The lines up to the first one that is empty."""
    return lines[: lines.index("")] if "" in lines else lines


def declarations(path):
    """The types that a file declares for others, each with its sentence; of a file that has none, what it
    adds to the first type, whose comment may stand in the first member."""
    types, added, comment, extended = [], [], [], None
    for line in path.read_text().split("\n"):
        stripped = line.strip()
        if stripped.startswith("//"):
            if "MARK:" not in stripped:
                comment.append(stripped.lstrip("/").strip())
            continue
        if match := TYPE.match(line):
            types.append((match[1], sentence(paragraph(comment))))
        elif match := EXTENSION.match(line):
            extended = match[1]
        if extended and comment:
            added.append((extended, sentence(paragraph(comment))))
            extended = None
        if stripped and not stripped.startswith("@"):
            comment = []
    return types or added[:1]


def modules(readme):
    """The sentences of a group's README about its modules."""
    rows = re.findall(r"^\| `(\w+)`[^|]*\| (.*?) \|$", readme, re.M)
    return dict(rows)


def lines():
    yield HEAD
    for group in sorted((HOME / "Sources").iterdir()):
        readme = group / "README.md"
        if not readme.exists():
            continue
        text = readme.read_text()
        yield f"## `{group.name}`: {text.split(chr(10))[0].lstrip('# ')}\n"
        told = modules(text)
        folders = [f for f in group.iterdir() if f.is_dir()]
        order = list(told)
        folders.sort(key=lambda f: (order.index(f.name) if f.name in told else len(order), f.name))
        for folder in folders:
            yield f"### `{folder.relative_to(HOME)}`\n"
            if folder.name in told:
                yield told[folder.name][0].upper() + told[folder.name][1:] + ".\n"
            for path in sorted(folder.rglob("*.swift")):
                what = "; ".join(
                    f"`{name}`" + (f" {text[0].lower()}{text[1:]}" if text else "")
                    for name, text in declarations(path))
                yield f"* `{path.relative_to(folder)}`" + (f": {what}" if what else "")
            yield ""


def main(words):
    text = "\n".join(lines()).rstrip() + "\n"
    if words != ["--check"]:
        PAGE.write_text(text)
        return 0
    if PAGE.exists() and PAGE.read_text() == text:
        return 0
    print("Specs/map.md says something else than the sources; write it with python3 tools/checks/map.py")
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
