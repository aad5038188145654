// The clients: a row for each connection, and everything about the one that is selected.
'use strict';

(() => {
  const { element, byId, cut, fill } = Page;
  const { state, count, size, age } = Live;
  const body = byId('clients').tBodies[0];
  const rows = new Map();

  function cells(client) {
    const listens = client.listens ?? [];
    const rest = (client.listenCount ?? 0) - 2;
    const shown = listens.slice(0, 2).map((listen) => listen.text).join(', ');
    const sum = ({ messages, bytes }) => `${messages.toLocaleString('en')}, ${size(bytes)}`;
    const many = (number) => (number > 0 ? number.toLocaleString('en') : '');
    return [
      cut(client.namespace, 40), client.dialect, client.carrier, since(client),
      sum(client.fromClient), sum(client.toClient),
      cut(shown, 60) + (rest > 0 ? ` and ${rest.toLocaleString('en')} more` : ''),
      many(client.onDisconnectCount), many(client.unansweredCount), cut(client.user ?? '', 30),
      many(client.findingCount),
    ];
  }

  const since = (client) =>
    client.end === undefined ? age(Live.now() - client.since) : `ended ${age(Live.now() - client.end)} ago`;

  function row(client) {
    const pick = element('button', { type: 'button', className: 'pick' }, cut(Live.name(client.connection), 40));
    const parts = cells(client).map((_, index) =>
      element('td', { className: ['', '', '', '', '', '', 'list', '', '', '', 'wrong'][index] ?? '', dir: 'ltr' }));
    const host = element('tr', {}, element('th', { scope: 'row' }, pick), ...parts);
    host.addEventListener('click', () =>
      Live.select(Live.selected === client.connection ? null : client.connection));
    return { host, pick, parts };
  }

  /** Changes only what is different, so that whoever reads or holds the focus is not disturbed. */
  function update(client) {
    if (!rows.has(client.connection)) rows.set(client.connection, row(client));
    const { host, pick, parts } = rows.get(client.connection);
    cells(client).forEach((text, index) => {
      if (parts[index].textContent !== text) parts[index].textContent = text;
    });
    const isSelected = Live.selected === client.connection;
    pick.setAttribute('aria-pressed', String(isSelected));
    host.className = [client.end === undefined ? '' : 'over', isSelected ? 'selected' : ''].join(' ').trim();
    return host;
  }

  function show() {
    const clients = [...state.clients.values()];
    let before = null;
    for (const client of clients) {
      const host = update(client);
      const place = before === null ? body.firstChild : before.nextSibling;
      if (place !== host) body.insertBefore(host, place);
      before = host;
    }
    for (const [number, { host }] of rows) {
      if (state.clients.has(number)) continue;
      host.remove();
      rows.delete(number);
    }
    byId('nobody').hidden = clients.length > 0;
    showDetails();
  }

  function list(title, texts, total = texts.length) {
    if (texts.length === 0) return null;
    const items = texts.map((text) => element('li', { dir: 'ltr' }, element('code', {}, cut(text, 300))));
    if (total > texts.length) items.push(element('li', {}, `and ${(total - texts.length).toLocaleString('en')} more`));
    return element('div', {}, element('h3', {}, `${title} (${total.toLocaleString('en')})`), element('ul', {}, ...items));
  }

  let shown = '';

  /** Everything about the client that is selected. */
  function showDetails() {
    const host = byId('details');
    const client = state.clients.get(Live.selected);
    const { fromClient, toClient, ...rest } = client ?? {};
    const text = JSON.stringify(rest);
    if (text === shown) return;
    shown = text;
    host.hidden = client === undefined;
    if (client === undefined) return;
    const lists = [
      list('Listens', (client.listens ?? []).map((listen) => listen.text), client.listenCount),
      list('On disconnect', client.onDisconnects ?? [], client.onDisconnectCount),
      list('Unanswered', client.unanswered ?? [], client.unansweredCount),
      list('Findings', client.findings ?? [], client.findingCount),
    ].filter((part) => part !== null);
    const nothing = element('p', { className: 'soft' }, 'It listens to nothing and has left nothing for its end.');
    host.replaceChildren(
      element('h3', {}, `Client ${Live.name(client.connection)}`),
      lists.length === 0 ? nothing : element('div', { className: 'columns' }, ...lists));
  }

  let names = '';

  Live.add({
    clients(found) {
      show();
      const left = found.count - found.connections.length;
      byId('summary').textContent =
        `${count(found.count, 'connection')}${left > 0 ? `, the first ${found.connections.length} shown` : ''}`;
      const numbers = [...state.clients.keys()].sort((a, b) => a - b);
      const text = numbers.map(Live.name).join();
      if (text === names) return;
      names = text;
      const field = byId('of');
      fill(field, 'everybody', ['REST']);
      field.lastChild.value = '0';
      field.append(...numbers.map((number) => element('option', { value: String(number) }, cut(Live.name(number), 40))));
      field.value = Live.selected === null ? '' : String(Live.selected);
      if (field.selectedIndex < 0) field.value = '';
    },
    selected: show,
    hello(_, isOther) {
      if (isOther) byId('details').hidden = true;
    },
  });
  setInterval(() => {
    if (!document.hidden && state.clients.size > 0) show();
  }, 1000);
})();
