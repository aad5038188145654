"""What `kennel ui` does when files change, with a slow client, and beside the viewer."""

import sys
import time

REFILL = "limits/refill-after-foreign-removal"

# An adapter that takes its time for every answer.
SLOW = """import subprocess, sys, time
adapter = subprocess.Popen(sys.argv[1:], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
for line in sys.stdin.buffer:
    time.sleep(0.05)
    adapter.stdin.write(line)
    adapter.stdin.flush()
    while True:
        answer = adapter.stdout.readline()
        sys.stdout.buffer.write(answer)
        sys.stdout.buffer.flush()
        if b"idle" in answer or not answer:
            break
"""


def run(browser, checks, pages, shots, served):
    folder = pages.folder / "files"
    folder.mkdir()
    original = (pages.home / f"Scenarios/{REFILL}.yaml").read_text()
    for name in ("mine.yaml", "other.yaml"):
        (folder / name).write_text(original)
    with served(browser, pages, folder, "mine.yaml", "other.yaml") as page:
        for part in (outside, conflict, mistake, deleted):
            (folder / "mine.yaml").write_text(original)
            page.open("mine")
            part(page, checks, folder / "mine.yaml", original)
    with served(browser, pages, folder, REFILL, "--client", "no-refill") as page:
        page.open(REFILL)
        beside(page, checks, shots)
    counts(browser, checks, pages, folder, served)
    slow(browser, checks, pages, folder, served)


NOTICE = "!document.getElementById('notice').hidden"


def edit(page, original, mark):
    page.press("2")
    page.enter("text", original + f"# {mark}\n")
    page.browser.wait_for("document.getElementById('edited').textContent === 'not saved'")


def outside(page, checks, file, original):
    """A file that changes is loaded and run again."""
    page.browser.wait_for("document.querySelectorAll('#tree .sign.passed').length === 2")
    file.write_text(original.replace("child_removed: a", "child_removed: b"))
    page.browser.wait_for("document.getElementById('verdict').textContent === 'fail'")
    checks.expect("child_removed: b" in page.field("text"), "interface: the editor has the old text")
    checks.expect("changed on disk" in page.text("edited"), "interface: nothing says that the file was loaded again")


def conflict(page, checks, file, original):
    """What another program has written is seen, and never overwritten."""
    edit(page, original, "mine")
    file.write_text(original + "# theirs\n")
    page.browser.wait_for(NOTICE)
    page.click("save")
    page.browser.wait_for("document.getElementById('notice-text').textContent.includes('was not written')")
    checks.expect(file.read_text().endswith("# theirs\n"), "interface: a change by another program is overwritten")
    page.click("keep")
    page.enter("file", "kept.yaml")
    page.click("save")
    page.browser.wait_for("document.getElementById('edited').textContent.startsWith('saved')")
    checks.expect((file.parent / "kept.yaml").read_text().endswith("# mine\n"), "interface: my text is not kept")
    checks.expect(file.read_text().endswith("# theirs\n"), "interface: keeping my text overwrites the other")
    page.open("mine")
    edit(page, original + "# theirs\n", "mine")
    file.write_text(original + "# theirs again\n")
    page.browser.wait_for(NOTICE)
    page.click("load")
    page.browser.wait_for("document.getElementById('text').value.endsWith('# theirs again\\n')")
    checks.expect(page.text("edited") == "", "interface: a text that was loaded counts as changed")


def mistake(page, checks, file, original):
    """A file with a mistake keeps its last verdict, as an old one, and stays in the list."""
    page.browser.wait_for("document.getElementById('verdict').textContent === 'pass'")
    page.press("2")
    page.enter("text", original.replace("steps:", "stepz:"))
    page.click("save")
    page.browser.wait_for("document.getElementById('verdict').textContent === 'pass, old'")
    page.wait("errors", "li")
    checks.expect("mistakes" in page.text("standing"), "interface: nothing says that the file has mistakes")
    checks.expect(page.value("document.querySelectorAll('#tree .item.broken.old').length") == 1, "interface: the list shows no mistake")
    page.click("run")
    page.browser.wait_for("document.getElementById('problems').textContent.includes('did you mean steps?')")
    page.enter("text", original)
    page.click("save")
    page.browser.wait_for("document.getElementById('verdict').textContent === 'pass'")
    page.browser.wait_for("document.querySelectorAll('#tree .item.old').length === 0")


def deleted(page, checks, file, original):
    """The text of a file that is gone can still be kept."""
    edit(page, original, "mine")
    file.unlink()
    page.click("save")
    page.browser.wait_for("document.getElementById('notice-text').textContent.includes('no longer there')")
    checks.expect(not file.exists(), "interface: a file that was deleted is written")
    page.click("keep")
    checks.expect(page.field("text").endswith("# mine\n"), "interface: the text of a deleted file is lost")


def beside(page, checks, shots):
    """The overview, messages and differences show the run, and follow the event that is chosen."""
    frame = "document.getElementById('frame').contentDocument"
    checks.expect(page.value(f"{frame}.querySelectorAll('h1, .badge.fail').length") == 0, "interface: title or verdict is shown twice")
    sentence = page.text("sentence")
    twice = page.value(f"[...{frame}.querySelectorAll('#failures .sentence')].filter(part => part.textContent === {sentence!r}).length")
    checks.expect(twice == 0, "interface: the sentence is shown twice")
    page.press("2")
    failed = page.value("document.querySelector('#moment').value")
    checks.expect(page.value(f"{frame}.location.hash") == f"#step={failed}", "interface: the overview does not begin at the failure")
    dots = page.value("document.querySelectorAll('#overview .dot').length")
    checks.expect(dots >= 4, f"interface: the overview has {dots} kinds of events")
    messages = page.value("[...document.querySelectorAll('#messages .event')].map(row => row.textContent)")
    checks.expect(any("bob → server put /room/a null" in text for text in messages), f"interface: the messages are {messages}")
    page.value("[...document.querySelectorAll('#messages .event')].find(row => row.textContent.includes('put /room/a')).click()")
    number = page.field("moment")
    checks.expect(page.value(f"{frame}.location.hash") == f"#step={number}", "interface: the viewer does not follow a message")
    checks.expect(page.value("document.querySelector('#lines .target') !== null"), "interface: the line of the step is not marked")
    page.click("tab-differences")
    lines = page.value("[...document.querySelectorAll('#differences .events ul li')].map(row => row.textContent)")
    for line in ("server /room/a  1 → nothing", "alice.first /a  1 → nothing"):
        checks.expect(line in lines, f"interface: the differences lack {line}: {lines}")
    page.enter("moment", 3)
    checks.expect(page.value(f"{frame}.location.hash") == "#step=3", "interface: the viewer does not follow the overview")
    if shots:
        page.browser.screenshot(shots / "interface-beside.png")


def counts(browser, checks, pages, folder, served):
    """The counts are those of `kennel run`, with what kennel.yaml says is known."""
    (folder / "kennel.yaml").write_text("kennel: 1\nscenarios: [limits]\nknown: known.yaml\n")
    environment = ("--client", "no-refill")
    pages.run_in(folder, "known", "--update", "known.yaml", "--issue", "https://example.test/1", "limits", *environment)
    lines = (folder / "known.yaml").read_text().split("\n  - ")
    (folder / "known.yaml").write_text("\n  - ".join(lines[:-1]) + "\n")
    expected = pages.run_in(folder, "run", *environment).strip().split("\n")[-1]
    with served(browser, pages, folder, *environment) as page:
        page.browser.open(page.url)
        page.browser.wait_for("document.getElementById('totals').textContent.includes('passed')")
        page.browser.wait_for("document.getElementById('stop').hidden", 300)
        page.browser.wait_for(f"document.getElementById('totals').textContent === {expected!r}", 10)
    checks.expect("known" in expected and ", 0 failed" not in expected, f"interface: the counts compared are {expected}")
    (folder / "kennel.yaml").unlink()


def slow(browser, checks, pages, folder, served):
    """A slow client is seen at work at once."""
    (folder / "slow.py").write_text(SLOW)
    adapter = pages.home / "tools/adapters/python/adapter.py"
    with served(browser, pages, folder, "limits", "--", sys.executable, "slow.py", sys.executable, str(adapter)) as page:
        start = time.monotonic()
        page.browser.open(page.url)
        page.browser.wait_for("document.getElementById('running').textContent.startsWith('running limits/')")
        page.browser.wait_for("document.getElementById('totals').textContent.includes('passed')")
        seconds = time.monotonic() - start
        running = page.text("running")
        print(f"a client that takes 50 ms for each answer shows its first result after {seconds:.1f} s: {running}")
        checks.expect(seconds < 10, f"interface: a slow client shows nothing for {seconds:.1f} s")
        checks.expect("done" in running, f"interface: what is running is not shown: {running}")
        page.click("stop")
        page.browser.wait_for("document.getElementById('stop').hidden")
