"""Checks a page that is open in a browser: names of controls, references, headings, contrast, targets, focus.

These are the checks of the Web Content Accessibility Guidelines 2.2, levels A and AA, that a program can make
without a judgement: 1.3.1, 1.4.3, 2.1.1, 2.4.2, 2.4.6, 2.4.7, 2.5.8, 3.1.1, 4.1.2.
"""

import json

# What is wrong with the document, as the browser shows it now.
FAULTS = """((isPhone) => {
  const found = [];
  const all = (selector) => [...document.querySelectorAll(selector)];
  const isShown = (item) => item.checkVisibility({ checkVisibilityCSS: true, checkOpacity: true }) && item.getClientRects().length > 0;
  const name = (item) => item.tagName.toLowerCase() + (item.id ? `#${item.id}` : '')
    + (item.classList.length > 0 ? `.${[...item.classList].join('.')}` : '') + ` "${item.textContent.trim().slice(0, 30)}"`;

  if (!document.documentElement.lang) found.push('the page has no language');
  if (!document.title.trim()) found.push('the page has no title');
  if (all('main').filter(isShown).length !== 1) found.push('the page has not one main part');

  for (const attribute of ['id', 'accesskey']) {
    const seen = new Set();
    for (const item of all(`[${attribute}]`)) {
      const value = item.getAttribute(attribute);
      if (seen.has(value)) found.push(`two elements have the ${attribute} ${value}`);
      seen.add(value);
    }
  }
  for (const attribute of ['aria-labelledby', 'aria-describedby', 'aria-controls', 'aria-activedescendant', 'for']) {
    for (const item of all(`[${attribute}]`)) {
      for (const id of item.getAttribute(attribute).split(' ')) {
        if (!document.getElementById(id)) found.push(`${name(item)}: ${attribute} names ${id}, which does not exist`);
      }
    }
  }
  for (const item of all('[aria-hidden=true]')) {
    if (item.querySelector('button, a[href], input, select, textarea, [tabindex="0"]')) found.push(`${name(item)} is hidden but can have the focus`);
  }

  let level = 0;
  for (const heading of all('h1, h2, h3, h4, h5, h6').filter(isShown)) {
    const next = +heading.tagName[1];
    if (next > level + 1) found.push(`${name(heading)} follows a heading of level ${level}`);
    level = next;
  }

  // Contrast: a canvas turns every notation of a colour into its parts.
  const pen = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  const known = new Map();
  const parts = (colour) => {
    if (!known.has(colour)) {
      pen.clearRect(0, 0, 1, 1);
      pen.fillStyle = colour;
      pen.fillRect(0, 0, 1, 1);
      const [r, g, b, a] = pen.getImageData(0, 0, 1, 1).data;
      known.set(colour, [r, g, b, a / 255]);
    }
    return known.get(colour);
  };
  const over = ([r, g, b, a], under) => [r, g, b].map((part, index) => part * a + under[index] * (1 - a));
  const paper = (item) => {
    const layers = [];
    for (let part = item; part; part = part.parentElement) {
      const layer = parts(getComputedStyle(part).backgroundColor);
      if (layer[3] > 0) layers.push(layer);
      if (layer[3] === 1) break;
    }
    return layers.reverse().reduce((under, layer) => over(layer, under), [255, 255, 255]);
  };
  const light = (colour) => colour.map((part) => part / 255).map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
    .reduce((sum, part, index) => sum + part * [0.2126, 0.7152, 0.0722][index], 0);
  const seen = new Set();
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const item = texts.currentNode.parentElement;
    if (seen.has(item) || !texts.currentNode.data.trim() || !isShown(item) || item.closest('script, style, title, desc, :disabled')) continue;
    seen.add(item);
    const style = getComputedStyle(item);
    const ink = parts(item.closest('svg') ? style.fill : style.color);
    if (ink[3] === 0) continue;
    const under = paper(item.closest('svg')?.parentElement ?? item);
    const [a, b] = [light(over(ink, under)), light(under)].sort((x, y) => y - x);
    const ratio = (a + 0.05) / (b + 0.05);
    const size = parseFloat(style.fontSize);
    const isLarge = size >= 24 || (size >= 18.66 && +style.fontWeight >= 700);
    if (ratio < (isLarge ? 3 : 4.5)) found.push(`${name(item)} has a contrast of ${ratio.toFixed(2)} only`);
  }

  const controls = 'button, select, textarea, input:not([type=hidden]), summary, [role=tab], [role=option]';
  for (const item of isPhone ? all(controls).filter(isShown) : []) {
    const { width, height } = (item.type === 'checkbox' && item.closest('label') || item).getBoundingClientRect();
    if ((width < 24 || height < 24) && !item.closest('.lanes, #events')) found.push(`${name(item)} is ${Math.round(width)} by ${Math.round(height)} pixels only`);
  }
  for (const item of all('*')) {
    const { overflowX, overflowY } = getComputedStyle(item);
    const scrolls = (/auto|scroll/.test(overflowY) && item.scrollHeight > item.clientHeight + 1) || (/auto|scroll/.test(overflowX) && item.scrollWidth > item.clientWidth + 1);
    if (!scrolls || !isShown(item) || item === document.documentElement || item === document.body) continue;
    const canFocus = item.tabIndex >= 0 || item.querySelector('a[href], button, input, select, textarea, summary, [tabindex="0"]');
    if (!canFocus) found.push(`${name(item)} can be scrolled but not by keyboard`);
  }

  // Landmarks: two of a kind have different names, and everything is in one.
  const landmark = 'main, nav, aside, form[aria-label], form[aria-labelledby], [role=search], [role=region], [role=navigation], section[aria-label], section[aria-labelledby], body > header, body > footer';
  const marks = new Set();
  for (const item of all(landmark).filter(isShown)) {
    const id = item.getAttribute('aria-labelledby');
    const label = item.getAttribute('aria-label') ?? (id ? document.getElementById(id)?.textContent.trim() : '');
    const kind = item.getAttribute('role') ?? (item.tagName === 'SECTION' ? 'region' : item.tagName.toLowerCase());
    if (marks.has(`${kind} ${label}`)) found.push(`${name(item)}: another ${kind} is called "${label}" as well`);
    marks.add(`${kind} ${label}`);
  }
  for (const item of document.body.children) {
    const isOutside = !item.matches(`${landmark}, script, .skip, [role=status]`) && !item.querySelector(landmark);
    if (isOutside && isShown(item) && item.textContent.trim()) found.push(`${name(item)} is outside all landmarks`);
  }
  return [...new Set(found)];
})"""

# What has the focus, also within a frame, and whether that is seen.
FOCUSED = """(() => {
  let item = document.activeElement;
  while (item?.contentDocument?.activeElement && item.contentDocument.activeElement !== item.contentDocument.body) item = item.contentDocument.activeElement;
  const style = getComputedStyle(item);
  const isSeen = (style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 1) || style.boxShadow !== 'none';
  return [item.tagName + (item.id ? '#' + item.id : ''), item === document.body || isSeen || item.tagName === 'IFRAME'];
})()"""

# Roles that must have a name.
NAMED = {
    "button", "link", "textbox", "searchbox", "combobox", "listbox", "tab", "option", "checkbox", "radio",
    "slider", "spinbutton", "image", "img", "Iframe", "treeitem", "switch", "menuitem", "dialog", "tabpanel",
}


def nameless(browser):
    """Controls without a name, as assistive technology gets them."""
    found = []
    for node in browser.send("Accessibility.getFullAXTree")["nodes"]:
        role = node.get("role", {}).get("value")
        if node.get("ignored") or role not in NAMED:
            continue
        if not node.get("name", {}).get("value", "").strip():
            properties = {entry["name"]: entry["value"].get("value") for entry in node.get("properties", [])}
            found.append(f"a {role} has no name: {properties}")
    return found


def faults(browser, is_phone=False):
    """Everything that is wrong with the page as it is now."""
    return browser.evaluate(f"{FAULTS}({json.dumps(is_phone)})") + nameless(browser)


def check(browser, checks, name, size, colour, shots):
    """Checks the page as it is shown now, of a size and a colour: it fits, and has no faults; takes a picture."""
    what = f"{name}, {size}, {colour}"
    wide = browser.evaluate("document.documentElement.scrollWidth - innerWidth")
    checks.expect(wide <= 0, f"{what}: it is {wide} pixels too wide")
    found = faults(browser, size == "phone")
    checks.expect(not found, f"{what}: {found[:8]}")
    if shots:
        browser.screenshot(shots / f"{name}-{size}-{colour}.png")


def focus(browser, most=80):
    """Goes through the page with Tab: what was reached, and where the focus is not seen."""
    browser.evaluate(
        "(() => { document.body.tabIndex = -1; document.body.focus(); document.body.removeAttribute('tabindex'); })()")
    reached, unseen = [], []
    for _ in range(most):
        browser.press("Tab")
        name, is_seen = browser.evaluate(FOCUSED)
        if name == "BODY":
            break
        reached.append(name)
        if not is_seen:
            unseen.append(name)
    return reached, unseen
