// The traffic: a row for each message, opening, closing, finding and fault, the newest last.
'use strict';

(() => {
  const { element, byId, cut } = Page;
  const most = 2000;
  const ways = { in: ['→', 'from'], out: ['←', 'to'], rest: ['⇄', 'by'], fault: ['✗', 'at'], finding: ['!', 'about'], note: ['i', 'about'] };
  let rows = [];
  let fresh = [];
  let dropped = 0;
  let isPaused = false;
  let isDue = false;

  // Rows.

  const words = {
    open: (item) => `connected: ${item.text}`,
    close: (item) => `closed: ${item.text}`,
    more: (item) => `… ${item.count.toLocaleString('en')} more`,
  };
  const text = (item) => words[item.kind]?.(item) ?? item.text;

  const whom = (item) => (item.client ? `${item.connection} ${item.client}` : Live.name(item.connection));

  function line(item) {
    const [sign, word] = ways[item.kind] ?? ['·', 'about'];
    const who = whom(item);
    return [
      element('span', { className: 'time' }, Live.clock(item.time)),
      element('span', { className: 'who', dir: 'ltr' }, cut(who, 24)),
      element('span', { className: 'way' },
        element('span', { 'aria-hidden': 'true' }, sign), element('span', { className: 'sr' }, word)),
      element('span', { className: 'what', dir: 'ltr' }, cut(text(item), 400)),
    ];
  }

  function whole(item) {
    const { raw, bytes } = item;
    const pre = element('pre', { dir: 'ltr', tabIndex: 0 }, Page.visible(raw));
    const isCut = raw.endsWith('…') && bytes > raw.length;
    return isCut ? [pre, element('p', { className: 'soft' }, `${bytes.toLocaleString('en')} bytes in all`)] : [pre];
  }

  function node(item) {
    const host = element('li', { className: `row k-${item.kind}` });
    if (item.raw === undefined) {
      host.append(element('div', { className: 'line' }, ...line(item)));
      return host;
    }
    const details = element('details', {}, element('summary', {}, ...line(item)));
    details.addEventListener('toggle', () => {
      if (details.open && details.children.length === 1) details.append(...whole(item));
    });
    host.append(details);
    return host;
  }

  // Filters.

  const wanted = () => ({ of: byId('of').value, words: byId('with').value.toLowerCase().split(/\s+/).filter(Boolean) });

  function fits(item, { of, words: all }) {
    if (of !== '' && item.connection !== undefined && String(item.connection) !== of) return false;
    if (all.length === 0) return true;
    const found = `${text(item)} ${item.raw ?? ''} ${whom(item)}`.toLowerCase();
    return all.every((word) => found.includes(word));
  }

  function filter() {
    const wish = wanted();
    for (const row of rows) row.host.hidden = !fits(row.item, wish);
    byId('log').scrollTop = byId('log').scrollHeight;
    tell();
  }

  function tell() {
    const shown = rows.reduce((sum, row) => sum + (row.host.hidden ? 0 : 1), 0);
    byId('count').textContent = `${shown === rows.length ? '' : `${shown} of `}${Live.count(rows.length, 'row')}`;
    byId('pause').textContent = isPaused ? `Continue (${(fresh.length + dropped).toLocaleString('en')})` : 'Pause';
  }

  // New ones.

  /** What is left out twice in a row is told once. */
  function joins(item) {
    const last = rows.at(-1)?.item;
    if (item.kind !== 'more' || last?.kind !== 'more' || last.connection !== item.connection) return false;
    last.count += item.count;
    rows.at(-1).host.querySelector('.what').textContent = text(last);
    return true;
  }

  function draw() {
    isDue = false;
    if (isPaused) return tell();
    const log = byId('log');
    const isAtEnd = log.scrollHeight - log.scrollTop - log.clientHeight < 40;
    if (dropped > 0) fresh.unshift({ kind: 'more', time: Live.now(), count: dropped });
    const wish = wanted();
    const added = [];
    for (const item of fresh) {
      if (added.length === 0 && joins(item)) continue;
      const host = node(item);
      host.hidden = !fits(item, wish);
      rows.push({ item, host });
      added.push(host);
    }
    [fresh, dropped] = [[], 0];
    byId('rows').append(...added);
    const old = rows.splice(0, Math.max(0, rows.length - most));
    for (const row of old) row.host.remove();
    if (isAtEnd) log.scrollTop = log.scrollHeight;
    tell();
  }

  function take(item) {
    fresh.push(item);
    if (fresh.length > most) dropped += fresh.splice(0, fresh.length - most).reduce((sum, one) => sum + (one.count ?? 1), 0);
    if (isDue) return;
    isDue = true;
    // A page that is not seen draws nothing, and so must not wait for a frame.
    if (document.hidden) setTimeout(draw, 500);
    else requestAnimationFrame(draw);
  }

  byId('pause').addEventListener('click', () => {
    isPaused = !isPaused;
    draw();
  });
  byId('clear').addEventListener('click', () => {
    for (const row of rows) row.host.remove();
    [rows, fresh, dropped] = [[], [], 0];
    tell();
  });
  byId('with').addEventListener('input', filter);
  byId('of').addEventListener('input', () => {
    const { value } = byId('of');
    Live.select(value === '' || value === '0' ? null : +value);
    byId('of').value = value;
    filter();
  });
  byId('filters').addEventListener('submit', (event) => event.preventDefault());

  const note = (words) => take({ kind: 'page', time: Live.now(), text: words });

  Live.add({
    item: take,
    lost: () => note('the server is not there any more'),
    hello: (_, isOther) => note(isOther ? 'the server has started again' : 'this page watches now'),
    selected(number) {
      byId('of').value = number === null ? '' : String(number);
      filter();
    },
  });
  tell();
})();
