// The data of a namespace. What is open is read, a bounded part of each place, and read again after
// changes; everything else stays where it is, so that a hundred thousand places cost no more than ten.
'use strict';

(() => {
  const { element, byId, cut, longText } = Page;
  const page = 100;
  const mostOpen = 100;
  let namespace = new URLSearchParams(location.search).get('ns') ?? hostName();
  let root;
  let open;

  /** `demo.localhost` names the namespace demo. */
  function hostName() {
    const labels = location.hostname.split('.');
    return labels.length === 2 && labels[1] === 'localhost' ? labels[0] : 'default';
  }

  /** A place that is open: what was read of it last, and the rows of its children. */
  function place(path, host) {
    const list = element('ul', { className: 'tree' });
    host.append(list);
    return { path, list, host, rows: new Map(), after: undefined, limit: page, mark: undefined, isNew: true };
  }

  function begin() {
    byId('tree').replaceChildren();
    open = new Map();
    const path = `/${byId('root').value.trim().replace(/^\/+|\/+$/g, '')}`;
    root = place(path, byId('tree'));
    open.set(path, root);
    read();
  }

  const read = Live.throttled(300, async () => {
    const asked = [...open.values()];
    const places = asked.map(({ path, after, limit, mark }) => ({ path, after, limit, mark }));
    const name = namespace;
    const found = await Live.ask('POST', 'tree', { namespace: name, places });
    if (name !== namespace) return;
    found.places.forEach((part, index) => {
      if (open.get(asked[index].path) === asked[index]) show(asked[index], part);
    });
  });

  // Showing.

  const child = (path, key) => (path === '/' ? `/${key}` : `${path}/${key}`);

  /** Where all of a value can be read. */
  const address = (path) =>
    `${path.split('/').map(encodeURIComponent).join('/')}.json?ns=${encodeURIComponent(namespace)}&print=pretty`;

  function value(node, path) {
    if (!node.length) {
      return longText(typeof node.value === 'string' ? JSON.stringify(node.value) : String(node.value), 160, 'span', 'value');
    }
    const link = element('a', { href: address(path), target: '_blank', rel: 'noopener' }, 'all');
    return element('span', { className: 'value', dir: 'ltr' }, `"${Page.visible(node.value.slice(0, 160))}… `,
      element('span', { className: 'soft' }, `(${node.length.toLocaleString('en')} characters, `, link, ')'));
  }

  const priority = (node) => node.priority === undefined ? null
    : element('span', { className: 'priority' }, ` priority ${cut(JSON.stringify(node.priority), 60)}`);

  function flash(host) {
    host.classList.remove('flash');
    // Whatever is under way begins anew.
    void host.offsetWidth;
    host.classList.add('flash');
  }

  function show(here, part) {
    if (part.isSame) return;
    here.mark = part.mark;
    const { list, rows } = here;
    if (part.value !== undefined || part.count === 0) {
      rows.clear();
      const only = part.value === undefined ? element('span', { className: 'soft' }, 'nothing') : value(part, here.path);
      list.replaceChildren(element('li', { className: 'leaf' }, only, priority(part)));
      if (here !== root) close(here.path);
    } else {
      if (rows.size === 0) list.replaceChildren();
      showChildren(here, part);
    }
    here.isNew = false;
  }

  function showChildren(here, part) {
    const { list, rows } = here;
    const keys = new Set(part.children.map((one) => one.key));
    for (const [key, row] of rows) {
      if (keys.has(key)) continue;
      close(child(here.path, key));
      row.host.remove();
      rows.delete(key);
    }
    let before = null;
    for (const node of part.children) {
      const row = update(here, node);
      const next = before === null ? list.firstChild : before.nextSibling;
      if (next !== row.host) list.insertBefore(row.host, next);
      before = row.host;
    }
    here.more?.remove();
    here.more = more(here, part);
    if (here.more) list.append(here.more);
  }

  /** The row of a child, changed where the child has. */
  function update(here, node) {
    const text = JSON.stringify(node);
    const old = here.rows.get(node.key);
    if (old?.text === text) return old;
    const path = child(here.path, node.key);
    const isInner = node.count !== undefined;
    const row = old?.isInner === isInner ? old : { host: element('li'), isInner };
    if (old && old !== row) {
      close(path);
      old.host.replaceWith(row.host);
    }
    row.text = text;
    here.rows.set(node.key, row);
    const key = element('span', { className: 'key', dir: 'ltr' }, cut(node.key, 80));
    if (isInner) showInner(row, key, path, node);
    else {
      const pick = element('button', { type: 'button', className: 'pick', title: 'Change it' }, key);
      row.host.replaceChildren(...[element('span', { className: 'leaf' }, pick, ': ', value(node, path)), priority(node)].filter(Boolean));
      row.host.onclick = () => edit(path, node);
    }
    if (!here.isNew) flash(isInner ? row.twist : row.host);
    return row;
  }

  function showInner(row, key, path, node) {
    if (!row.twist) {
      row.twist = element('button', { type: 'button', className: 'twist', 'aria-expanded': 'false' }, key);
      row.twist.addEventListener('click', () => {
        if (open.has(path)) close(path);
        else expand(row, path);
      });
      row.note = element('span', { className: 'soft' });
      row.host.append(row.twist, ' ', row.note);
      // Small places are shown at once, so that little needs no clicks.
      const depth = path.split('/').length - root.path.split('/').length;
      if (node.count <= 20 && depth <= 2 && open.size < 12) expand(row, path);
    }
    row.note.replaceChildren(...[Live.count(node.count, 'child').replace('childs', 'children'), priority(node)].filter(Boolean));
  }

  /** Where not all children are shown: more of them, the next, or the first again. */
  function more(here, part) {
    const left = part.count - part.children.length;
    const last = part.children.at(-1)?.key;
    const buttons = [];
    const button = (label, change) => {
      const host = element('button', { type: 'button', className: 'more' }, label);
      host.addEventListener('click', () => {
        Object.assign(here, change, { mark: undefined, isNew: true });
        read();
      });
      buttons.push(host, ' ');
    };
    if (left > 0 && part.children.length === here.limit) {
      if (here.limit < 500) button('500 at a time', { limit: 500 });
      button(`the next ${here.limit}`, { after: last });
    }
    if (here.after !== undefined) button('the first again', { after: undefined });
    if (buttons.length === 0) return null;
    return element('li', { className: 'leaf' }, ...buttons,
      element('span', { className: 'soft' }, `${part.children.length} of ${part.count.toLocaleString('en')} shown`));
  }

  // Opening and closing.

  function expand(row, path) {
    if (open.size >= mostOpen) {
      row.note.textContent = `${mostOpen} places are open; close some first`;
      return;
    }
    row.twist.setAttribute('aria-expanded', 'true');
    open.set(path, Object.assign(place(path, row.host), { twist: row.twist }));
    read();
  }

  function close(path) {
    for (const [other, here] of open) {
      if (here === root || (other !== path && !other.startsWith(`${path}/`))) continue;
      here.list.remove();
      here.twist.setAttribute('aria-expanded', 'false');
      open.delete(other);
    }
  }

  // Editing, as the administrator: no rule applies.

  async function write(method) {
    const result = byId('edit-result');
    const path = `/${byId('edit-path').value.trim().replace(/^\/+|\/+$/g, '')}`;
    const body = method === 'PUT' ? byId('edit-value').value : undefined;
    let problem = '';
    try {
      const answer = await fetch(address(path), { method, body, headers: { Authorization: 'Bearer owner' } });
      if (!answer.ok) problem = (await answer.json()).error;
    } catch {
      problem = 'the server does not answer';
    }
    result.textContent = problem || 'done';
    result.classList.toggle('wrong', problem !== '');
    read();
  }

  /** Puts a value where it can be changed. */
  function edit(path, node) {
    byId('edit-path').value = path;
    byId('edit-value').value = node.length ? '' : JSON.stringify(node.value);
    byId('edit-result').textContent = '';
    byId('edit-value').focus();
  }

  byId('edit').addEventListener('submit', (event) => {
    event.preventDefault();
    write('PUT');
  });
  byId('edit-remove').addEventListener('click', () => write('DELETE'));

  // Which namespace.

  let names = [];

  function offer(found) {
    const all = [...new Set([...found, namespace])].sort();
    if (all.join('\n') === names.join('\n')) return;
    names = all;
    byId('namespace').replaceChildren(...all.map((name) => element('option', { value: name }, cut(name, 60))));
    byId('namespace').value = namespace;
  }

  byId('namespace').addEventListener('change', () => {
    namespace = byId('namespace').value;
    history.replaceState(null, '', `?ns=${encodeURIComponent(namespace)}`);
    begin();
  });
  byId('place').addEventListener('submit', (event) => {
    event.preventDefault();
    begin();
  });

  const changes = new Set(['in', 'out', 'rest', 'close', 'more', 'fault']);

  Live.add({
    clients: (found) => offer(found.namespaces),
    hello: begin,
    item(item) {
      const isHere = item.namespace === undefined || item.namespace === namespace;
      if (isHere && changes.has(item.kind)) read();
    },
  });
  offer([]);
  // Data can change although nobody says anything.
  setInterval(() => {
    if (Live.state.token !== '') read();
  }, 5000);
})();
