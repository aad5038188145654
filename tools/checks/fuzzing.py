"""What tools/fuzz keeps: corpora as text, and the table of what was run."""
import re
from dataclasses import dataclass

#: The bytes of a corpus that are kept, so that the repository stays small.
MOST_BYTES = 60_000
BEGIN = "<!-- what was fuzzed: tools/fuzz --record adds to it -->"
END = "<!-- end of what was fuzzed -->"
HEAD = "| Target | Inputs | Processor time | Inputs in a second of it | Edges reached |\n|---|---:|---:|---:|---:|\n"


def escaped(data):
    """Bytes as one line of ASCII, in which a backslash begins what is no visible character."""
    short = {0x5C: "\\\\", 0x0A: "\\n", 0x0D: "\\r", 0x09: "\\t"}
    return "".join(
        short.get(byte) or (chr(byte) if 0x20 <= byte < 0x7F else f"\\x{byte:02x}") for byte in data)


def unescaped(line):
    """The bytes that a line of a corpus stands for."""
    short = {"\\": b"\\", "n": b"\n", "r": b"\r", "t": b"\t"}

    def value(match):
        word = match[1]
        return short[word].decode("latin-1") if word in short else chr(int(word[1:], 16))

    return re.sub(r"\\(x[0-9a-f]{2}|[\\nrt])", value, line).encode("latin-1")


def read_corpus(text):
    """The inputs of a corpus: each line is one."""
    return [unescaped(line) for line in text.split("\n")[:-1]]


def corpus_text(inputs):
    """Inputs as the text of a corpus, short ones first, so that changes can be read."""
    return "".join(escaped(data) + "\n" for data in sorted(inputs, key=lambda data: (len(data), data)))


def smallest(inputs):
    """As many inputs, short ones first, as a corpus may have bytes."""
    kept, size = [], 0
    for data in sorted(inputs, key=lambda data: (len(escaped(data)), data)):
        size += len(escaped(data)) + 1
        if size > MOST_BYTES:
            break
        kept.append(data)
    return kept


@dataclass(frozen=True)
class Figures:
    """What one run of a target came to, or several together."""

    inputs: int
    #: In seconds.
    processor: float
    edges: int

    @classmethod
    def of(cls, log):
        """The figures that the fuzzer printed at its end."""
        def last(pattern):
            found = re.findall(pattern, log)
            return found[-1] if found else "0"

        return cls(
            int(last(r"stat::number_of_executed_units: *(\d+)")),
            float(last(r"stat::processor_seconds: *([\d.]+)")), int(last(r"\bcov: (\d+)")))

    def adding(self, other):
        return Figures(
            self.inputs + other.inputs, self.processor + other.processor, max(self.edges, other.edges))

    @property
    def speed(self):
        return self.inputs / self.processor if self.processor else 0

    def __str__(self):
        return (
            f"{self.inputs:10} inputs {self.processor:8.1f} s of processor {self.speed:8.0f} a second "
            f"{self.edges:6} edges")

    @property
    def row(self):
        return f"{self.inputs:,} | {self.processor:,.0f} s | {self.speed:,.0f} | {self.edges:,}"


def rows(page):
    """The figures of the table of a page, by target."""
    table = page[page.index(BEGIN):page.index(END)]
    found = re.findall(r"^\| `([a-z-]+)` \| ([\d,]+) \| ([\d,]+) s \| [\d,]+ \| ([\d,]+) \|$", table, re.M)
    return {
        name: Figures(*(int(text.replace(",", "")) for text in figures)) for name, *figures in found}


def recorded(page, target, figures):
    """A page whose table has these figures in addition."""
    known = rows(page)
    known[target] = known[target].adding(figures) if target in known else figures
    lines = "".join(f"| `{name}` | {known[name].row} |\n" for name in sorted(known))
    start, end = page.index(BEGIN), page.index(END)
    return f"{page[:start]}{BEGIN}\n\n{HEAD}{lines}\n{page[end:]}"
