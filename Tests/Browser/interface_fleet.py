"""Who plays whom in `kennel ui`: a project with two versions of a client that do not get along."""

import accessibility
import chromium

PAIR = "push-ids/keys-in-order-of-calls"

PROJECT = """kennel: 1
clients:
  old: {{command: [python3, {kit}/tools/adapters/python/adapter.py], version: 1.0}}
  new: {{command: [python3, {kit}/Tests/Fleets/newer.py], version: 2.0}}
roles: {{bob: old}}
"""

CHOSEN = "[...document.querySelectorAll('#players select')].map(select => select.value)"


def run(browser, checks, pages, shots, served):
    folder = pages.folder / "fleet"
    folder.mkdir()
    (folder / "kennel.yaml").write_text(PROJECT.format(kit=pages.home))
    with served(browser, pages, folder, PAIR) as page:
        page.open(PAIR)
        page.browser.wait_for("document.getElementById('verdict').textContent === 'pass'")
        page.value("document.getElementById('fleet').open = true")
        for part in (usual, asked, reloaded, matrix, searches, looks):
            part(page, checks, shots)
            complaints = browser.complaints()
            checks.expect(not complaints, f"fleet, {part.__name__}: {complaints}")


def played(page, words):
    page.browser.wait_for(f"document.getElementById('played').textContent === 'played by {words}'")
    page.ready()


def choose(page, client, subject):
    page.value(
        f"(() => {{ const select = [...document.querySelectorAll('#players label')].find(label => label.textContent.startsWith('{client} ')).querySelector('select');"
        f" select.value = '{subject}'; select.dispatchEvent(new Event('change', {{bubbles: true}})); }})()")


def usual(page, checks, shots):
    """The roles of the project count, and the result and the time line say so."""
    played(page, "alice: reference, bob: old 1.0")
    checks.expect(page.value(CHOSEN) == ["", "old"], f"fleet: usually {page.value(CHOSEN)} play")
    lanes = page.value("[...document.querySelectorAll('#overview text')].map(label => label.textContent)")
    for lane in ("alice reference", "bob old 1.0", "server"):
        checks.expect(lane in lanes, f"fleet: the overview lacks {lane}: {lanes}")
    heads = page.value(
        "[...document.getElementById('frame').contentDocument.querySelectorAll('#clients h3')].map(head => head.textContent)")
    checks.expect(any("bob played by old 1.0" in head for head in heads), f"fleet: the viewer has {heads}")
    titles = page.value(
        "[...document.getElementById('frame').contentDocument.querySelectorAll('.heads .lane span')].map(head => head.title)")
    checks.expect("bob, played by old 1.0" in titles, f"fleet: the lanes of the viewer are {titles}")


def asked(page, checks, shots):
    """A command is started after the user has agreed; what plays for one scenario counts for no other run."""
    totals = page.text("totals")
    choose(page, "bob", "new")
    page.browser.wait_for("!document.getElementById('question').hidden")
    question = page.text("question-text")
    checks.expect("was not started from a page before: python3" in question, f"fleet: it asks {question}")
    checks.expect("bob: old" in page.text("played"), "fleet: a command is started before the user has agreed")
    page.click("agree")
    page.browser.wait_for("document.getElementById('verdict').textContent === 'fail'")
    played(page, "alice: reference, bob: new 2.0")
    checks.expect(page.value("document.getElementById('question').hidden"), "fleet: the question stays")
    checks.expect("played by alice: reference, bob: new 2.0" in page.text("output"), "fleet: the report does not say who played whom")
    failures = page.value("document.getElementById('frame').contentDocument.getElementById('failures').textContent")
    checks.expect("played by alice: reference, bob: new 2.0" in failures, f"fleet: the failure is without its fleet: {failures}")
    checks.expect(page.text("totals") == totals, f"fleet: a choice for one scenario counts: {page.text('totals')}")


def reloaded(page, checks, shots):
    """What was chosen for a scenario is there after the page is loaded again, and for no other scenario."""
    page.browser.events = []
    page.value("setTimeout(() => location.reload())")
    page.browser.wait_for_page()
    played(page, "alice: reference, bob: new 2.0")
    checks.expect(page.value(CHOSEN) == ["", "new"], f"fleet: after loading again {page.value(CHOSEN)} play")
    page.value("document.getElementById('fleet').open = true")


def matrix(page, checks, shots):
    """Every combination; the pairs that diverge, and each run."""
    page.click("matrix")
    page.browser.wait_for("document.querySelector('#output h2')", 120)
    head = page.value("document.querySelector('#output h2').textContent")
    checks.expect(
        head == "reference with new 2.0 diverges; old 1.0 with new 2.0 diverges", f"fleet: the matrix finds: {head}")
    rows = page.value("document.querySelectorAll('#output tbody tr').length")
    checks.expect(rows == 9, f"fleet: the matrix has {rows} runs")
    found = accessibility.faults(page.browser)
    checks.expect(not found, f"fleet, matrix: {found[:8]}")
    if shots:
        page.browser.screenshot(shots / "interface-matrix.png")
    page.value("document.querySelector('#output [aria-label=\"Show alice played by old 1.0, bob played by new 2.0\"]').click()")
    played(page, "alice: old 1.0, bob: new 2.0")
    checks.expect(page.value(CHOSEN) == ["old", "new"], f"fleet: the run of the matrix has {page.value(CHOSEN)}")
    checks.expect(page.text("verdict") == "fail", f"fleet: the run of the matrix is {page.text('verdict')}")


def searches(page, checks, shots):
    """Exploring, making smaller and saving keep the fleet."""
    page.press("x")
    page.browser.wait_for("document.querySelector('#output h2')", 120)
    text = page.text("output")
    checks.expect("--client alice=old --client bob=new" in text, f"fleet: explored is {text[:200]}")
    checks.expect("1 fail" in text, f"fleet: explored alone, nothing fails: {text[:200]}")
    page.press("s")
    page.browser.wait_for("document.getElementById('file').value.startsWith('found/')", 120)
    checks.expect("bob=new" in page.field("text"), f"fleet: made smaller, the text names no fleet: {page.field('text')[:200]}")
    page.click("run")
    page.ready()
    page.click("save")
    page.browser.wait_for("document.getElementById('edited').textContent.startsWith('saved')")
    page.ready()
    played(page, "alice: old 1.0, bob: new 2.0")
    checks.expect(page.text("verdict") == "fail", f"fleet: saved, the smaller scenario is {page.text('verdict')}")
    checks.expect(page.value(CHOSEN) == ["old", "new"], f"fleet: saved, {page.value(CHOSEN)} play")


def looks(page, checks, shots):
    """The choice in all sizes and colours, and by keyboard."""
    page.press("1")
    for size, (width, height) in chromium.SIZES.items():
        for dark in (False, True):
            page.browser.look(width, height, dark)
            page.browser.settle()
            accessibility.check(
                page.browser, checks, "interface-fleet", size, "dark" if dark else "light", shots)
    page.browser.look(*chromium.SIZES["desk"], False)
    reached, unseen = accessibility.focus(page.browser)
    checks.expect(not unseen, f"fleet: the focus is not seen at {unseen}")
    checks.expect(any(item.endswith("#matrix") for item in reached), "fleet: Tab does not reach the matrix")
