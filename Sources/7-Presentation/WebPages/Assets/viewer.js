// The viewer of one run: goes from event to event and shows what everybody knew then.
'use strict';

(() => {
  const { element, byId, cut, visible, longText, fill } = Page;
  const run = Page.data();
  const { events } = run;
  const wrong = new Map();
  run.failures.forEach((failure) => {
    if (failure.event !== null && !wrong.has(failure.event)) wrong.set(failure.event, failure);
  });

  // What everybody knows. Every 64 events it is remembered, so that going back is as quick as going
  // forward; trees are shared between what is remembered.
  const spacing = 64;
  const remembered = [];
  // What was shown last: the next event is usually the one after it.
  let latest = { number: -1, state: null };

  function beginning() {
    return {
      trees: [Tree.from(run.start), ...run.views.map(() => null)],
      orders: new Map(),
      open: new Set(),
      waits: run.clients.map(() => new Map()),
      connections: run.clients.map(() => 'offline'),
    };
  }

  const copy = (state) => ({
    trees: [...state.trees],
    orders: new Map(state.orders),
    open: new Set(state.open),
    waits: state.waits.map((calls) => new Map(calls)),
    connections: [...state.connections],
  });

  /** Makes the changes of an event; tells where trees were changed and what was there before. */
  function apply(state, event, marks) {
    for (const [kind, a, b, c] of event.d ?? []) {
      if (kind === 't') {
        marks?.push({ tree: a, path: b, before: Tree.get(state.trees[a], b) });
        state.trees[a] = Tree.set(state.trees[a], b, Tree.from(c));
      } else if (kind === 'o') state.orders.set(a, b);
      else if (kind === 'b') state.open.add(a);
      else if (kind === 'e') state.open.delete(a);
      else if (kind === 'w') state.waits[a].set(b, c);
      else if (kind === 'd') state.waits[a].delete(b);
      else if (kind === 'c') state.connections[a] = b;
      else if (kind === 'f') {
        state.waits[a].clear();
        run.views.forEach((view, index) => {
          if (view.client === a) state.open.delete(index + 1);
        });
      }
    }
  }

  /** What is known after an event, with what that event changed. */
  function stateAfter(number) {
    if (remembered.length === 0) remembered.push(beginning());
    const wanted = Math.floor(number / spacing);
    while (remembered.length <= wanted) {
      const state = copy(remembered[remembered.length - 1]);
      const start = (remembered.length - 1) * spacing;
      for (let index = start; index < start + spacing; index += 1) apply(state, events[index]);
      remembered.push(state);
    }
    const isAhead = latest.number >= wanted * spacing && latest.number < number;
    const state = copy(isAhead ? latest.state : remembered[wanted]);
    const start = isAhead ? latest.number + 1 : wanted * spacing;
    for (let index = start; index < number; index += 1) apply(state, events[index]);
    const marks = [];
    apply(state, events[number], marks);
    latest = { number, state };
    return { state, marks };
  }

  // The timeline.

  const links = [];
  const spans = run.columns.map(() => []);
  const begun = run.columns.map(() => -1);
  events.forEach((event, number) => {
    const { cause } = event.j;
    const arrives = event.k === 'receive' || event.k === 'lost' || 'serverOpened' in event.j;
    if (arrives && cause !== undefined) links.push([cause, number, event.k === 'lost']);
    for (const [kind, client, state] of event.d ?? []) {
      if (kind !== 'c') continue;
      const column = run.columnOf[client];
      if (begun[column] >= 0) spans[column].push([begun[column], number]);
      begun[column] = state === 'connected' ? number : -1;
    }
  });
  begun.forEach((start, column) => {
    if (start >= 0) spans[column].push([start, events.length - 1]);
  });

  const timeline = new Timeline({
    host: byId('events'), columns: run.columns, players: run.columns.map((_, column) => run.players[run.columnOf.indexOf(column)]), events, links, spans, wrong,
    pick: (number) => go(number),
  });

  // Filters.

  const listeners = [...new Set(events.map((event) => event.l).filter(Boolean))];
  const kinds = [...new Set(events.map((event) => event.k))];
  fill(byId('client'), 'everybody', run.columns);
  fill(byId('listener'), 'all listeners', listeners);
  fill(byId('kind'), 'all kinds', kinds);

  function filter() {
    const [client, listener, kind] = ['client', 'listener', 'kind'].map((id) => byId(id).value);
    const path = byId('path').value.trim();
    const column = run.columns.indexOf(client);
    const rows = [];
    events.forEach((event, number) => {
      if (client !== '' && event.c !== column && event.o !== column) return;
      if (listener !== '' && event.l !== listener) return;
      if (kind !== '' && event.k !== kind) return;
      if (path !== '' && !(event.p ?? '').includes(path)) return;
      rows.push(number);
    });
    timeline.filter(rows);
    byId('count').textContent =
      rows.length === events.length ? `${rows.length} events` : `${rows.length} of ${events.length} events`;
  }

  for (const id of ['client', 'listener', 'kind', 'path']) byId(id).addEventListener('input', filter);
  byId('filters').addEventListener('submit', (event) => event.preventDefault());
  byId('filters').addEventListener('reset', () => setTimeout(filter));

  /** Where the run failed: where something is missing, or else where that was seen. */
  const failureAt = () => {
    const lacking = events.findIndex((event) => event.m);
    return lacking >= 0 || wrong.size === 0 ? lacking : [...wrong.keys()][0];
  };

  // Stepping.

  let current = -1;
  let cache = new Map();

  function go(number) {
    if (!(number >= 0 && number < events.length)) return;
    current = number;
    timeline.select(number);
    show(number);
    history.replaceState(null, '', `#step=${number}`);
    // A page around this one shows the same event.
    document.dispatchEvent(new CustomEvent('step', { detail: number }));
  }

  /** To the next event that the filters leave, in either direction. */
  function move(by) {
    const { rows } = timeline;
    if (rows.length === 0) return;
    const here = timeline.below(current);
    const isHere = rows[here] === current;
    const next = by > 0 ? here + (isHere ? by : by - 1) : here + by;
    go(rows[Math.max(0, Math.min(rows.length - 1, next))]);
  }

  function show(number) {
    const { state, marks } = stateAfter(number);
    showEvent(number);
    const byTree = new Map();
    for (const mark of marks) {
      if (!byTree.has(mark.tree)) byTree.set(mark.tree, []);
      byTree.get(mark.tree).push(mark);
    }
    const kept = new Map();
    const tree = (index) => {
      const changes = byTree.get(index) ?? [];
      const [value, order] = [state.trees[index], state.orders.get(index)];
      const old = cache.get(index);
      const isSame = old && old.value === value && old.order === order && old.isClean && changes.length === 0;
      const entry = isSame ? old : { value, order, isClean: changes.length === 0, node: Tree.render(value, changes, order) };
      kept.set(index, entry);
      return entry.node;
    };
    byId('clients').replaceChildren(...run.clients.map((_, client) => clientPart(client, state, tree)));
    byId('server').replaceChildren(tree(0));
    cache = kept;
  }

  function clientPart(client, state, tree) {
    const connection = state.connections[client];
    const part = element('section', { className: 'client' },
      element('h3', {}, cut(run.clients[client], 40), ' ',
        run.players[client] ? element('span', { className: 'soft', dir: 'ltr' }, `played by ${cut(run.players[client], 60)} `) : '', element('span', { className: `badge ${connection}` }, connection)));
    run.views.forEach((view, index) => {
      if (view.client !== client || !state.open.has(index + 1)) return;
      part.append(
        element('h4', {}, cut(view.name, 60), ' ', element('span', { className: 'soft', dir: 'ltr' }, cut(view.place, 120))),
        tree(index + 1));
    });
    const waiting = [...state.waits[client]];
    if (waiting.length > 0) {
      const shown = waiting.slice(0, 50).map(([, text]) => element('li', { dir: 'ltr' }, cut(text, 200)));
      if (waiting.length > 50) shown.push(element('li', {}, `and ${waiting.length - 50} more`));
      part.append(element('h4', {}, `waiting: ${waiting.length}`), element('ul', { className: 'waits' }, ...shown));
    }
    return part;
  }

  function showEvent(number) {
    const event = events[number];
    const { cause, step, t } = event.j;
    const place = step < 1 ? 'before the first step' : `step ${step}`;
    byId('position').textContent = `${number} of ${events.length - 1}`;
    byId('place').textContent = `${place}, ${+t.toFixed(3)} ms`;
    const who = event.c < 0 ? '' : `${run.columns[event.c]}: `;
    byId('what').replaceChildren(element('span', { dir: 'ltr' }, cut(who + event.x, 400)));
    const because = byId('because');
    because.replaceChildren();
    if (cause !== undefined) {
      const link = element('a', { href: `#step=${cause}` }, `${cause}: ${cut(events[cause].x, 120)}`);
      because.append('because of ', link);
    }
    byId('payload').replaceChildren(longText(JSON.stringify(event.j, null, 1), 3000, 'pre'));
    byId('payload').firstChild.tabIndex = 0;
    byId('range').value = number;
    const failure = wrong.get(number);
    byId('failures').classList.toggle('here', failure !== undefined);
  }

  function followLink() {
    const match = /^#step=(\d+)$/.exec(location.hash);
    if (match) go(Math.min(+match[1], events.length - 1));
  }

  const commands = {
    next: () => move(1), previous: () => move(-1), first: () => move(-Infinity), last: () => move(Infinity),
    further: () => move(20), back: () => move(-20),
    failure: () => failureAt() >= 0 && go(failureAt()),
    cause: () => go(events[current].j.cause),
    larger: () => timeline.zoomBy(1), smaller: () => timeline.zoomBy(-1),
    find: () => byId('path').focus(),
  };
  const keys = {
    ArrowDown: 'next', ArrowRight: 'next', j: 'next', ArrowUp: 'previous', ArrowLeft: 'previous', k: 'previous',
    Home: 'first', End: 'last', PageDown: 'further', PageUp: 'back', f: 'failure', c: 'cause',
    '+': 'larger', '-': 'smaller', '/': 'find',
  };

  document.addEventListener('keydown', (event) => {
    const isTyping = /^(input|select|textarea)$/i.test(event.target.tagName);
    const command = keys[event.key];
    if (isTyping || command === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    commands[command]();
  });
  document.addEventListener('click', (event) => {
    const button = event.target.closest('button[data-command]');
    if (button) commands[button.dataset.command]();
  });
  byId('range').max = Math.max(0, events.length - 1);
  byId('range').addEventListener('input', () => go(+byId('range').value));
  window.addEventListener('hashchange', followLink);
  document.addEventListener('go', (event) => go(event.detail));

  filter();
  followLink();
  if (current < 0) go(Math.max(0, failureAt()));
  document.title = `${visible(document.title)}`;
})();
