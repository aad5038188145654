"""The page of `kennel ui` in a real browser: every feature by mouse and by keyboard."""

import os
import subprocess
import time

import accessibility
import chromium
import interface_files
import interface_fleet

REFILL = "limits/refill-after-foreign-removal"
RACE = "races/two-writers-at-once"


class Served:
    """`kennel ui` in a folder, and its page in the browser."""

    def __init__(self, browser, pages, folder, *words):
        self.browser = browser
        state = str(pages.folder / "state")
        self.process = subprocess.Popen(
            [pages.kennel, "ui", *words], cwd=folder,
            env=dict(os.environ, KENNEL_HOME=str(pages.home), XDG_STATE_HOME=state),
            stdout=subprocess.PIPE, text=True)
        self.url = self.process.stdout.readline().strip()
        browser.allowed = ("data:", self.url.split("?")[0])

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.browser.allowed = chromium.Chromium.allowed
        self.process.terminate()
        self.process.wait()

    def open(self, scenario=""):
        self.browser.open(self.url + (f"#{scenario.replace('/', '%2F')}" if scenario else ""))
        self.wait("tree", ".item")
        if scenario:
            self.ready()

    def wait(self, place, selector):
        self.browser.wait_for(f"document.querySelector('#{place} {selector}')")

    def ready(self):
        """Waits until the run that was asked for is in the viewer."""
        self.browser.wait_for("!document.body.classList.contains('busy')")
        self.browser.wait_for(
            "document.getElementById('frame').contentDocument?.readyState === 'complete'"
            " && document.getElementById('frame').contentDocument.querySelector('#events .row.selected')")

    def value(self, script):
        return self.browser.evaluate(script)

    def text(self, name):
        return self.value(f"document.getElementById('{name}').textContent")

    def field(self, name):
        return self.value(f"document.getElementById('{name}').value")

    def enter(self, name, value):
        """Chooses or types a value; the page learns of it as of a reader's."""
        self.value(
            f"(() => {{ const field = document.getElementById('{name}'); field.value = {value!r};"
            " field.dispatchEvent(new Event('input', {bubbles: true})); field.dispatchEvent(new Event('change', {bubbles: true})); })()")

    def click(self, name):
        self.value(f"document.getElementById('{name}').click()")

    def shown(self):
        return self.value("document.querySelectorAll('#tree .item').length")

    def events(self):
        """What the run in the viewer consists of."""
        return self.value(
            "JSON.parse(document.getElementById('frame').contentDocument.getElementById('data').textContent)"
            ".events.map(event => event.x)")

    def press(self, key):
        """Presses a key while no field has the focus."""
        self.value("document.getElementById('tree').focus()")
        self.browser.press(key)


def run(browser, checks, pages, shots):
    if not pages.knows("ui"):
        checks.skip(1, "the interface: this kennel has no command ui")
        return
    folder = pages.folder / "project"
    folder.mkdir()
    with Served(browser, pages, pages.home, "--client", "no-refill") as page:
        whole(page, checks, shots)
    with Served(browser, pages, folder, REFILL, RACE, "--client", "no-refill") as page:
        for part in (keyboard, faults, editor, recording, searches, looks):
            page.open(REFILL)
            part(page, checks, shots, folder)
            complaints = browser.complaints()
            checks.expect(not complaints, f"interface, {part.__name__}: {complaints}")
    interface_files.run(browser, checks, pages, shots, Served)
    interface_fleet.run(browser, checks, pages, shots, Served)


def whole(page, checks, shots):
    """All scenarios: they are listed at once, run, and the page opens at the first failure."""
    # The quickest of three: other programs of this machine make some slower. With a scenario in the
    # address nothing else is run, so that none waits for the one before.
    seconds = min(listing(page) for _ in range(3))
    print(f"{page.shown()} scenarios are listed after {seconds:.2f} s")
    checks.expect(seconds < 2, f"interface: the scenarios are listed after {seconds:.1f} s")
    page.browser.open(page.url)
    page.browser.wait_for("document.getElementById('verdict').textContent === 'fail'")
    page.browser.wait_for("document.getElementById('frame').contentDocument?.querySelector('#failures a')")
    checks.expect(
        page.text("sentence").startswith("expected"), "interface: it does not open at the failure")
    page.browser.wait_for("document.getElementById('stop').hidden", 300)
    if shots:
        page.browser.screenshot(shots / "interface.png")
    again(page, checks)
    everything = page.shown()
    for name, value in (
        ("status", "failed"), ("by-profile", "wilddog-1"), ("by-rule", "LIM-7"), ("by-tag", "smoke"),
        ("by-needs", "transaction"), ("search", "refill foreign"),
    ):
        page.enter(name, value)
        checks.expect(0 < page.shown() < everything, f"interface: {name} {value} shows {page.shown()}")
        page.enter(name, "")
    checks.expect(page.shown() == everything, "interface: without a filter something is hidden")
    checks.expect(not page.browser.complaints(), f"interface: {page.browser.complaints()}")


PROGRESS = ("fetch('/api/progress?after=0', {headers: {'x-kennel-token': new URLSearchParams(location.search).get('token')}})"
            ".then(answer => answer.json()).then(progress => [progress.newest, progress.left])")


def again(page, checks):
    """A page that is opened again has the results of the one before, and starts nothing."""
    before, counts = page.value(PROGRESS), page.text("totals")
    page.browser.open(page.url)
    page.browser.wait_for("document.getElementById('totals').textContent !== 'Nothing has run'")
    page.ready()
    time.sleep(1)
    after = page.value(PROGRESS)
    checks.expect(after == before and before[1] == 0, f"interface: opened again, it runs: {before}, {after}")
    checks.expect(page.text("totals") == counts, f"interface: opened again, it shows {page.text('totals')}, not {counts}")


def listing(page):
    start = time.monotonic()
    page.browser.open(page.url + "#" + REFILL.replace("/", "%2F"))
    page.browser.wait_for("document.querySelectorAll('#tree .item').length > 600")
    return time.monotonic() - start


def keyboard(page, checks, shots, folder):
    """Everything without a mouse."""
    chosen = "document.querySelector('#tree [aria-selected=true]').dataset.id"
    page.press("j")
    page.browser.wait_for(f"{chosen} === '{RACE}'")
    page.ready()
    page.press("k")
    page.browser.wait_for(f"{chosen} === '{REFILL}'")
    page.ready()
    page.press("/")
    checks.expect(page.value("document.activeElement.id") == "search", "interface: / does not filter")
    page.browser.press("Escape")
    checks.expect(page.value("document.activeElement.id") == "tree", "interface: Escape does not lead to the list")
    for key, tab in zip("2341", ("edit", "rules", "output", "view")):
        page.press(key)
        shown = page.value("[...document.querySelectorAll('#chosen > [role=tabpanel]')].filter(part => !part.hidden).map(part => part.id)")
        checks.expect(shown == [tab], f"interface: {key} shows {shown}")
    page.press("]")
    page.browser.wait_for("document.getElementById('seed').value === '1'")
    page.ready()
    page.press("[")
    page.browser.wait_for("document.getElementById('seed').value === '0'")
    page.ready()
    page.press("j")
    page.browser.wait_for(f"{chosen} === '{RACE}'")
    page.ready()
    page.press("a")
    page.browser.wait_for("document.querySelectorAll('#tree .sign.failed').length > 0")
    page.browser.wait_for("document.getElementById('stop').hidden", 300)
    page.press("n")
    page.browser.wait_for(f"{chosen} === '{REFILL}'")
    page.value("document.getElementById('chips').open = true")
    page.value("document.getElementById('tab-view').focus()")
    page.browser.press("ArrowRight")
    checks.expect(page.value("document.activeElement.id") == "tab-edit", "interface: an arrow does not lead to the next tab")
    page.press("1")
    page.press("?")
    checks.expect(page.value("document.getElementById('keys').open"), "interface: ? does not list the keys")
    reached, unseen = accessibility.focus(page.browser)
    checks.expect(not unseen, f"interface: the focus is not seen at {unseen}")
    for name in ("search", "tree", "run", "why", "shrink", "explore", "deliveries", "seed", "moment", "explain-faults", "tab-view"):
        checks.expect(any(item.endswith(f"#{name}") for item in reached), f"interface: Tab does not reach {name}")


CHIP = "[...document.querySelectorAll('#faults button')].find(chip => chip.textContent === 'cut')"
ROW = ("[...document.getElementById('frame').contentDocument.querySelectorAll('#events .row')]"
       ".find(row => row.textContent.includes('step 3'))")


def faults(page, checks, shots, folder):
    """What faults do is said where a keyboard or a finger can ask for it. Faults onto events of the run and onto lines of the text, by mouse and by click."""
    page.value("document.getElementById('chips').open = true")
    page.click("explain-faults")
    silent = page.value(
        "[...document.querySelectorAll('#faults button')].filter(chip => {"
        " const text = document.getElementById(chip.getAttribute('aria-describedby'));"
        " return !text.checkVisibility() || !/^[A-Z].*\\.$/.test(text.textContent); }).map(chip => chip.textContent)")
    checks.expect(not silent, f"interface: these faults are not explained: {silent}")
    page.click("explain-faults")
    before = page.field("text").split("\n")
    for what, act in (
        ("dragged onto an event", lambda: page.browser.drag(CHIP, ROW)),
        ("inserted at the selected event", lambda: (
            page.value("document.getElementById('frame').contentWindow.location.hash = '#step=20'"),
            page.value(f"{CHIP}.click()"))),
    ):
        act()
        page.browser.wait_for("document.getElementById('edited').textContent === 'not saved'")
        page.ready()
        page.browser.wait_for(
            "document.getElementById('frame').contentDocument.getElementById('data')?.textContent.includes('\"fault\"')")
        lines = page.field("text").split("\n")
        added = [line for line in lines if line not in before]
        checks.expect(added == ["  - network.cut: alice"], f"interface, {what}: {added}")
        checks.expect(
            any("cut" in event for event in page.events()), f"interface, {what}: the run has no fault")
        page.click("revert")
        page.click("run")
        page.ready()
    page.click("tab-edit")
    page.browser.drag(CHIP, "document.getElementById('text')")
    lines = page.field("text").split("\n")
    checks.expect(
        len(lines) == len(before) + 1 and "  - network.cut: alice" in lines,
        "interface: a fault is not dropped onto a line")
    page.click("revert")


def editor(page, checks, shots, folder):
    """Mistakes while typing, completion, a run of what is not saved, and a scenario under a new name."""
    page.press("2")
    original = page.field("text")
    page.enter("text", original.replace("steps:", "stepz:"))
    page.wait("errors", "li")
    checks.expect(
        "did you mean steps?" in page.text("errors"), "interface: the editor does not show the checker's message")
    page.enter("text", original)
    page.browser.wait_for("document.querySelectorAll('#errors li').length === 0")
    page.value(
        "(() => { const text = document.getElementById('text'); text.focus(); text.value += '  - bob.se';"
        " text.setSelectionRange(text.value.length, text.value.length); text.dispatchEvent(new Event('input')); })()")
    page.wait("completions", "li")
    page.browser.press("Enter")
    checks.expect(
        page.field("text").split("\n")[-1].startswith("  - bob.set"),
        f"interface: completion writes {page.field('text').splitlines()[-1]}")
    page.enter("text", original.replace("child_removed: a", "child_removed: b"))
    page.browser.wait_for("document.getElementById('edited').textContent === 'not saved'")
    page.click("run")
    page.browser.wait_for("document.getElementById('sentence').textContent.includes('child_removed')")
    page.enter("file", "found/new.yaml")
    page.click("save")
    page.browser.wait_for("document.getElementById('edited').textContent.startsWith('saved')")
    saved = (folder / "found/new.yaml").read_text()
    checks.expect("child_removed: b" in saved, "interface: another scenario is saved than the one in the editor")
    if shots:
        page.browser.screenshot(shots / "interface-editor.png")


def recording(page, checks, shots, folder):
    """What the reference client does, put into the text as what it expects."""
    page.press("2")
    original = page.field("text")
    page.enter("text", original.replace("child_removed: a", "child_removed: b"))
    page.browser.wait_for("document.getElementById('edited').textContent === 'not saved'")
    page.click("record")
    page.browser.wait_for("document.getElementById('output').textContent.includes('Read it, and save it')")
    shown = page.text("output")
    checks.expect(
        "child_removed: a" in shown and "child_removed: b" in shown,
        f"interface: what is recorded is not compared with what the text had: {shown[:200]}")
    checks.expect(
        page.field("text") == original, f"interface: what is recorded is not in the text: {page.field('text')}")
    page.click("record")
    page.browser.wait_for("document.getElementById('output').textContent.includes('expects already')")
    page.click("revert")


def searches(page, checks, shots, folder):
    """Explanations, seeds, smaller scenarios and orders."""
    page.press("e")
    page.wait("output", "pre")
    checks.expect("child_added" in page.text("output"), "interface: nothing is explained")
    page.click("seeds")
    page.browser.wait_for("document.getElementById('output').textContent.includes('of 100 seeds fail')")
    checks.expect("100 of 100 seeds fail, 1 to 100" in page.text("output"), f"interface: {page.text('output')[:80]}")
    page.value("document.querySelectorAll('#output li button')[4].click()")
    page.browser.wait_for("document.getElementById('seed').value === '5'")
    page.ready()
    page.enter("seed", "9022134767404828019")
    page.ready()
    page.press("]")
    page.browser.wait_for("document.getElementById('seed').value === '9022134767404828020'")
    page.ready()
    width = page.value("(field => field.scrollWidth <= field.clientWidth)(document.getElementById('seed'))")
    checks.expect(width, "interface: the field does not show all digits of a seed")
    page.enter("seed", "5")
    page.ready()
    page.enter("text", page.field("text") + "  - server.set: {path: elsewhere, value: 1}\n")
    page.press("s")
    page.browser.wait_for("document.getElementById('file').value.startsWith('found/')")
    small = page.field("text")
    checks.expect(
        "bob.remove" in small and "elsewhere" not in small, "interface: the smaller scenario is not smaller")
    page.click("run")
    page.browser.wait_for("document.getElementById('verdict').textContent === 'fail'")
    # The list comes late, and a run that is asked for after the save ends before it.
    page.value(
        "(plain => { window.fetch = async (place, ...rest) => {"
        " if (String(place).startsWith('/api/scenarios')) await new Promise(done => setTimeout(done, 700));"
        " return plain(place, ...rest); }; })(window.fetch)")
    page.click("save")
    page.click("run")
    page.browser.wait_for("document.getElementById('edited').textContent.startsWith('saved')")
    page.ready()
    name = page.field("file")
    chosen = page.value("document.querySelector('#tree [aria-selected=true]').dataset.id")
    checks.expect(
        (folder / name).read_text() == page.field("text") == small and chosen == name.removesuffix(".yaml"),
        f"interface: after the smaller scenario was saved as {name}, the page shows {chosen}")

    page.open(RACE)
    explored(page, checks)


def explored(page, checks):
    """Orders, orders of all deliveries, and one fault at every moment; each can be looked at."""
    for options, least in (((), 2), (("deliveries",), 2), (("with-faults",), 0), (("deliveries", "with-faults"), 2)):
        for name in options:
            page.value(f"document.getElementById('{name}').checked = true")
        page.press("x")
        page.browser.wait_for("document.querySelector('#output h2')", 300)
        found = page.value("document.querySelectorAll('#output details').length")
        checks.expect(found >= least, f"interface: the race, explored with {options}, has {found} outcomes")
        for name in options:
            page.value(f"document.getElementById('{name}').checked = false")
    page.press("x")
    page.browser.wait_for("document.querySelectorAll('#output details').length === 2")
    runs = []
    for number in range(2):
        page.press("4")
        page.value(f"document.querySelectorAll('#output details button')[{number}].click()")
        page.browser.wait_for("!document.getElementById('order').hidden && !document.getElementById('view').hidden")
        page.ready()
        time.sleep(0.3)
        page.ready()
        runs.append(page.events())
    checks.expect(runs[0] != runs[1], "interface: two orders have the same run")
    page.click("order")
    page.browser.wait_for("document.getElementById('order').hidden")


def looks(page, checks, shots, folder):
    """Every part in all sizes and colours: it fits, and it is accessible."""
    for size, (width, height) in chromium.SIZES.items():
        for dark in (False, True):
            page.browser.look(width, height, dark)
            for key, tab in zip("1234", ("view", "edit", "rules", "output")):
                page.press(key)
                page.browser.settle()
                accessibility.check(
                    page.browser, checks, f"interface-{tab}", size, "dark" if dark else "light", shots)
    page.browser.look(*chromium.SIZES["desk"], False)
