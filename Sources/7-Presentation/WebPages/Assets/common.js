// What the pages of Kennel share: safe text, elements, trees of data. No page asks the network for
// anything, and whatever a run carried becomes text and never markup.
'use strict';

const Page = (() => {
  const hidden =
    /[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ufffe\uffff]/g;

  // Words that are read from right to left, with the blanks between them.
  const leftward =
    /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]+(?: +[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]+)*/g;

  /**
   * Text without what is not seen or changes the direction of reading. Words from right to left are
   * set apart, so that what stands between them keeps its place.
   */
  const visible = (text) =>
    text
      .replace(hidden, (c) => `\\u{${c.codePointAt(0).toString(16)}}`)
      .replace(leftward, '\u2068$&\u2069');

  /** The beginning of a long text, and how long it is. */
  function cut(text, length, show = visible) {
    if (text.length <= length) return show(text);
    const isPair = (text.charCodeAt(length - 1) & 0xfc00) === 0xd800;
    const head = text.slice(0, isPair ? length - 1 : length);
    return `${show(head)}… (${text.length.toLocaleString('en')} characters)`;
  }

  /** An element; properties whose names have a hyphen, and `role`, become attributes. */
  function element(name, properties = {}, ...children) {
    const result = document.createElement(name);
    // What scrolls can have the focus, so that it scrolls by keys as well.
    if (name === 'pre') result.tabIndex = 0;
    for (const [key, value] of Object.entries(properties)) {
      if (key.includes('-') || key === 'role' || key === 'for') result.setAttribute(key, value);
      else result[key] = value;
    }
    result.append(...children.filter((child) => child !== null && child !== undefined));
    return result;
  }

  const byId = (id) => document.getElementById(id);
  const data = () => JSON.parse(byId('data').textContent);

  /** A button that shows the rest of a long text in place of its beginning. */
  function longText(text, length, name = 'span', className = '') {
    const lines = (part) => part.split('\n').map(visible).join('\n');
    const show = name === 'pre' ? lines : visible;
    const host = element(name, { className, dir: 'ltr' }, cut(text, length, show));
    if (text.length <= length) return host;
    const more = element('button', { type: 'button', className: 'more' }, 'show all');
    more.addEventListener('click', () => {
      host.textContent = show(text);
    });
    host.append(' ', more);
    return host;
  }

  /** The choices of a select, the first of them for everything. */
  function fill(select, all, names) {
    select.replaceChildren(
      element('option', { value: '' }, all),
      ...names.map((name) => element('option', { value: name }, cut(name, 60))),
    );
  }

  return { visible, cut, element, byId, data, longText, fill };
})();

// Trees of data: null, a scalar, or a Map from keys to trees. They are never changed in place, so a
// moment that was remembered stays what it was.
const Tree = (() => {
  /** A tree from JSON. A Map, because a key may be called `__proto__`. */
  function from(json) {
    if (json === null || typeof json !== 'object') return json;
    return new Map(Object.keys(json).map((key) => [key, from(json[key])]));
  }

  /** JSON from a tree. */
  const plain = (tree) => (tree instanceof Map ? Object.fromEntries([...tree].map(([key, child]) => [key, plain(child)])) : tree);

  function set(tree, path, value, depth = 0) {
    if (depth === path.length) return value;
    const copy = new Map(tree instanceof Map ? tree : []);
    const key = path[depth];
    const child = set(copy.has(key) ? copy.get(key) : null, path, value, depth + 1);
    if (child === null) copy.delete(key);
    else copy.set(key, child);
    return copy;
  }

  function get(tree, path) {
    for (const key of path) {
      if (!(tree instanceof Map) || !tree.has(key)) return null;
      tree = tree.get(key);
    }
    return tree;
  }

  const isIndex = (key) => /^(0|-?[1-9]\d{0,9})$/.test(key) && Math.abs(+key) < 2147483648;

  /** The order of keys: whole numbers first, then texts; what begins with a dot last. */
  function compare(a, b) {
    const dots = a.startsWith('.') - b.startsWith('.');
    if (dots !== 0) return dots;
    const [x, y] = [isIndex(a), isIndex(b)];
    if (x && y) return +a - +b;
    if (x !== y) return x ? -1 : 1;
    return a < b ? -1 : a > b ? 1 : 0;
  }

  /** Where a tree was changed: a trie of places, each with what was there before. */
  function marks(changes) {
    const root = { children: new Map(), isChanged: false };
    for (const { path, before } of changes) {
      let mark = root;
      for (const key of path) {
        if (!mark.children.has(key)) {
          mark.children.set(key, { children: new Map(), isChanged: false });
        }
        mark = mark.children.get(key);
      }
      mark.isChanged = true;
      mark.before = before;
    }
    return root;
  }

  const limit = 100;
  const { element, cut, longText } = Page;

  const scalar = (value) =>
    longText(typeof value === 'string' ? JSON.stringify(value) : String(value), 160, 'span', 'value');

  function item(key, value, mark) {
    const isGone = value === null || value === undefined;
    const state = !mark?.isChanged ? '' : isGone ? 'gone' : 'changed';
    const name = element('span', { className: 'key', dir: 'ltr' }, cut(key, 80));
    const host = element('li', { className: state }, name);
    if (state !== '') host.append(element('span', { className: 'sr' }, isGone ? ' removed' : ' changed'));
    const shown = isGone ? mark?.before : value;
    if (shown instanceof Map) host.append(list(shown, mark));
    else if (shown !== null && shown !== undefined) host.append(': ', scalar(shown));
    return host;
  }

  function list(tree, mark, order) {
    const gone = mark
      ? [...mark.children].filter(([key, child]) => child.isChanged && !tree.has(key)).map(([key]) => key)
      : [];
    const keys = order ? [...order.filter((key) => tree.has(key)), ...[...tree.keys()].filter((key) => key.startsWith('.'))] : [...tree.keys()].sort(compare);
    const all = gone.length > 0 ? [...keys, ...gone] : keys;
    const host = element('ul', { className: 'tree' });
    const isMarked = (key) => mark?.children.has(key) ?? false;
    const shown = all.length <= limit ? all : all.filter((key, index) => index < limit || isMarked(key)).slice(0, 2 * limit);
    host.append(...shown.map((key) => item(key, tree.get(key) ?? null, mark?.children.get(key))));
    if (shown.length < all.length) {
      const rest = all.filter((key) => !shown.includes(key));
      const more = element('button', { type: 'button', className: 'more' }, `${rest.length.toLocaleString('en')} more`);
      more.addEventListener('click', () => {
        const next = rest.splice(0, 500);
        more.parentNode.before(...next.map((key) => item(key, tree.get(key), undefined)));
        if (rest.length === 0) more.parentNode.remove();
        else more.textContent = `${rest.length.toLocaleString('en')} more`;
      });
      host.append(element('li', {}, more));
    }
    return host;
  }

  /** A tree as nested lists, with what changed marked. */
  function render(tree, changes, order) {
    const mark = changes.length > 0 ? marks(changes) : undefined;
    if (tree instanceof Map && tree.size > 0) {
      const host = list(tree, mark, order);
      if (mark?.isChanged) host.classList.add('changed');
      return host;
    }
    const isEmpty = tree === null || tree === undefined || tree instanceof Map;
    const host = element('p', { className: mark?.isChanged ? 'scalar changed' : 'scalar' });
    host.append(isEmpty ? element('span', { className: 'soft' }, 'nothing') : scalar(tree));
    return host;
  }

  return { from, plain, set, get, render };
})();
