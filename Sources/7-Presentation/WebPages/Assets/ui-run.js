// What the page shows of a run beside the viewer: an overview in time, its messages, and what changed
// where. All three follow the event that is chosen, and choose one.
'use strict';

class RunParts {
  static most = 500;

  /** `pick` is called with the number of an event that a reader wants to see. */
  constructor(pick) {
    Object.assign(this, { pick, run: null, selected: 0, rows: new Map() });
    for (const name of ['overview', 'moment', 'moment-text', 'messages', 'differences']) this[name] = Page.byId(name);
    this.moment.addEventListener('input', () => this.pick(+this.moment.value));
    const point = (event) => {
      if (this.run && (event.buttons & 1) === 1) this.pick(this.numberAt(event));
    };
    for (const name of ['pointerdown', 'pointermove']) this.overview.addEventListener(name, point);
    for (const host of [this.messages, this.differences]) {
      host.addEventListener('click', (event) => {
        const row = event.target.closest('[data-event]');
        if (row) this.pick(+row.dataset.event);
      });
    }
    new ResizeObserver(() => this.draw()).observe(this.overview);
  }

  /** Shows no run. */
  clear() {
    this.run = null;
    for (const host of [this.overview, this.messages, this.differences, this['moment-text']]) host.replaceChildren();
  }

  /** Shows a run, as the data of the viewer have it. */
  show(run) {
    this.run = run;
    this.rows = new Map();
    this.wrong = new Set(run.failures.map((failure) => failure.event).filter((number) => number !== null));
    this.moment.max = Math.max(0, run.events.length - 1);
    this.messages.replaceChildren(this.list(run.events.flatMap((event, number) => this.message(event, number)), 'no messages'));
    this.differences.replaceChildren(this.list(this.changes(), 'nothing changed'));
    this.draw();
  }

  who(event) {
    return event.c < 0 ? `step ${event.j.step}` : this.run.columns[event.c];
  }

  // The overview: a lane for each participant, a dot for each event.

  static lane = 14;

  /** Where the lanes begin: what is before them names the participants, and what plays them. */
  get left() {
    return this.run.players.length > 0 ? 176 : 64;
  }

  label(column) {
    const { columns, columnOf, players } = this.run;
    const player = players[columnOf.indexOf(column)];
    return Page.cut(columns[column], 8) + (player ? ` ${Page.cut(player, 18)}` : '');
  }

  x(number) {
    return this.left + (this.width * number) / Math.max(1, this.run.events.length - 1);
  }

  y(column) {
    return column * RunParts.lane + 10;
  }

  numberAt(event) {
    const { left } = this.overview.getBoundingClientRect();
    const share = (event.clientX - left - this.left) / this.width;
    const last = this.run.events.length - 1;
    return Math.round(Math.max(0, Math.min(1, share)) * last);
  }

  draw() {
    if (!this.run) return;
    this.width = this.overview.getBoundingClientRect().width - this.left - 8;
    if (this.width <= 0) return;
    const { columns, events } = this.run;
    const height = this.y(columns.length - 1) + 10;
    const paths = new Map();
    const add = (name, d) => paths.set(name, (paths.get(name) ?? '') + d);
    columns.forEach((_, column) => add('life', `M${this.x(0)} ${this.y(column)}H${this.x(events.length - 1)}`));
    for (const [column, from, to] of this.connections()) add('band', `M${this.x(from)} ${this.y(column)}H${this.x(to)}`);
    events.forEach((event, number) => {
      if (event.k === 'step') add('step', `M${this.x(number)} 2V${height - 2}`);
      if (event.c >= 0) add(this.wrong.has(number) || event.m ? 'dot wrong' : `dot k-${event.k}`, `M${this.x(number)} ${this.y(event.c)}h0`);
    });
    const shape = (name, properties, text) => {
      const part = document.createElementNS('http://www.w3.org/2000/svg', name);
      for (const [key, value] of Object.entries(properties)) part.setAttribute(key, value);
      if (text) part.textContent = text;
      return part;
    };
    this.overview.setAttribute('height', height);
    this.overview.replaceChildren(
      ...[...paths].map(([name, d]) => shape('path', { class: name, d })),
      ...columns.map((_, column) => shape('text', { x: 2, y: this.y(column) + 4 }, this.label(column))),
      shape('path', { class: 'now', d: `M${this.x(this.selected)} 0V${height}` }));
  }

  /** From when to when each client was connected: [column, event, event]. */
  connections() {
    const begun = new Map();
    const found = [];
    this.run.events.forEach((event, number) => {
      for (const [kind, client, state] of event.d ?? []) {
        if (kind !== 'c') continue;
        const column = this.run.columnOf[client];
        if (begun.has(column)) found.push([column, begun.get(column), number]);
        begun.delete(column);
        if (state === 'connected') begun.set(column, number);
      }
    });
    return [...found, ...[...begun].map(([column, start]) => [column, start, this.run.events.length - 1])];
  }

  // Messages and differences.

  /** A row that leads to an event. */
  row(number, ...content) {
    const { element } = Page;
    const event = this.run.events[number];
    const row = element('button', { type: 'button', className: `event k-${event.k}${this.wrong.has(number) ? ' wrong' : ''}` },
      element('span', { className: 'soft' }, `${+event.j.t.toFixed(3)} ms `), ...content);
    row.dataset.event = number;
    return row;
  }

  /** A message when it is sent, and one that does not arrive when it is lost. */
  message(event, number) {
    if ((event.k !== 'send' && event.k !== 'lost') || event.o === undefined) return [];
    const [from, to] = event.k === 'lost' && 'lostToClient' in event.j ? [event.o, event.c] : [event.c, event.o];
    const [sender, receiver] = [from, to].map((column) => Page.cut(this.run.columns[column] ?? '', 30));
    return [[number, this.row(number, Page.element('strong', { dir: 'ltr' }, `${sender} → ${receiver}`), ' ',
      Page.element('span', { dir: 'ltr' }, event.k === 'lost' ? 'lost: ' : '', Page.cut(event.x, 300)))]];
  }

  /** What each event changed of what the server has and listeners show: what was there, and what is. */
  changes() {
    const { element, cut } = Page;
    const { run } = this;
    const trees = [Tree.from(run.start), ...run.views.map(() => null)];
    const names = ['server', ...run.views.map((view) => `${run.clients[view.client]}.${view.name}`)];
    const words = (value) => (value === null || value === undefined ? 'nothing' : JSON.stringify(Tree.plain(value)));
    const found = [];
    run.events.forEach((event, number) => {
      const lines = (event.d ?? []).filter(([kind]) => kind === 't').map(([, tree, path, value]) => {
        const before = Tree.get(trees[tree], path);
        trees[tree] = Tree.set(trees[tree], path, Tree.from(value));
        return element('li', { dir: 'ltr' }, element('strong', {}, cut(names[tree], 60)), ` /${cut(path.join('/'), 120)}  `,
          element('del', {}, cut(words(before), 120)), ' → ', element('ins', {}, cut(words(Tree.from(value)), 120)));
      });
      if (lines.length === 0) return;
      const head = this.row(number, element('span', { dir: 'ltr' }, `${cut(this.who(event), 30)}: ${cut(event.x, 160)}`));
      found.push([number, head, element('ul', {}, ...lines)]);
    });
    return found;
  }

  /** Rows with the numbers of their events; the first of them, and a button for the next. */
  list(entries, nothing) {
    const { element } = Page;
    if (entries.length === 0) return element('p', { className: 'soft' }, nothing);
    const host = element('ol', { className: 'events' });
    const rest = [...entries];
    const more = element('button', { type: 'button' });
    const add = () => {
      for (const [number, row, ...others] of rest.splice(0, RunParts.most)) {
        this.rows.set(number, [...(this.rows.get(number) ?? []), row]);
        host.append(element('li', {}, row, ...others));
      }
      more.hidden = rest.length === 0;
      more.textContent = `${rest.length.toLocaleString('en')} more`;
    };
    more.addEventListener('click', add);
    add();
    return element('div', {}, host, more);
  }

  /** Brings the rows of the event into view, and moves nothing else. */
  reveal() {
    for (const row of this.rows.get(this.selected) ?? []) {
      const host = row.closest('[role=tabpanel]');
      const { scrollTop, clientHeight } = host;
      if (row.offsetTop < scrollTop || row.offsetTop + row.offsetHeight > scrollTop + clientHeight) {
        host.scrollTop = row.offsetTop - clientHeight / 2;
      }
    }
  }

  /** Marks an event. */
  select(number) {
    if (!this.run) return;
    for (const row of this.rows.get(this.selected) ?? []) row.removeAttribute('aria-current');
    this.selected = number;
    for (const row of this.rows.get(number) ?? []) row.setAttribute('aria-current', 'true');
    this.reveal();
    const event = this.run.events[number];
    const text = `${number} of ${this.run.events.length - 1} · ${+event.j.t.toFixed(3)} ms · ${this.who(event)}: ${event.x}`;
    this.moment.value = number;
    this.moment.setAttribute('aria-valuetext', Page.cut(text, 200));
    this['moment-text'].textContent = Page.cut(text, 200);
    this.draw();
  }
}
