"""Opens the pages of Kennel in a real browser: run.py KENNEL [--screenshots DIR] [--only PART]

Checks that they work without network and without errors of scripts, at the width of a desk and of a
phone, light and dark; that they can be stepped through, filtered and linked into; and that no value can
break them. The last line is "N passed, N failed, N skipped".
"""

import html
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import accessibility
import chromium
import interface

HOME = pathlib.Path(__file__).resolve().parents[2]
SIZES = chromium.SIZES


class Checks:
    """Counts what passed, and tells what did not."""

    def __init__(self):
        self.passed = self.failed = self.skipped = 0

    def expect(self, condition, what):
        if condition:
            self.passed += 1
        else:
            self.failed += 1
            print(f"FAILED  {what}")

    def skip(self, count, why):
        self.skipped += count
        print(f"skipped  {why}")

    def finish(self):
        print(f"{self.passed} passed, {self.failed} failed, {self.skipped} skipped")
        return 1 if self.failed else 0


class Pages:
    """Makes the pages, with the program that is tested."""

    def __init__(self, kennel, folder):
        self.kennel, self.folder, self.home = kennel, pathlib.Path(folder), HOME

    def run(self, *words):
        return self.run_in(self.folder, *words)

    def run_in(self, folder, *words):
        environment = dict(os.environ, KENNEL_HOME=str(HOME))
        done = subprocess.run(
            [self.kennel, *words], cwd=folder, env=environment, stdin=subprocess.DEVNULL,
            capture_output=True, text=True)
        if done.returncode not in (0, 1):
            sys.exit(f"kennel {' '.join(words)}: exit code {done.returncode}\n{done.stderr}")
        return done.stdout

    def knows(self, command):
        return subprocess.run([self.kennel, command, "--help"], capture_output=True).returncode == 0

    def viewer(self, scenario, *options):
        """The viewer of the run of a scenario in the profile firebase."""
        folder = self.folder / f"traces-{len(list(self.folder.iterdir()))}"
        folder.mkdir()
        self.run("run", str(scenario), "--profile", "firebase", "--trace", str(folder), *options)
        trace = next(folder.iterdir())
        page = trace.with_suffix(".html")
        self.run("view", str(trace), "-o", str(page))
        return page

    def hostile(self):
        text = (HOME / "Tests/Browser/hostile.yaml").read_text()
        many = "{" + ", ".join(f"k{number}: {number}" for number in range(1000)) + "}"
        text = text.replace("@LONG@", "x" * 1_000_000).replace("@WIDE@", "長い " * 2000)
        file = self.folder / "hostile.yaml"
        file.write_text(text.replace("@MANY@", many))
        return file

    def large(self):
        """A run of more than 10,000 events."""
        steps = []
        for number in range(560):
            steps.append(f"  - alice.set: {{path: room/k{number % 200}, value: {number}}}")
            if number % 10 == 9:
                steps.append("  - settle")
        text = (
            "kennel: 1\ntitle: Many writes\nrules: [WRT-1]\nclients: [alice, bob, carol]\n"
            "judge: invariants\nsteps:\n"
            + "".join(f"  - {name}.listen: {{path: room, as: feed}}\n" for name in ("alice", "bob", "carol"))
            + "\n".join(steps) + "\n  - settle\n")
        file = self.folder / "large.yaml"
        file.write_text(text)
        return file


def address(page, fragment=""):
    return page.as_uri() + fragment


def looks(browser, checks, page, name, shots, fragment=""):
    """Opens a page in all sizes and colours: it fits, makes no errors and asks the network for nothing."""
    for size, (width, height) in SIZES.items():
        for dark in (False, True):
            colour = "dark" if dark else "light"
            browser.open(address(page, fragment), width, height, dark)
            complaints = browser.complaints()
            checks.expect(not complaints, f"{name}, {size}, {colour}: {complaints}")
            accessibility.check(browser, checks, name, size, colour, shots)


def viewer(browser, checks, pages, shots):
    page = pages.viewer("limits/refill-after-foreign-removal", "--client", "no-refill")
    looks(browser, checks, page, "viewer", shots)
    browser.open(address(page))
    position = "document.getElementById('position').textContent"
    failed = browser.evaluate("document.querySelector('#failures a').hash")
    checks.expect(
        browser.evaluate("location.hash") == failed, "viewer: it does not begin where the run failed")
    checks.expect(
        "expected" in browser.evaluate("document.querySelector('#failures table').textContent"),
        "viewer: expected and observed are not shown")

    browser.open(address(page, "#step=30"))
    checks.expect(browser.evaluate(position).startswith("30 of"), "viewer: a link to a step is not followed")
    browser.press("j")
    checks.expect(browser.evaluate("location.hash") == "#step=31", "viewer: j does not step")
    browser.press("ArrowUp")
    browser.press("k")
    checks.expect(browser.evaluate("location.hash") == "#step=29", "viewer: k does not step back")
    browser.press("f")
    checks.expect(browser.evaluate("location.hash") == failed, "viewer: f does not go to the failure")
    browser.press("c")
    checks.expect(browser.evaluate("location.hash") != failed, "viewer: c does not go to the cause")

    trees = browser.evaluate(
        f"location.hash = '{failed}', new Promise(done => setTimeout(() => done("
        "[document.getElementById('clients').textContent, document.getElementById('server').textContent,"
        " document.querySelectorAll('#clients .changed, #clients .gone').length]), 200))")
    checks.expect("b: 2" in trees[0], f"viewer: the view of alice is {trees[0]}")
    checks.expect("c: 3" in trees[1] and "a: 1" not in trees[1], f"viewer: the server has {trees[1]}")

    full = browser.evaluate("document.querySelector('#payload pre').textContent")
    checks.expect(full.startswith("{\n") and "\\u{a}" not in full, f"viewer: an event in full is {full[:60]}")

    def choose(field, value):
        return browser.evaluate(
            f"(() => {{ const field = document.getElementById('{field}'); field.value = '{value}';"
            " field.dispatchEvent(new Event('input', {bubbles: true}));"
            " return [...document.querySelectorAll('#events .row .what')].map(row => row.textContent); })()")

    rows = choose("kind", "event")
    checks.expect(
        rows and all(row.startswith("raised") for row in rows), f"viewer: kind event shows {rows}")
    choose("kind", "")
    rows = choose("path", "/room/a")
    checks.expect(rows and all("/room/a" in row for row in rows), f"viewer: path /room/a shows {rows}")
    choose("path", "")
    rows = choose("listener", "alice.first")
    checks.expect(len(rows) == 5, f"viewer: listener alice.first shows {rows}")
    checks.expect(not browser.complaints(), f"viewer: {browser.complaints()}")


# The texts of pictures that cover each other, or that are cut off, as the browser draws them.
OVERLAPS = """(() => {
  const found = [];
  for (const svg of document.querySelectorAll('svg')) {
    const { width } = svg.viewBox.baseVal;
    const boxes = [...svg.querySelectorAll('text')].map((text) => {
      const { x, y, width, height } = text.getBBox();
      const t = text.transform.baseVal.consolidate()?.matrix ?? svg.createSVGMatrix();
      // The letters are lower than the line.
      const [top, bottom] = [y + height * 0.2, y + height * 0.85];
      const points = [[x, top], [x + width, top], [x + width, bottom], [x, bottom]].map(([a, b]) => [t.a * a + t.c * b + t.e, t.b * a + t.d * b + t.f]);
      return { text: text.textContent, points, axes: [[t.a, t.b], [t.c, t.d]] };
    });
    const reach = (box, [a, b]) => {
      const all = box.points.map(([x, y]) => x * a + y * b);
      return [Math.min(...all), Math.max(...all)];
    };
    const isApart = (a, b) => [...a.axes, ...b.axes].some((axis) => {
      const [p, q] = [reach(a, axis), reach(b, axis)];
      return p[1] <= q[0] + 0.5 || q[1] <= p[0] + 0.5;
    });
    boxes.forEach((box, index) => {
      const [left, right] = reach(box, [1, 0]);
      if (left < -1 || right > width + 1) found.push(`cut off: ${box.text}`);
      for (const other of boxes.slice(0, index)) if (!isApart(box, other)) found.push(`${box.text} covers ${other.text}`);
    });
  }
  return found.slice(0, 5);
})()"""

PICTURED = [
    "limits/refill-after-foreign-removal", "races/two-writers-at-once", "faults/server-restarts",
    "server-values/timestamp-that-is-sent-again", "events/crowd-foreign-everything",
]


def pictures(browser, checks, pages, shots):
    """Pictures of short and long runs, as the browser draws them."""
    for scenario in PICTURED:
        page = pages.viewer(scenario)
        browser.open(address(page))
        browser.evaluate("document.querySelectorAll('details').forEach(part => { part.open = true; })")
        found = browser.evaluate(OVERLAPS)
        checks.expect(not found, f"picture of {scenario}: {found}")
        if shots:
            (shots / f"picture-{scenario.replace('/', '-')}.svg").write_text(
                browser.evaluate("document.querySelector('svg.spacetime').outerHTML"))


def hostile(browser, checks, pages, shots):
    file = pages.hostile()
    page = pages.viewer(file)
    looks(browser, checks, page, "hostile", shots, "#step=60")
    browser.open(address(page, "#step=100000"))
    title = browser.evaluate("document.title")
    checks.expect(title.startswith("Values </title><script>alert"), f"hostile: the title is {title}")
    checks.expect(
        browser.evaluate("document.querySelectorAll('img, iframe, object, #clients script').length") == 0,
        "hostile: a value became an element")
    checks.expect(
        browser.evaluate("document.querySelectorAll('script').length") == 4,
        "hostile: there are other scripts than those of the page")
    server = browser.evaluate("document.getElementById('server').textContent")
    checks.expect("</script><script>document.title" in server, "hostile: markup is not shown as text")
    checks.expect("\\u{202e}" in server, "hostile: a mark of direction is not shown")
    checks.expect("(1,000,002 characters)" in server, "hostile: a long value is not cut")
    checks.expect("900 more" in server, "hostile: a long list is not cut")
    checks.expect("__proto__" in server and "constructor: 1" in server, "hostile: a key is lost")
    browser.evaluate("document.querySelector('#server li > .more').click()")
    server = browser.evaluate("document.getElementById('server').textContent")
    checks.expect("400 more" in server, "hostile: the rest of a list is not shown")

    report = pages.folder / "hostile-report.html"
    pages.run("run", str(file), "--html", str(report))
    looks(browser, checks, report, "hostile-report", shots, "#scenario=hostile")
    scripts = browser.evaluate("document.querySelectorAll('script').length")
    checks.expect(scripts == 3, f"hostile report: there are {scripts} scripts")
    checks.expect(
        browser.evaluate("document.querySelectorAll('img').length") == 0,
        "hostile report: a value became an element")


def large(browser, checks, pages, shots):
    page = pages.viewer(pages.large())
    browser.open(address(page))
    if shots:
        browser.screenshot(shots / "large.png")
    count = browser.evaluate("Page.data().events.length")
    checks.expect(count >= 10_000, f"large: there are only {count} events")
    rows = browser.evaluate("document.querySelectorAll('.row').length")
    checks.expect(rows < 200, f"large: {rows} rows exist at once")
    times = browser.evaluate(
        "(() => { const times = []; for (let i = 0; i < 400; i += 1) {"
        " if (i === 200) location.hash = '#step=9000';"
        " const start = performance.now();"
        " document.dispatchEvent(new KeyboardEvent('keydown', {key: i % 7 === 6 ? 'k' : 'j', bubbles: true}));"
        " document.body.offsetHeight;"
        " times.push(performance.now() - start); } return times.sort((a, b) => a - b); })()")
    middle, most = times[len(times) // 2], times[len(times) * 95 // 100]
    print(f"a step among {count} events takes {middle:.1f} ms, 95 of 100 take less than {most:.1f} ms")
    checks.expect(middle < 50, f"large: a step takes {middle:.1f} ms")
    far = browser.evaluate(
        "(() => { const start = performance.now();"
        " document.dispatchEvent(new KeyboardEvent('keydown', {key: 'End', bubbles: true}));"
        " document.body.offsetHeight; return performance.now() - start; })()")
    print(f"going to the end takes {far:.1f} ms")
    checks.expect(not browser.complaints(), f"large: {browser.complaints()}")


KNOWN = "limits/offline-changes-of-a-window"


def know(report):
    """Makes a failure a known one, as a list of known failures does."""
    lines = report.read_text().splitlines()
    known = {
        "standing": "known", "kind": "known-failure", "signature": "missing-event",
        "issue": "https://example.test/1", "until": "2099-01-01", "file": "known.yaml", "line": 3,
    }
    for number, line in enumerate(lines):
        run = json.loads(line)
        if run.get("scenario") == KNOWN and run["verdict"] == "fail":
            lines[number] = json.dumps({**run, "known": known})
    report.write_text("\n".join(lines) + "\n")


def report(browser, checks, pages, shots):
    one, two = pages.folder / "no-refill.jsonl", pages.folder / "reference.jsonl"
    single = pages.folder / "single.html"
    pages.run(
        "run", "limits", "--client", "no-refill", "--jsonl", str(one), "--html", str(single))
    pages.run("run", "limits", "--jsonl", str(two))
    know(one)
    both = pages.folder / "both.html"
    pages.run("report", f"ours={one}", str(two), "-o", str(both))
    looks(browser, checks, single, "report", shots)
    browser.open(address(single, f"#scenario={KNOWN.replace('/', '%2F')}"))
    texts = browser.evaluate("[...document.querySelectorAll('#scenario pre')].map(part => part.textContent)")
    checks.expect(
        any(text.startswith("FAIL") and text.count("\n") > 10 and "u{a}" not in text for text in texts),
        f"report: no text in lines among {texts}")
    looks(browser, checks, both, "reports", shots)
    bars = browser.evaluate("[...document.querySelectorAll('#families .share')].map(bar => getComputedStyle(bar).backgroundImage)")
    passed = {re.findall(r"rgb\([^)]*\)", bar)[0] for bar in bars}
    checks.expect(len(passed) == 1, f"reports: what passed has the colours {passed} in bars")
    heads = browser.evaluate(
        "[...document.querySelectorAll('#matrix thead th')].map(head => head.textContent)")
    checks.expect(heads == ["scenario", "ours", "reference"], f"reports: the columns are {heads}")
    shown = "document.querySelectorAll('#matrix .scenario').length"
    everything = browser.evaluate(shown)
    for part, needed in (
            ("known", ("https://example.test/1", "1 known cause")),
            ("families", ("Share passed, by families of rules", "LIM Limits", "100 %", " of ")), ("causes", ("of failures", "LIM-9 Refill"))):
        text = browser.evaluate(f"document.getElementById('{part}').textContent")
        for words in needed:
            checks.expect(words in text, f"reports: {part} lacks {words}: {text[:200]}")
    is_open = browser.evaluate("document.querySelector('#causes > details').open")
    checks.expect(not is_open, "reports: the causes are open at first")
    is_open = browser.evaluate("document.querySelector('#families > details').open")
    checks.expect(is_open, "reports: the families are closed at first")
    browser.evaluate("[...document.querySelectorAll('#families button')].find(item => item.textContent === 'WRT').click()")
    family = browser.evaluate(shown)
    checks.expect(0 < family < everything, f"reports: {family} of {everything} are about WRT")
    browser.evaluate("document.querySelector('#filters').reset()")
    browser.settle()
    browser.evaluate("document.querySelector('#matrix .topic button').click()")
    checks.expect(browser.evaluate(shown) == 0, "reports: a topic that is closed shows its rows")
    browser.evaluate("document.querySelector('#matrix .topic button').click()")
    checks.expect(browser.evaluate(shown) == everything, "reports: a topic that is opened lacks rows")
    badges = browser.evaluate("[...document.querySelectorAll('.saved img')].map(image => image.naturalWidth)")
    checks.expect(len(badges) == 2 and all(badges), f"reports: the badges are {badges} wide")
    title = browser.evaluate("document.title")
    checks.expect(title == "ours and reference compared - Kennel", f"reports: the title is {title}")
    origins = browser.evaluate("document.querySelectorAll('.origin').length")
    checks.expect(origins == 2, f"reports: {origins} say where they come from")
    browser.evaluate("document.getElementById('differs').click()")
    different = browser.evaluate(shown)
    browser.open(address(both, "#scenario=" + KNOWN.replace("/", "%2F")))
    text = browser.evaluate("document.getElementById('scenario').textContent")
    checks.expect(
        "a known failure: missing-event, https://example.test/1, until 2099-01-01" in text,
        f"reports: a known failure is told as {text[:300]}")
    checks.expect(0 < different < everything, f"reports: {different} of {everything} differ")

    link = "#scenario=limits%2Frefill-after-foreign-removal"
    looks(browser, checks, single, "report-scenario", shots, link)
    text = browser.evaluate("document.getElementById('scenario').textContent")
    for part in ("expected child_added /room/c", "Steps (4)", "Picture", "Events (", "Frames (", "rule LIM-7"):
        checks.expect(part in text, f"report: the part about a scenario lacks {part}")
    checks.expect(
        browser.evaluate("document.querySelectorAll('#scenario svg.spacetime title').length") > 20,
        "report: there is no picture")
    browser.press("u")
    browser.evaluate(
        "(() => { const field = document.getElementById('search'); field.value = 'refill';"
        " field.dispatchEvent(new Event('input', {bubbles: true})); })()")
    found = browser.evaluate(shown)
    checks.expect(0 < found < everything, f"report: the search finds {found} of {everything}")
    checks.expect(not browser.complaints(), f"report: {browser.complaints()}")


def search(browser, question):
    """Types a question; each result as [address, sentence, whether there is a mark]."""
    browser.evaluate(
        "(() => { const field = document.getElementById('site-query'); document.getElementById('site-results').replaceChildren();"
        f" field.value = {json.dumps(question)}; field.dispatchEvent(new Event('input')); }})()")
    browser.wait_for("document.querySelectorAll('#site-results li').length > 0")
    return browser.evaluate(
        "[...document.querySelectorAll('#site-results a')].map((link) => [link.href.replace(/#.*/, ''),"
        " link.querySelector('small').textContent, link.querySelector('mark') !== null])")


def questions(browser, checks, folder):
    """What a writer asks: the page that answers comes first, with a sentence and the hit."""
    asked = json.loads((HOME / "Tests/Browser/questions.json").read_text())
    first = 0
    for question, answers in asked.items():
        results = search(browser, question)
        addresses = [link.removeprefix(address(folder) + "/").removesuffix(".html") for link, _, _ in results]
        is_first = addresses[:1] and addresses[0] in answers
        first += bool(is_first)
        checks.expect(any(item in answers for item in addresses[:10]), f"search: {question}: {addresses[:10]}")
        texts = [text for _, text, _ in results[:3]]
        checks.expect(all(re.search(r"[a-z] [a-z]", text) for text in texts), f"search: no sentence in {texts}")
        checks.expect(
            all(len(text) <= 242 and not re.search(r"\*\*|\]\(|``", text) for text in texts),
            f"search: too much, or markup, in {texts}")
        checks.expect(results[:1] and results[0][2], f"search: {question}: no hit is marked")
    print(f"{first} of {len(asked)} questions have their answer first")
    checks.expect(first * 5 >= len(asked) * 4, f"search: only {first} of {len(asked)} come first")


def options(browser, checks, folder):
    """The first answer to the name of an option is what says what it does."""
    names = sorted(set(re.findall(r"<h[34] id=[^>]*><code><bdi>kennel [^-]*(--[a-z-]+)", (folder / "commands.html").read_text())))
    checks.expect(len(names) > 80, f"site: {len(names)} options only")
    for name in names:
        results = search(browser, name)
        link, text, _ = results[0] if results else ("", "", False)
        checks.expect("/commands.html" in link or name in text, f"search: {name}: {link}: {text}")


def site(browser, checks, pages, shots):
    """The documentation as a site: links lead somewhere, pictures are whole, some pages are looked at."""
    if not pages.knows("docs"):
        checks.skip(1, "the site: this kennel has no command docs")
        return
    folder = pages.folder / "site"
    folder.mkdir()
    pages.run("docs", "-o", str(folder))
    files = sorted(folder.rglob("*.html"))
    checks.expect(len(files) >= 60, f"site: there are {len(files)} pages")
    missing = set()
    for file in files:
        for link in re.findall(r'href="([^"#:]+)', file.read_text()):
            if link == "data" or link.startswith("http"):
                continue
            if not (file.parent / html.unescape(link)).exists():
                missing.add(f"{file.name}: {link}")
    checks.expect(not missing, f"site: links lead nowhere: {sorted(missing)[:5]}")
    index = folder / "index.html"
    looks(browser, checks, index, "site", shots)
    for file in files[::15]:
        looks(browser, checks, file, f"site-{file.stem}", shots if file == files[15] else None)
    for file in [file for file in files if "<svg" in file.read_text()]:
        browser.open(address(file))
        found = browser.evaluate(OVERLAPS)
        checks.expect(not found, f"site, pictures of {file.stem}: {found}")
    for size, is_open in (("desk", True), ("phone", False)):
        browser.open(address(folder / "rules/events.html"), *SIZES[size])
        found = browser.evaluate("document.querySelector('.contents').open")
        checks.expect(found == is_open, f"site, {size}: the contents of a page are {'open' if found else 'closed'}")
    browser.open(address(index))
    browser.press("/")
    questions(browser, checks, folder)
    options(browser, checks, folder)
    search(browser, "when is child_moved raised")
    found = accessibility.faults(browser)
    checks.expect(not found, f"site, with results: {found}")
    if shots:
        browser.screenshot(shots / "site-search.png")
    browser.follow('a[href$=html]:not([href="index.html"])')
    checks.expect(
        browser.evaluate("location.pathname") != address(index)[7:], "site: a link is not followed")
    checks.expect(not browser.complaints(), f"site: {browser.complaints()}")


def validity(checks, pages):
    """Reads all pages as strictly as the standard for HTML does."""
    try:
        import html5lib
    except ImportError:
        checks.skip(1, "the check of HTML: there is no html5lib (Debian: python3-html5lib)")
        return
    made = sorted(pages.folder.rglob("*.html"))
    for page in [page for page in made if "site" not in page.parts] + [
        page for page in made if "site" in page.parts
    ][::10]:
        if page.stat().st_size > 3_000_000:
            continue
        try:
            html5lib.HTMLParser(strict=True).parse(page.read_text())
            checks.expect(True, "")
        except html5lib.html5parser.ParseError as error:
            checks.expect(False, f"{page.name} is no valid HTML: {error}")


def main(words):
    checks = Checks()
    shots = None
    if "--screenshots" in words:
        place = words.index("--screenshots")
        shots = pathlib.Path(words[place + 1])
        shots.mkdir(parents=True, exist_ok=True)
        del words[place : place + 2]
    only = None
    if "--only" in words:
        only = words[words.index("--only") + 1]
    path = chromium.find()
    if path is None:
        checks.skip(
            6, "the pages in a browser: there is no Chromium; tools/prepare --browser installs it")
        return checks.finish()
    folder = tempfile.mkdtemp(prefix="kennel-pages-")
    pages = Pages(str(pathlib.Path(words[0]).resolve()), folder)
    browser = chromium.Chromium(path)
    try:
        for check in (viewer, pictures, hostile, large, report, site, interface.run):
            if only not in (None, check.__name__, check.__module__):
                continue
            try:
                check(browser, checks, pages, shots)
            except (chromium.ScriptError, TimeoutError) as error:
                checks.expect(False, f"{check.__module__} {check.__name__}: {error}")
        validity(checks, pages)
    finally:
        browser.close()
        shutil.rmtree(folder, ignore_errors=True)
    return checks.finish()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
